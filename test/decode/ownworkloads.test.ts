// A dump of which only the workloads of its own node are wanted: those of others are stepped over, none of its own is lost.

import { describe, expect, test } from '@jest/globals';
import { type ReadOptions, readDump } from './readdump.ts';

const workload = (name: string, node: string) => ({ uid: `c//Pod/ns/${name}`, name, namespace: 'ns', node });
const CONFIG = { localNode: 'node-a' };
const WORKLOADS = [workload('here', 'node-a'), workload('there', 'node-b'), workload('also', 'node-a')];

function names(input: unknown, options: ReadOptions = {}): readonly string[] {
  const sections = ['config', 'workloads'] as const;
  return readDump(input, { sections, ownWorkloads: true, ...options }).workloads.map(({ name }) => name);
}

describe('of the own node', () => {
  test.each([0, 2, 4])('workloads are kept, others are not, indented by %d', (indent) => {
    expect(names(JSON.stringify({ config: CONFIG, workloads: WORKLOADS }, null, indent))).toEqual([
      'here',
      'also',
    ]);
  });

  test('no workload is lost, however the bytes come', () => {
    const text = JSON.stringify({ config: CONFIG, workloads: WORKLOADS }, null, 2);
    for (let chunk = 1; chunk < text.length; chunk += 1) {
      expect(names(text, { chunk })).toEqual(expect.arrayContaining(['here', 'also']));
    }
  });

  test('a name that is written with escapes is kept', () => {
    const text = JSON.stringify({ config: CONFIG, workloads: WORKLOADS });
    expect(names(text.replace('"node":"node-a"', '"node":"\\u006eode-a"'))).toEqual(['here', 'also']);
  });

  test('a name that only occurs elsewhere does no harm', () => {
    const workloads = [{ ...workload('there', 'node-b'), workloadName: 'node-a' }];
    expect(names({ config: CONFIG, workloads })).toEqual(['there']);
  });
});

describe('all workloads are taken in', () => {
  const all = ['here', 'there', 'also'];
  test.each([
    ['where nobody asks for less', { config: CONFIG, workloads: WORKLOADS }, { ownWorkloads: false }],
    ['where the node is told too late', { workloads: WORKLOADS, config: CONFIG }, {}],
    ['where the node is not told', { config: {}, workloads: WORKLOADS }, {}],
  ])('%s', (_when, input, options) => {
    expect(names(input, options)).toEqual(all);
  });

  test('of a map, as ztunnel 1.22 sends it', () => {
    const workloads = Object.fromEntries(WORKLOADS.map((each) => [`/${each.name}`, each]));
    expect(names({ config: CONFIG, workloads })).toHaveLength(3);
  });
});
