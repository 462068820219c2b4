// Policies are evaluated as ztunnel does it: each sentence of its rules as an example, and at random against a second evaluation.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../src/base/json.ts';
import { parseIdentity } from '../../../src/model/certificates/identity.ts';
import type { Policy } from '../../../src/model/dump.ts';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import { createPolicyIndex, decide, decideEnforcing } from '../../../src/model/policies/evaluate.ts';
import { explainPolicies } from '../../../src/model/policies/explain.ts';
import { callerOf, type PolicyConnection } from '../../../src/model/policies/rules.ts';
import { policy } from '../values.ts';
import { connections, policies, workloads } from './arbitraries.ts';
import { letsIn, type PlainConnection, type PlainWorkload } from './reference.ts';

const WEB = 'spiffe://cluster.local/ns/shop/sa/web';
const FROM_WEB: PlainConnection = {
  identity: WEB,
  source: '10.77.0.2',
  destination: '10.77.0.4',
  port: 8080,
};
const PLAIN: PlainConnection = { ...FROM_WEB, identity: undefined };
const DB: PlainWorkload = { namespace: 'data', policies: [] };

function read({ identity, source, destination, port }: PlainConnection): PolicyConnection {
  const parsed = identity === undefined ? undefined : parseIdentity(identity);
  return {
    caller: parsed && callerOf(parsed),
    source: parseAddress(source),
    destination: parseAddress(destination),
    port,
  };
}

function applying(held: readonly Policy[], { namespace, policies: authorizationPolicies }: PlainWorkload) {
  return createPolicyIndex(held).applyingTo({ namespace, authorizationPolicies });
}

function isLetIn(held: readonly Policy[], workload: PlainWorkload, connection: PlainConnection) {
  return decide(applying(held, workload), read(connection)).allowed;
}

const inData = (values: Partial<Policy>) => policy({ namespace: 'data', ...values });
/** Whether an ALLOW with this one match allows it; what must not match is tried as a DENY, too. */
function holds(match: Json, connection: PlainConnection = FROM_WEB): boolean | undefined {
  const allow = isLetIn([inData({ rules: [[[match]]] })], DB, connection);
  const deny = isLetIn([inData({ action: 'Deny', rules: [[[match]]] })], DB, connection);
  expect(deny).toBe(allow === undefined ? undefined : !allow);
  return allow;
}

describe('which policies apply to a workload', () => {
  const deny = { action: 'Deny', rules: [[]] } as const;
  test.each([
    [
      'Global, whatever namespace it names',
      policy({ ...deny, scope: 'Global', namespace: 'istio-system' }),
      DB,
      false,
    ],
    ['Global, of no namespace', policy({ ...deny, scope: 'Global', namespace: '' }), DB, false],
    ['Namespace, of its namespace', inData(deny), DB, false],
    ['Namespace, of another', policy({ ...deny, namespace: 'shop' }), DB, true],
    ['WorkloadSelector, not named by it', inData({ ...deny, scope: 'WorkloadSelector' }), DB, true],
    [
      'WorkloadSelector, named by it',
      inData({ ...deny, scope: 'WorkloadSelector' }),
      { ...DB, policies: ['data/p'] },
      false,
    ],
    [
      'WorkloadSelector of another namespace, named by it',
      policy({ ...deny, scope: 'WorkloadSelector', namespace: 'istio-system' }),
      { ...DB, policies: ['istio-system/p'] },
      false,
    ],
  ])('%s', (_, held, workload, allowed) => {
    expect(isLetIn([held], workload, FROM_WEB)).toBe(allowed);
  });

  test('one that the workload names and the ztunnel lacks is skipped, and said', () => {
    const { enforced, absent } = applying([], { ...DB, policies: ['data/gone', 'data/gone'] });
    expect({ enforced, absent }).toEqual({ enforced: [], absent: ['data/gone'] });
    expect(isLetIn([], { ...DB, policies: ['data/gone'] }, FROM_WEB)).toBe(true);
  });

  test('one that applies twice counts once', () => {
    expect(applying([inData({})], { ...DB, policies: ['data/p'] }).enforced).toHaveLength(1);
  });
});

