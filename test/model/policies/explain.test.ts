// What is said of policies that decide, come near, or would decide if they were enforced.

import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/base/json.ts';
import type { Policy } from '../../../src/model/dump.ts';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import { createPolicyIndex } from '../../../src/model/policies/evaluate.ts';
import {
  explainPolicies,
  explainPolicy,
  formatDryRun,
  formatExplanation,
  formatPolicies,
} from '../../../src/model/policies/explain.ts';
import { callerOf, type PolicyConnection, readPolicy } from '../../../src/model/policies/rules.ts';
import { policy } from '../values.ts';

const WEB = { trustDomain: 'cluster.local', namespace: 'shop', serviceAccount: 'web' };
const FROM_WEB: PolicyConnection = {
  caller: callerOf(WEB),
  source: parseAddress('10.77.0.2'),
  destination: parseAddress('10.77.0.4'),
  port: 8080,
};
const PLAIN = { ...FROM_WEB, caller: undefined };
const ADMIN = { principals: [{ Exact: 'cluster.local/ns/ops/sa/admin' }] };
const ports = (...destinationPorts: number[]) => ({ destinationPorts });

function explain(held: readonly Policy[], connection = FROM_WEB) {
  const applying = createPolicyIndex(held).applyingTo({ namespace: 'shop', authorizationPolicies: [] });
  return explainPolicies(applying, connection);
}

function said(rules: Json, connection: PolicyConnection = FROM_WEB): string {
  return formatExplanation(explainPolicy(readPolicy(policy({ rules })), connection));
}

describe('of one policy', () => {
  test.each([
    ['that matches by one value of several', [[[ports(1, 8080)]]], 'matches: destinationPorts 8080'],
    ['that matches by its second rule', [[[ports(1)]], [[ports(8080)]]], 'matches: destinationPorts 8080'],
    [
      'that matches by several clauses',
      [[[{ namespaces: [{ Prefix: 'sh' }] }], [{ notDestinationPorts: [1, 2] }]]],
      'matches: namespaces sh*, notDestinationPorts 1, 2',
    ],
    ['that matches everything', [[]], 'matches every connection'],
    ['without rules', [], 'has no rules, so that it never matches'],
    ['with an empty match', [[[{}]]], 'has a match without conditions, which never holds'],
    ['that wants somebody else', [[[ADMIN]]], 'wants principals cluster.local/ns/ops/sa/admin'],
    [
      'of which all but one clause holds',
      [[[{ principals: [{ Suffix: '/sa/web' }] }], [ports(9090)]]],
      'all but destinationPorts 9090: you asked for 8080',
    ],
    [
      'of which all but one condition holds',
      [[[{ ...ADMIN, ...ports(8080) }]]],
      'all but principals cluster.local/ns/ops/sa/admin: you are cluster.local/ns/shop/sa/web',
    ],
    [
      'of which the second rule comes nearer',
      [[[ADMIN], [ports(1)]], [[{ ...ports(8080), sourceIps: ['10.0.0.0/16'] }]]],
      'all but sourceIps 10.0.0.0/16: you are at 10.77.0.2',
    ],
    [
      'of which the second match of a clause comes nearer',
      [[[ADMIN, { ...ports(8080), namespaces: [{ Exact: 'ops' }] }]]],
      'all but namespaces ops: you are in shop',
    ],
    [
      'of many values',
      [[[{ destinationPorts: [1, 2, 3, 4, 5] }]]],
      'wants destinationPorts 1, 2, 3 and 2 more',
    ],
    ['with what is not known', [[[{ hosts: ['a'] }]]], 'compares what is not known here'],
    [
      'with a value that is not known',
      [[[{ namespaces: [{ Regex: 'a' }] }]]],
      'is unknown: namespaces {"Regex":"a"}',
    ],
    ['that can not be read', 'x', 'has rules that can not be read'],
  ])('%s', (_, rules, expected) => {
    expect(said(rules)).toBe(expected);
  });

  test.each([
    [
      'principals',
      { ...ADMIN, ...ports(8080) },
      'all but principals cluster.local/ns/ops/sa/admin: you have no identity',
    ],
    [
      'namespaces',
      { namespaces: [{ Presence: [] }], ...ports(8080) },
      'all but namespaces *: you have no identity',
    ],
    ['notPrincipals', { notPrincipals: [{ Presence: [] }] }, 'matches: notPrincipals *'],
  ])('with %s, to plain text', (_, match, expected) => {
    expect(said([[[match]]], PLAIN)).toBe(expected);
  });

  test('names rule, clause, match and values', () => {
    const rules = [
      [[ADMIN]],
      [[{ namespaces: [{ Exact: 'shop' }] }], [{ ...ADMIN, ...ports(1) }, ports(9090, 1)]],
    ];
    expect(explainPolicy(readPolicy(policy({ rules })), FROM_WEB)).toEqual({
      policy: 'shop/p',
      action: 'Allow',
      matches: false,
      rule: 1,
      conditions: [
        {
          clause: 0,
          match: 0,
          kind: 'namespaces',
          not: false,
          values: ['shop'],
          value: 'shop',
          asked: 'shop',
          holds: true,
        },
        {
          clause: 1,
          match: 1,
          kind: 'destinationPorts',
          not: false,
          values: ['9090', '1'],
          value: null,
          asked: '8080',
          holds: false,
        },
      ],
      never: false,
    });
  });
});

