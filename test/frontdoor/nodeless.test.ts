// What is said of a config dump that does not tell what node it is of.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const objects = ['pods', 'replicasets', 'jobs', 'statefulsets']
  .map((kind) => ` --resources ${testdata}/kubernetes/all-${kind}.json`)
  .join('');
const dumpOf = (node: string) => path.join(testdata, 'dumps', `${node}.config_dump.json`);
/** An hour later than the captures: everything has settled. */
const at = '--now 2026-11-29T23:00:00Z';

interface Dump {
  certificates: { readonly identity: string }[];
  readonly config: { localNode?: string };
}

const folder = temporaryDirectory();
let nodeless: string;
let another: string;
let withNode: string;
beforeAll(() => {
  const dump = JSON.parse(readFileSync(dumpOf('node-a'), 'utf8')) as Dump;
  dump.certificates = dump.certificates.filter(({ identity }) => !identity.endsWith('/cart'));
  withNode = save('with-node.json', dump);
  delete dump.config.localNode;
  nodeless = save('nodeless.json', dump);
  another = save('another.json', dump);
});

function save(name: string, dump: Dump): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(dump));
  return file;
}

const SENTENCE =
  'warning: MISSING certificates were not looked for in nodeless.json, and owners are not known: it does not name its node (config.localNode).';

describe('certs', () => {
  test.each([
    ['alone', ''],
    ['with objects', objects],
  ])('%s', async (_, resources) => {
    const said = await run(`certs -f ${nodeless} ${at}${resources}`);
    expect(said.stderr.trimEnd().split('\n').slice(1)).toEqual([SENTENCE]);
    expect(said.stdout).not.toContain('MISSING');
    expect(said.code).toBe(0);
    const told = await run(`certs -f ${withNode} ${at}${resources}`);
    expect(told.stderr).not.toContain('warning:');
    expect(told.stdout).toMatch(/^MISSING +shop\/cart +node-a /m);
  });

  test('beside a dump that names its node, in which it is looked for', async () => {
    const { stdout, stderr } = await run(`certs -f ${nodeless} -f ${withNode} -f ${another} ${at}`);
    expect(stdout).toMatch(/^MISSING +shop\/cart +node-a /m);
    expect(stderr).toContain(
      'not looked for in nodeless.json, another.json, and owners are not known: they do not name their nodes',
    );
  });

  test.each(['-o short', '-o name'])('%s speaks of neither', async (format) => {
    expect((await run(`certs -f ${nodeless} ${at} ${format}`)).stderr).toBe('');
  });
});

describe('check names MISSING as not evaluated', () => {
  test.each([
    ['alone', ''],
    ['with objects', objects],
  ])('%s', async (_, resources) => {
    const said = await run(`check -f ${nodeless} ${at}${resources} --only MISSING`);
    expect(said.stderr).toContain('Not evaluated: MISSING (without the node of nodeless.json).');
    const told = await run(`check -f ${withNode} ${at}${resources} --only MISSING`);
    expect(told.stderr).not.toContain('Not evaluated');
    expect([said.code, told.code]).toEqual([0, 2]);
  });
});