describe('what decides', () => {
  const yes = [[]];
  const no: Json = [];
  test.each([
    ['nothing applies', [], true, 'nothingAgainst'],
    ['a DENY that matches', [inData({ action: 'Deny', rules: yes })], false, 'denied'],
    ['a DENY that does not', [inData({ action: 'Deny', rules: no })], true, 'nothingAgainst'],
    ['an ALLOW that matches', [inData({ rules: yes })], true, 'allowed'],
    ['an ALLOW that does not', [inData({ rules: no })], false, 'nothingAllows'],
    ['one ALLOW of two', [inData({ rules: no }), inData({ name: 'q', rules: yes })], true, 'allowed'],
    [
      'a DENY before an ALLOW',
      [inData({ rules: yes }), inData({ name: 'q', action: 'Deny', rules: yes })],
      false,
      'denied',
    ],
    ['a DENY of a dry run', [inData({ action: 'Deny', rules: yes, dryRun: true })], true, 'nothingAgainst'],
    [
      'an ALLOW of a dry run that does not match',
      [inData({ rules: no, dryRun: true })],
      true,
      'nothingAgainst',
    ],
    [
      'an action that is not known and does not match',
      [inData({ action: 'Audit', rules: no })],
      true,
      'nothingAgainst',
    ],
    [
      'an action that is not known and matches',
      [inData({ action: 'Audit', rules: yes })],
      undefined,
      'unknown',
    ],
  ])('%s', (_, held, allowed, reason) => {
    expect(decide(applying(held, DB), read(FROM_WEB))).toMatchObject({ allowed, reason });
  });

  test.each([
    ['a DENY that matches', { action: 'Deny', rules: yes }, false],
    ['an ALLOW that does not match', { rules: no }, false],
    ['an ALLOW that matches', { rules: yes }, true],
  ])('what %s of a dry run would do', (_, values, allowed) => {
    expect(decideEnforcing(applying([inData({ ...values, dryRun: true })], DB), read(FROM_WEB)).allowed).toBe(
      allowed,
    );
  });
});

describe('rules, clauses and matches', () => {
  const web = { principals: [{ Exact: 'cluster.local/ns/shop/sa/web' }] };
  const port = (one: number) => ({ destinationPorts: [one] });
  test.each([
    ['no rules: never', [], false],
    ['any rule will do', [[[port(1)]], [[port(8080)]]], true],
    ['a rule without clauses: always', [[]], true],
    ['all clauses must hold', [[[port(8080)], [port(1)]]], false],
    ['an empty clause holds', [[[], [port(8080)]]], true],
    ['any match of a clause will do', [[[port(1), port(8080)]]], true],
    ['an empty match never holds', [[[{}]]], false],
    ['an empty match beside one that holds', [[[{}, port(8080)]]], true],
    ['a match of empty lists is empty', [[[{ destinationPorts: [], notPrincipals: [] }]]], false],
    ['all kinds of a match must hold', [[[{ ...web, ...port(1) }]]], false],
    ['all kinds of a match hold', [[[{ ...web, ...port(8080) }]]], true],
    ['any of a list', [[[{ destinationPorts: [1, 8080] }]]], true],
    ['none of a not-list', [[[{ notDestinationPorts: [1, 8080] }]]], false],
    ['both lists of one kind', [[[{ destinationPorts: [8080], notDestinationPorts: [1] }]]], true],
    [
      'both lists of one kind, the second in the way',
      [[[{ destinationPorts: [8080], notDestinationPorts: [8080] }]]],
      false,
    ],
  ])('%s', (_, rules, allowed) => {
    expect(isLetIn([inData({ rules })], DB, FROM_WEB)).toBe(allowed);
  });
});

