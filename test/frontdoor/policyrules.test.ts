// How the rules of a policy are told on one line of `policies -o wide`.

import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

async function rulesOf(rules: unknown): Promise<string | undefined> {
  const policies = [{ name: 'p', namespace: 'shop', action: 'Allow', scope: 'Namespace', rules }];
  const dump = JSON.stringify({ policies, config: {}, workloads: [], services: [], certificates: [] });
  const { stdout, code } = await run('policies -o wide --no-headers -f -', { stdin: dump });
  expect(code).toBe(0);
  return stdout.split(/ {2,}/)[4];
}

describe('rules', () => {
  test.each([
    ['none', [], 'any'],
    ['that set no condition', [[[{}]]], 'any'],
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
