// How policies read in the words of their authors, and what is said of those that can't work.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/base/json.ts';
import type { Workload } from '../../../src/model/dump.ts';
import { findPolicyFacts, formatPolicyFact } from '../../../src/model/policies/facts.ts';
import { readPolicy } from '../../../src/model/policies/rules.ts';
import { formatOrigin, formatRules, originOf } from '../../../src/model/policies/words.ts';
import { readDump } from '../../decode/readdump.ts';
import { policy, workload } from '../values.ts';

const WEB = { Exact: 'cluster.local/ns/shop/sa/web' };

describe('rules', () => {
  test.each<[Json, string]>([
    [[], 'never'],
    [[[]], 'any connection'],
    [[[[]]], 'any connection'],
    [[[[{}]]], 'never'],
    [
      [[[{ principals: [WEB] }], [{ destinationPorts: [8080] }]]],
      'from principals cluster.local/ns/shop/sa/web to ports 8080',
    ],
    [
      [[[{ destinationPorts: [8080] }], [{ principals: [WEB] }]]],
      'from principals cluster.local/ns/shop/sa/web to ports 8080',
    ],
    [[[[{ principals: [{ Suffix: '/sa/db' }, { Prefix: 'a/' }] }]]], 'from principals */sa/db, a/*'],
    [[[[{ principals: [{ Presence: [] }] }]]], 'from any identity'],
    [[[[{ notPrincipals: [{ Presence: [] }] }]]], 'from no identity'],
    [[[[{ namespaces: [{ Presence: [] }] }]]], 'from any namespace'],
    [[[[{ notNamespaces: [{ Exact: 'ops' }] }]]], 'from namespaces other than ops'],
    [
      [[[{ serviceAccounts: [{ namespace: 'shop', serviceAccount: 'web' }] }]]],
      'from service accounts shop/web',
    ],
    [
      [[[{ sourceIps: ['10.0.0.0/8'] }], [{ destinationIps: ['10.1.0.0/16'] }]]],
      'from addresses 10.0.0.0/8 to addresses 10.1.0.0/16',
    ],
    [
      [[[{ destinationPorts: [80, 443] }, { notDestinationPorts: [1] }]]],
      'to ports 80, 443 or ports other than 1',
    ],
    [
      [[[{ principals: [WEB] }, { namespaces: [{ Exact: 'ops' }] }], [{ sourceIps: ['10.0.0.1/32'] }]]],
      'from (principals cluster.local/ns/shop/sa/web or namespaces ops) and addresses 10.0.0.1/32',
    ],
    [
      [[[{ namespaces: [{ Exact: 'a' }], notSourceIps: ['10.0.0.1/32'] }]]],
      'from namespaces a and addresses other than 10.0.0.1/32',
    ],
    [[[[{ notPrincipals: [{ Presence: [] }], destinationPorts: [9090] }]]], 'from no identity to ports 9090'],
    [
      [[[{ destinationPorts: [80] }]], [[{ namespaces: [{ Exact: 'a' }] }]]],
      'to ports 80; from namespaces a',
    ],
    [[[[{ hosts: ['a'] }]]], 'if hosts'],
    [[[[{}, { destinationPorts: [80] }]]], 'to ports 80'],
    ['x', 'rules that can not be read'],
  ])('%j', (rules, expected) => {
    expect(formatRules(readPolicy(policy({ rules })))).toBe(expected);
  });
});

describe('what a policy was made of', () => {
  test.each([
    ['shop', 'p', 'shop/p'],
    ['istio-system', 'istio_converted_static_strict', 'PeerAuthentication STRICT'],
    ['data', 'converted_peer_authentication_db', 'PeerAuthentication data/db'],
    ['shop', 'istio_allow_waypoint_shop_waypoint', 'policy that lets in waypoint shop/waypoint'],
  ])('%s/%s', (namespace, name, expected) => {
    expect(formatOrigin(originOf({ namespace, name }))).toBe(expected);
  });
});