describe('what each kind is compared with', () => {
  const name = 'cluster.local/ns/shop/sa/web';
  test.each([
    ['namespaces: that of the source identity', { namespaces: [{ Exact: 'shop' }] }, true, false],
    ['namespaces: not part of it', { namespaces: [{ Exact: 'sho' }] }, false, false],
    ["namespaces: '' without an identity", { namespaces: [{ Exact: '' }] }, false, true],
    ['namespaces: any but none', { namespaces: [{ Presence: [] }] }, true, false],
    ['notNamespaces', { notNamespaces: [{ Exact: 'shop' }] }, false, true],
    ['principals: without spiffe://', { principals: [{ Exact: name }] }, true, false],
    ['principals: written with it, never', { principals: [{ Exact: `spiffe://${name}` }] }, false, false],
    [
      'principals: of another trust domain',
      { principals: [{ Exact: 'old.local/ns/shop/sa/web' }] },
      false,
      false,
    ],
    ['principals: a prefix', { principals: [{ Prefix: 'cluster.local/ns/sh' }] }, true, false],
    ['principals: a suffix', { principals: [{ Suffix: '/sa/web' }] }, true, false],
    ['principals: any', { principals: [{ Presence: [] }] }, true, false],
    [
      'principals: the empty prefix, which still wants an identity',
      { principals: [{ Prefix: '' }] },
      true,
      false,
    ],
    ['notPrincipals: plain text has none', { notPrincipals: [{ Presence: [] }] }, false, true],
    ['notPrincipals: of somebody else', { notPrincipals: [{ Exact: 'x/ns/y/sa/z' }] }, true, true],
    ['serviceAccounts', { serviceAccounts: [{ namespace: 'shop', serviceAccount: 'web' }] }, true, false],
    [
      'serviceAccounts: of another namespace',
      { serviceAccounts: [{ namespace: 'data', serviceAccount: 'web' }] },
      false,
      false,
    ],
    [
      'notServiceAccounts',
      { notServiceAccounts: [{ namespace: 'shop', serviceAccount: 'web' }] },
      false,
      true,
    ],
    ['sourceIps', { sourceIps: ['10.77.0.2/32'] }, true, true],
    ['sourceIps: a range', { sourceIps: ['10.77.0.0/24'] }, true, true],
    ['sourceIps: bits beyond its length count for nothing', { sourceIps: ['10.77.0.200/24'] }, true, true],
    ['sourceIps: everything of its family', { sourceIps: ['0.0.0.0/0'] }, true, true],
    ['sourceIps: nothing of the other family', { sourceIps: ['::/0'] }, false, false],
    ['notSourceIps', { notSourceIps: ['10.77.0.2/32'] }, false, false],
    ['destinationIps: those of the pod', { destinationIps: ['10.77.0.4/32'] }, true, true],
    ['destinationIps: not those of a service', { destinationIps: ['10.78.0.4/32'] }, false, false],
    ['notDestinationIps', { notDestinationIps: ['10.77.0.0/16'] }, false, false],
    ["destinationPorts: the pod's", { destinationPorts: [8080] }, true, true],
    ["destinationPorts: not the service's", { destinationPorts: [80] }, false, false],
    ['notDestinationPorts', { notDestinationPorts: [8080] }, false, false],
  ])('%s', (_, match, withIdentity, plain) => {
    expect([holds(match), holds(match, PLAIN)]).toEqual([withIdentity, plain]);
  });

  test('the trust domain counts for nothing in serviceAccounts', () => {
    const match = { serviceAccounts: [{ namespace: 'shop', serviceAccount: 'web' }] };
    expect(holds(match, { ...FROM_WEB, identity: 'spiffe://old.local/ns/shop/sa/web' })).toBe(true);
  });

  test.each([
    ['fd00::/64', 'fd00::2', true],
    ['fd00::/64', 'fd00:0:0:1::2', false],
    ['::ffff:10.77.0.2/128', '10.77.0.2', false],
    ['10.77.0.0/25', '10.77.0.127', true],
    ['10.77.0.0/25', '10.77.0.128', false],
    ['10.77.0.2', '10.77.0.2', true],
    ['10.77.0.2/32', '::ffff:10.77.0.2', true],
  ])('%s holds %s: %p', (range, source, expected) => {
    expect(holds({ sourceIps: [range] }, { ...FROM_WEB, source })).toBe(expected);
  });
});