describe('of all that apply', () => {
  const allow = (name: string, ...rules: Json[]) => policy({ name, rules });
  const deny = (name: string, ...rules: Json[]) => policy({ name, rules, action: 'Deny' });
  test.each([
    ['nothing', [], 'no ALLOW policy applies, and no DENY matches'],
    ['a DENY', [deny('no-8080', [[ports(8080)]])], 'DENY shop/no-8080 matches: destinationPorts 8080'],
    [
      'an ALLOW',
      [allow('web', [[{ namespaces: [{ Exact: 'shop' }] }]])],
      'ALLOW shop/web matches: namespaces shop',
    ],
    [
      'one ALLOW that does not match',
      [allow('ops', [[ADMIN]])],
      'no ALLOW policy of 1 matches: shop/ops wants principals cluster.local/ns/ops/sa/admin',
    ],
    [
      'several, of which one comes nearest',
      [allow('none'), allow('ops', [[ADMIN], [ports(8080)]]), allow('far', [[ADMIN], [ports(1)]])],
      'no ALLOW policy of 3 matches; the nearest, shop/ops, all but principals cluster.local/ns/ops/sa/admin: you are cluster.local/ns/shop/sa/web',
    ],
    [
      'an ALLOW without rules',
      [allow('http')],
      'no ALLOW policy of 1 matches: shop/http has no rules, so that it never matches',
    ],
    [
      'one that can not be read',
      [policy({ action: 'Deny', rules: 'x' })],
      'DENY shop/p has rules that can not be read',
    ],
  ])('%s', (_, held, expected) => {
    expect(formatPolicies(explain(held))).toBe(expected);
  });

  test.each([
    ['a DENY that matches', [{ action: 'Deny', rules: [[]] }], 'shop/dry (dry run) would refuse it'],
    ['a DENY that does not', [{ action: 'Deny', rules: [] }], undefined],
    ['an ALLOW that does not match', [{ rules: [] }], 'shop/dry (dry run) would refuse it'],
    [
      'one beside which others refuse anyway',
      [
        { action: 'Deny', rules: [[]] },
        { name: 'q', rules: [], dryRun: false },
      ],
      undefined,
    ],
    [
      'an ALLOW beside one that refuses',
      [{ rules: [[]] }, { name: 'q', rules: [], dryRun: false }],
      'shop/dry (dry run) would allow it',
    ],
    ['one that can not be read', [{ rules: 'x' }], 'whether shop/dry (dry run) would refuse it is unknown'],
  ])('what %s would do', (_, held, expected) => {
    const all = held.map((values) => policy({ name: 'dry', dryRun: true, ...(values as Partial<Policy>) }));
    expect(formatDryRun(explain(all))).toBe(expected);
  });

  test('those that the workload names and the ztunnel lacks are given', () => {
    const applying = createPolicyIndex([]).applyingTo({
      namespace: 'shop',
      authorizationPolicies: ['shop/gone'],
    });
    expect(explainPolicies(applying, FROM_WEB).absent).toEqual(['shop/gone']);
  });
});