describe('facts', () => {
  const mesh = [
    workload({ namespace: 'shop', name: 'web', serviceAccount: 'web' }),
    workload({ namespace: 'data', name: 'db', serviceAccount: 'db', authorizationPolicies: ['data/named'] }),
    workload({ namespace: 'old', name: 'legacy', serviceAccount: 'legacy', protocol: 'TCP' }),
  ];
  const facts = (values: Parameters<typeof policy>[0], workloads: readonly Workload[] = mesh) =>
    findPolicyFacts({ policies: [policy({ namespace: 'data', ...values })], workloads }).map(
      formatPolicyFact,
    );
  const deny = (match: Json) => facts({ action: 'Deny', rules: [[[match]]] });
  const principal = (value: Json) => deny({ principals: [value] });

  test.each([
    [{ Exact: 'cluster.local/ns/shop/sa/web' }, undefined],
    [{ Presence: [] }, undefined],
    [{ Suffix: '/sa/web' }, undefined],
    [{ Prefix: 'cluster.local/ns/shop/' }, undefined],
    [{ Prefix: 'cluster' }, undefined],
    [
      { Exact: 'spiffe://cluster.local/ns/shop/sa/web' },
      'principals spiffe://cluster.local/ns/shop/sa/web can never match: principals are compared without spiffe://',
    ],
    [
      { Prefix: 'spiffe://' },
      'principals spiffe://* can never match: principals are compared without spiffe://',
    ],
    [
      { Exact: 'old.local/ns/shop/sa/web' },
      'principals old.local/ns/shop/sa/web can never match: no workload is in its trust domain',
    ],
    [
      { Prefix: 'old.local/ns/' },
      'principals old.local/ns/* can never match: no workload is in its trust domain',
    ],
    [
      { Exact: 'cluster.local/ns/shop/sa/wbe' },
      'principals cluster.local/ns/shop/sa/wbe can never match: no workload runs as it',
    ],
    [{ Suffix: '/sa/wbe' }, 'principals */sa/wbe can never match: no workload has such an identity'],
  ])('a principal %j', (value, expected) => {
    expect(principal(value)).toEqual(expected === undefined ? [] : [`data/p: ${expected}`]);
  });

  test.each([
    [
      'an account',
      { serviceAccounts: [{ namespace: 'shop', serviceAccount: 'wbe' }] },
      'serviceAccounts shop/wbe can never match: no workload runs as it',
    ],
    [
      'a namespace',
      { namespaces: [{ Exact: 'shp' }] },
      'namespaces shp can never match: no workload is in it',
    ],
    [
      'a value of a not-list',
      { notNamespaces: [{ Exact: 'shp' }] },
      'notNamespaces shp excludes nobody: no workload is in it',
    ],
  ])('%s that nothing fits', (_, match, expected) => {
    expect(deny(match)).toEqual([`data/p: ${expected}`]);
  });

  test.each([
    ['of a namespace without workloads', { namespace: 'empty' }, ['empty/p selects no workload']],
    ['named by none', { scope: 'WorkloadSelector' }, ['data/p selects no workload']],
    [
      'of a namespace that ztunnel does not capture',
      { namespace: 'old' },
      ['old/p selects 1 workload, but ztunnel captures none of them'],
    ],
    ['named by one', { scope: 'WorkloadSelector', name: 'named' }, []],
    ['everywhere', { scope: 'Global', namespace: 'istio-system' }, []],
    [
      'that stands for strict PeerAuthentications',
      { scope: 'WorkloadSelector', name: 'istio_converted_static_strict' },
      [],
    ],
  ])('a policy %s', (_, values, expected) => {
    expect(facts({ action: 'Deny', rules: [[]], ...values })).toEqual(expected);
  });

  const refuses = (why: string) =>
    `data/p is an ALLOW that allows nothing (${why}): it refuses every connection to 1 workload`;
  test.each<[string, Parameters<typeof policy>[0], readonly string[]]>([
    ['without rules', { rules: [] }, [refuses('it has no rules')]],
    ['with an empty match', { rules: [[[{}]]] }, [refuses('its rules have matches without conditions')]],
    [
      'for a principal that nothing has',
      { rules: [[[{ principals: [{ Exact: 'a/ns/b/sa/c' }] }], [{ destinationPorts: [1] }]]] },
      [
        'data/p: principals a/ns/b/sa/c can never match: no workload is in its trust domain',
        refuses('nothing fits the values that its rules ask for'),
      ],
    ],
    ['with one rule that can match', { rules: [[[{}]], [[{ destinationPorts: [1] }]]] }, []],
    ['of a dry run', { rules: [], dryRun: true }, []],
    ['that is a DENY', { rules: [], action: 'Deny' }, []],
    ['that can not be read', { rules: 'x' }, []],
  ])('an ALLOW %s', (_, values, expected) => {
    expect(facts(values)).toEqual(expected);
  });

  test('of a real mesh: an ALLOW whose HTTP rule istiod dropped', () => {
    const file = new URL(
      '../../testdata/mesh/policies/3-root-namespace-and-http-rule/node-b.config_dump.json',
      import.meta.url,
    );
    const dump = readDump(readFileSync(file));
    expect(findPolicyFacts(dump).map(formatPolicyFact)).toEqual([
      'data/http is an ALLOW that allows nothing (it has no rules): it refuses every connection to 1 workload',
    ]);
  });
});
