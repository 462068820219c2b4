// How the rules of a policy are told on one line of `policies -o wide`.

import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

const MESH = path.resolve(import.meta.dirname, '../testdata/mesh/policies');

async function rulesOf(rules: unknown): Promise<string | undefined> {
  const policies = [{ name: 'p', namespace: 'shop', action: 'Allow', scope: 'Namespace', rules }];
  const dump = JSON.stringify({ policies, config: {}, workloads: [], services: [], certificates: [] });
  const { stdout, code } = await run('policies -o wide --no-headers -f -', { stdin: dump });
  expect(code).toBe(0);
  return stdout.split(/ {2,}/)[4];
}

describe('rules', () => {
  test.each([
    ['none', [], 'never'],
    ['without clauses', [[]], 'any'],
    ['with a clause without matches', [[[]]], 'any'],
    ['with a match without conditions', [[[{}]]], 'never'],
    ['with a match whose conditions list nothing', [[[{ ports: [] }]]], 'never'],
    ['of one condition', [[[{ destinationPorts: [80] }]]], 'destination ports 80'],
    ['of one that must not hold', [[[{ notNamespaces: [{ Exact: 'a' }] }]]], 'not namespaces {"Exact":"a"}'],
    ['of several values', [[[{ destinationPorts: [80, 443] }]]], 'destination ports 80|443'],
    [
      'of several conditions',
      [[[{ namespaces: ['a'], destinationPorts: [1] }]]],
      'namespaces a, destination ports 1',
    ],
    ['of several matches', [[[{ ports: [1] }, { ports: [2] }]]], 'ports 1 or ports 2'],
    ['of several clauses', [[[{ ports: [1] }], [{ ports: [2] }]]], 'ports 1 and ports 2'],
    ['that are several', [[[{ ports: [1] }]], [[{ ports: [2] }]]], 'ports 1; ports 2'],
    ['with a condition that lists nothing', [[[{ ports: [], namespaces: ['a'] }]]], 'namespaces a'],
    ['of another shape', { a: 1 }, '{"a":1}'],
    ['with escape sequences', [[[{ namespaces: ['\u001b[31m'] }]]], 'namespaces \\x1b[31m'],
  ])('%s', async (_, rules, shown) => {
    expect(await rulesOf(rules)).toBe(shown);
  });

  test('without an end are cut', async () => {
    const text = await rulesOf([[[{ namespaces: ['x'.repeat(1000)] }]]]);
    expect(text).toHaveLength(400);
    expect(text?.endsWith('…')).toBe(true);
  });
});

test('of a policy that ztunnel got without rules hold never: an ALLOW then refuses everything', async () => {
  const dumps = ['node-a', 'node-b'].map((node) =>
    path.join(MESH, '3-root-namespace-and-http-rule', `${node}.config_dump.json`),
  );
  const { stdout, code } = await run(`policies -o wide -f ${dumps[0]} -f ${dumps[1]}`);
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5).join(' | '))).toEqual([
    'NAMESPACE | POLICY | ACTION | SCOPE | RULES',
    'data | http | Allow | Namespace | never',
    'istio-system | root | Deny | Global | not destination ports 9090 and source ips 10.77.0.3/32',
    '',
  ]);
});