describe('what is not known', () => {
  test.each([
    ['a kind that is not known here', { hosts: ['x'] }, undefined],
    ['such a kind beside one that does not hold', { hosts: ['x'], destinationPorts: [1] }, false],
    ['a string match that is not known', { principals: [{ Regex: 'x' }] }, undefined],
    ['one beside a value that fits', { namespaces: [{ Regex: 'x' }, { Exact: 'shop' }] }, true],
    [
      'one in a not-list beside a value that fits',
      { notNamespaces: [{ Regex: 'x' }, { Exact: 'shop' }] },
      false,
    ],
    ['a range that is none', { sourceIps: ['10.77.0.0/33'] }, undefined],
    ['a port that is none', { destinationPorts: ['8080'] }, undefined],
    ['a list that is none', { destinationPorts: 8080 }, undefined],
  ])('%s', (_, match, expected) => {
    expect(holds(match)).toBe(expected);
  });

  test.each([
    ['text', 'x'],
    ['a rule that is none', [{}]],
    ['a clause that is none', [[{}]]],
    ['a match that is none', [[['x']]]],
  ])('rules that are %s', (_, rules) => {
    expect(isLetIn([inData({ rules })], DB, FROM_WEB)).toBe(undefined);
  });

  test('an address that is not known matters only to what asks for it', () => {
    const connection = { ...read(FROM_WEB), source: undefined };
    const held = (match: Json) => decide(applying([inData({ rules: [[[match]]] })], DB), connection).allowed;
    expect(held({ sourceIps: ['10.0.0.0/8'] })).toBe(undefined);
    expect(held({ destinationPorts: [8080] })).toBe(true);
  });

  test('does not hide what is certain', () => {
    const doubt = inData({ name: 'q', action: 'Deny', rules: [[[{ hosts: ['x'] }]]] });
    expect(isLetIn([doubt, inData({ action: 'Deny', rules: [[]] })], DB, FROM_WEB)).toBe(false);
    expect(isLetIn([doubt, inData({ rules: [] })], DB, FROM_WEB)).toBe(false);
    expect(isLetIn([doubt, inData({ rules: [[]] })], DB, FROM_WEB)).toBe(undefined);
  });
});

// 4,000 times up to 4 policies and 25 connections: 100,000 questions.
const RUNS = 4_000;
const CONNECTIONS = 25;

test('at random, decides as the reference does, and explains what it decided', () => {
  const counts = { true: 0, false: 0 };
  const many = fc.array(connections, { minLength: CONNECTIONS, maxLength: CONNECTIONS });
  fc.assert(
    fc.property(policies, workloads, many, (held, workload, asked) => {
      const index = createPolicyIndex(held);
      const found = index.applyingTo({
        namespace: workload.namespace,
        authorizationPolicies: workload.policies,
      });
      for (const connection of asked) {
        const expected = letsIn(held, workload, connection);
        const { decision, decisive } = explainPolicies(found, read(connection));
        // Asking expect each time would take most of the time.
        if (decision.allowed !== expected || decisive?.matches === false) return false;
        counts[`${expected}`] += 1;
      }
      return true;
    }),
    { numRuns: RUNS, seed: 20 },
  );
  expect(counts.true + counts.false).toBe(RUNS * CONNECTIONS);
  expect(Math.min(counts.true, counts.false)).toBeGreaterThan(20_000);
});
