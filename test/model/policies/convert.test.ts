// Policies become for ztunnel what istiod makes of them, and what it leaves out is said.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { listNamedPolicies } from '../../../src/model/policies/attach.ts';
import { type Conversion, convertAuthorizationPolicy } from '../../../src/model/policies/convert.ts';
import { convertPeerAuthentications } from '../../../src/model/policies/convertpeer.ts';
import { readPolicyObject } from '../../../src/model/policies/istioobjects.ts';
import { readDump } from '../../decode/readdump.ts';
import { OPTIONS, object, readAuthorization } from './objects.ts';

const authorization = (spec: Json, metadata?: JsonObject) =>
  readAuthorization(object('AuthorizationPolicy', spec, metadata));
const convert = (spec: Json, metadata?: JsonObject, options = OPTIONS): Conversion =>
  convertAuthorizationPolicy(authorization(spec, metadata), options);
const rulesOf = (...rules: Json[]) => convert({ rules }).converted[0]?.policy.rules;
const notesOf = (spec: Json, metadata?: JsonObject) =>
  convert(spec, metadata).notes.map(({ rule, effect, text }) => `${rule ?? 'all'} ${effect}: ${text}`);

/** Of a real mesh: what was applied, and what its dumps held then. */
const SCENARIOS = [
  ...listScenarios('mesh/policies/', 'applied.yaml'),
  ...listScenarios('enforced/', 'applied.json'),
];

function listScenarios(path: string, applied: string) {
  const folder = new URL(`../../testdata/${path}`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => readdirSync(new URL(name, folder)).includes(applied))
    .map((name) => ({ name, applied, url: new URL(`${name}/`, folder) }));
}

describe('the scenarios of a real mesh', () => {
  test.each(SCENARIOS)('$name', ({ applied, url }) => {
    const documents = (loadAll(readFileSync(new URL(applied, url), 'utf8')) as Json[]).flat() as Json[];
    const objects = documents.map((document) => readPolicyObject(document, 'default')?.object);
    const peers = objects.filter((each) => each?.kind === 'PeerAuthentication');
    const converted = [
      ...objects
        .filter((each) => each?.kind === 'AuthorizationPolicy')
        .flatMap((each) => convertAuthorizationPolicy(each, OPTIONS).converted),
      ...convertPeerAuthentications(peers, 'istio-system').converted,
    ];
    const keyOf = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;
    const byKey = <T extends { namespace: string; name: string }>(all: readonly T[]) =>
      all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const pods = JSON.parse(readFileSync(new URL('pods.json', url), 'utf8')).items;
    for (const node of ['node-a', 'node-b']) {
      const dump = readDump(readFileSync(new URL(`${node}.config_dump.json`, url)));
      expect(byKey(converted.map(({ policy }) => policy))).toEqual(byKey(dump.policies));
      const selection = { converted, peerAuthentications: peers, rootNamespace: 'istio-system' };
      for (const { metadata } of pods) {
        const { namespace, labels = {} } = metadata;
        const workload = dump.workloads.find((each) => keyOf(each) === keyOf(metadata));
        expect(listNamedPolicies(selection, { namespace, labels })).toEqual(workload?.authorizationPolicies);
      }
    }
  });
});

describe('scope, action and selector', () => {
  test.each<[string, Json, JsonObject, object]>([
    ['a namespace', {}, {}, { action: 'Allow', scope: 'Namespace', dryRun: false }],
    [
      'the root namespace',
      { action: 'DENY' },
      { namespace: 'istio-system' },
      { action: 'Deny', scope: 'Global' },
    ],
    ['a selector', { selector: { matchLabels: { app: 'web' } } }, {}, { scope: 'WorkloadSelector' }],
    [
      'a selector in the root namespace',
      { selector: { matchLabels: { app: 'web' } } },
      { namespace: 'istio-system' },
      { scope: 'WorkloadSelector' },
    ],
    ['a selector without labels', { selector: {} }, {}, { scope: 'WorkloadSelector' }],
  ])('%s', (_, spec, metadata, expected) => {
    expect(convert(spec, metadata).converted[0]?.policy).toMatchObject(expected);
  });

  test.each<[string, Json, JsonObject, string]>([
    [
      'targetRefs',
      { targetRefs: [{ kind: 'Gateway', name: 'w' }] },
      {},
      'targetRefs: the waypoint that they name enforces it, ztunnel does not get it',
    ],
    [
      'a targetRef',
      { targetRef: { kind: 'Gateway', name: 'w' } },
      {},
      'targetRefs: the waypoint that they name enforces it, ztunnel does not get it',
    ],
    ['AUDIT', { action: 'AUDIT' }, {}, 'action AUDIT: ztunnel has no such action and does not get it'],
    ['CUSTOM', { action: 'CUSTOM' }, {}, 'action CUSTOM: ztunnel has no such action and does not get it'],
    [
      'a dry run',
      {},
      { annotations: { 'istio.io/dry-run': 'true' } },
      'annotation istio.io/dry-run: istiod passes such policies on to ztunnel only with AMBIENT_ENABLE_DRY_RUN_AUTHORIZATION_POLICY',
    ],
  ])('%s is not passed on', (_, spec, metadata, text) => {
    const { converted, notes } = convert(spec, metadata);
    expect(converted).toEqual([]);
    expect(notes).toEqual([
      {
        source: { kind: 'AuthorizationPolicy', namespace: 'shop', name: 'p' },
        rule: null,
        effect: 'notPassedOn',
        text,
      },
    ]);
  });

  test('a dry run is passed on where istiod is told to', () => {
    const annotated = { annotations: { 'istio.io/dry-run': 'true' } };
    const { converted } = convert({}, annotated, { ...OPTIONS, passesDryRun: true });
    expect(converted[0]?.policy.dryRun).toBe(true);
    expect(convert({}, { annotations: { 'istio.io/dry-run': 'no' } }).converted[0]?.policy.dryRun).toBe(
      false,
    );
  });
});

describe('rules', () => {
  const source = (lists: Json) => ({ from: [{ source: lists }] });
  const operation = (lists: Json) => ({ to: [{ operation: lists }] });
  test.each<[string, Json, Json]>([
    ['an empty one', {}, []],
    [
      'all of to before all of from, and each when',
      {
        from: [{ source: { namespaces: ['a'] } }, { source: { principals: ['b'] } }],
        to: [{ operation: { ports: ['1'] } }, { operation: { notPorts: ['2'] } }],
        when: [{ key: 'source.ip', values: ['10.0.0.0/8'], notValues: ['10.1.0.1'] }],
      },
      [
        [{ destinationPorts: [1] }, { notDestinationPorts: [2] }],
        [{ namespaces: [{ Exact: 'a' }] }, { principals: [{ Exact: 'b' }] }],
        [{ sourceIps: ['10.0.0.0/8'], notSourceIps: ['10.1.0.1/32'] }],
      ],
    ],
    [
      'texts',
      source({ principals: ['*', '*/sa/x', 'a/*', 'a', '*x*'] }),
      [
        [
          {
            principals: [
              { Presence: [] },
              { Suffix: '/sa/x' },
              { Prefix: 'a/' },
              { Exact: 'a' },
              { Suffix: 'x*' },
            ],
          },
        ],
      ],
    ],
    [
      'accounts',
      source({ serviceAccounts: ['web', 'ops/admin'], notServiceAccounts: ['db'] }),
      [
        [
          {
            serviceAccounts: [
              { namespace: 'shop', serviceAccount: 'web' },
              { namespace: 'ops', serviceAccount: 'admin' },
            ],
            notServiceAccounts: [{ namespace: 'shop', serviceAccount: 'db' }],
          },
        ],
      ],
    ],
    [
      'addresses',
      source({
        ipBlocks: ['10.0.0.1', '10.0.0.9/8', 'fd00:0::1', '::ffff:10.0.0.1'],
        notIpBlocks: ['fd00::/8'],
      }),
      [
        [
          {
            sourceIps: ['10.0.0.1/32', '10.0.0.9/8', 'fd00::1/128', '::ffff:10.0.0.1/128'],
            notSourceIps: ['fd00::/8'],
          },
        ],
      ],
    ],
    [
      'the other keys of when',
      {
        when: [
          { key: 'source.namespace', values: ['a'] },
          { key: 'source.principal', notValues: ['*'] },
          { key: 'destination.port', values: ['80'] },
          { key: 'destination.ip', values: ['10.0.0.1'] },
        ],
      },
      [
        [{ namespaces: [{ Exact: 'a' }] }],
        [{ notPrincipals: [{ Presence: [] }] }],
        [{ destinationPorts: [80] }],
        [{ destinationIps: ['10.0.0.1/32'] }],
      ],
    ],
    [
      'ports that are none fall out',
      operation({ ports: ['80', 'http', '70000', '-1', ''] }),
      [[{ destinationPorts: [80] }]],
    ],
    [
      'a list of which all fall out is no condition',
      operation({ ports: ['http'], notPorts: ['1'] }),
      [[{ notDestinationPorts: [1] }]],
    ],
    ['addresses that are none fall out', source({ ipBlocks: ['x', '10.0.0.0/33', '10.0.0'] }), [[{}]]],
    [
      'trust domains are not heeded',
      source({ trustDomains: ['a'], namespaces: ['b'] }),
      [[{ namespaces: [{ Exact: 'b' }] }]],
    ],
  ])('%s', (_, rule, expected) => {
    expect(rulesOf(rule)).toEqual([expected]);
  });

  test('without any, nothing matches', () => {
    expect(convert({}).converted[0]?.policy.rules).toEqual([]);
  });

  test.each<[string, Json]>([
    ['hosts', operation({ hosts: ['a'] })],
    ['notMethods beside ports', operation({ notMethods: ['GET'], ports: ['80'] })],
    [
      'paths of one of two operations',
      { to: [{ operation: { ports: ['80'] } }, { operation: { paths: ['/'] } }] },
    ],
    ['requestPrincipals', source({ requestPrincipals: ['*'] })],
    ['remoteIpBlocks', source({ remoteIpBlocks: ['10.0.0.0/8'] })],
    ['any other key of when', { when: [{ key: 'request.headers[x]', values: ['y'] }] }],
    ['connection.sni', { when: [{ key: 'connection.sni', values: ['y'] }] }],
  ])('an ALLOW rule with %s is dropped whole', (_, rule) => {
    expect(rulesOf(rule, {})).toEqual([[]]);
  });

  test.each<[string, Json, Json]>([
    ['alone', operation({ methods: ['GET'] }), [[{}]]],
    ['beside ports', operation({ methods: ['GET'], ports: ['80'] }), [[{ destinationPorts: [80] }]]],
    [
      'of one of two operations',
      { to: [{ operation: { ports: ['80'] } }, { operation: { paths: ['/'] } }] },
      [[{ destinationPorts: [80] }, {}]],
    ],
    ['in when', { when: [{ key: 'request.headers[x]', values: ['y'] }] }, [[{}]]],
  ])('of a DENY rule, HTTP %s is left out', (_, rule, expected) => {
    expect(convert({ action: 'DENY', rules: [rule] }).converted[0]?.policy.rules).toEqual([expected]);
  });
});

describe('notes', () => {
  const get = { to: [{ operation: { methods: ['GET'] } }] };
  test.each<[string, Json, readonly string[]]>([
    ['nothing of note', { rules: [{ from: [{ source: { namespaces: ['a'] } }] }] }, []],
    [
      'an ALLOW with HTTP',
      { rules: [get] },
      [
        '0 ruleDropped: methods: GET is HTTP: ztunnel drops this rule; put it on a waypoint (targetRefs)',
        'all refusesEverything: no rule that ztunnel could match is left: this ALLOW refuses every connection to what it selects',
      ],
    ],
    [
      'an ALLOW with HTTP in one of two rules',
      { rules: [{}, get] },
      ['1 ruleDropped: methods: GET is HTTP: ztunnel drops this rule; put it on a waypoint (targetRefs)'],
    ],
    [
      'an ALLOW without rules',
      {},
      [
        'all refusesEverything: it has no rules that could match: this ALLOW refuses every connection to what it selects',
      ],
    ],
    [
      'a DENY with HTTP alone',
      { action: 'DENY', rules: [get] },
      [
        '0 partLeftOut: methods: GET is HTTP and left out: nothing of the rule is left that could match; put it on a waypoint (targetRefs)',
        '0 neverMatches: what is left of the rule never matches',
        'all noEffect: no rule that ztunnel could match is left: this DENY refuses nothing',
      ],
    ],
    [
      'a DENY with HTTP and ports',
      { action: 'DENY', rules: [{ to: [{ operation: { methods: ['GET'], ports: ['80'] } }] }] },
      [
        '0 partLeftOut: methods: GET is HTTP and left out: the rule denies more than it says; put it on a waypoint (targetRefs)',
      ],
    ],
    [
      'what is neither HTTP nor for ztunnel',
      { rules: [{}, { when: [{ key: 'connection.sni', values: ['a'] }] }] },
      [
        '1 ruleDropped: when connection.sni is nothing that ztunnel compares: ztunnel drops this rule; put it on a waypoint (targetRefs)',
      ],
    ],
    [
      'trust domains',
      { rules: [{ from: [{ source: { trustDomains: ['a'], namespaces: ['b'] } }] }] },
      ['0 partLeftOut: trustDomains: a is left out: ztunnel does not compare it'],
    ],
    [
      'a port that is none',
      { rules: [{ to: [{ operation: { ports: ['http', '80'] } }] }] },
      [
        "0 invalid: a port or address that is none: Istio's validation refuses it",
        '0 partLeftOut: ports: http, which is no port number, is left out',
      ],
    ],
    [
      'a selector without labels',
      { selector: {}, rules: [{}] },
      ['all noEffect: selector: without matchLabels it selects no workload'],
    ],
    [
      'a DENY without rules',
      { action: 'DENY' },
      [
        "all invalid: a DENY without rules: Istio's validation refuses it",
        'all noEffect: it has no rules that could match: this DENY refuses nothing',
      ],
    ],
    [
      'an empty source',
      { rules: [{}, { from: [{ source: {} }] }, { from: [{}] }, { from: [] }] },
      [
        "1 invalid: a source without fields: Istio's validation refuses it",
        "2 invalid: a source without fields: Istio's validation refuses it",
        "3 invalid: an empty from: Istio's validation refuses it",
        '1 neverMatches: what is left of the rule never matches',
        '2 neverMatches: what is left of the rule never matches',
      ],
    ],
    [
      'accounts beside namespaces',
      { rules: [{ from: [{ source: { serviceAccounts: ['a'], namespaces: ['b'] } }] }] },
      ["0 invalid: serviceAccounts beside principals or namespaces: Istio's validation refuses it"],
    ],
    [
      'a when without values',
      { rules: [{}, { when: [{ key: 'source.ip' }] }] },
      [
        "1 invalid: a when without values: Istio's validation refuses it",
        '1 neverMatches: what is left of the rule never matches',
      ],
    ],
  ])('%s', (_, spec, expected) => {
    expect(notesOf(spec)).toEqual(expected);
  });
});

describe('objects', () => {
  test.each<[string, Json, readonly string[]]>([
    [
      'a number for a port',
      { rules: [{ to: [{ operation: { ports: [8080] } }] }] },
      ['spec.rules[0].to[0].operation.ports[0] is a number, where text was expected: write "8080"'],
    ],
    [
      'text for a list',
      { rules: [{ from: [{ source: { principals: 'a' } }] }] },
      ['spec.rules[0].from[0].source.principals is text, where a list was expected'],
    ],
    [
      'an action that is none',
      { action: 'allow' },
      ['spec.action is allow, which is none of ALLOW, DENY, AUDIT, CUSTOM'],
    ],
    ['a rule that is a list', { rules: [[]] }, ['spec.rules[0] is a list, where an object was expected']],
  ])('%s is refused', (_, spec, problems) => {
    expect(readPolicyObject(object('AuthorizationPolicy', spec), 'x')).toEqual({
      object: undefined,
      problems,
    });
  });

  test('fields that Istio does not have are named', () => {
    const spec = { rules: [{ from: [{ source: { principal: ['a'] } }], too: [] }], slector: {} };
    expect(readPolicyObject(object('AuthorizationPolicy', spec), 'x')).toMatchObject({
      unknownFields: ['spec.slector', 'spec.rules[0].too', 'spec.rules[0].from[0].source.principal'],
    });
  });

  test('others are not read, and a namespace that is not given is the one asked for', () => {
    expect(readPolicyObject(object('ServiceEntry', {}), 'x')).toBe(undefined);
    expect(readPolicyObject({ kind: 'AuthorizationPolicy', apiVersion: 'rbac.example.com/v1' }, 'x')).toBe(
      undefined,
    );
    expect(readPolicyObject(null, 'x')).toBe(undefined);
    expect(authorization({}, { namespace: '' }).namespace).toBe('default');
    expect(readPolicyObject(object('AuthorizationPolicy', {}, { name: '' }), 'x')).toEqual({
      object: undefined,
      problems: ['metadata.name is missing'],
    });
  });

  test.each<[Json, string]>([
    [
      { mtls: { mode: 'strict' } },
      'spec.mtls.mode is strict, which is none of UNSET, DISABLE, PERMISSIVE, STRICT',
    ],
    [{ portLevelMtls: { http: {} } }, 'spec.portLevelMtls.http is no port between 1 and 65535'],
  ])('PeerAuthentication %j', (spec, problem) => {
    expect(readPolicyObject(object('PeerAuthentication', spec), 'x')).toEqual({
      object: undefined,
      problems: [problem],
    });
  });
});

describe('which workloads name a policy', () => {
  const selection = (values: JsonObject, metadata: JsonObject = {}) => ({
    converted: convert({ ...values, rules: [{}] }, metadata).converted,
    peerAuthentications: [],
    rootNamespace: 'istio-system',
  });
  const app = { selector: { matchLabels: { app: 'web' } } };
  test.each<
    [string, Parameters<typeof selection>, { namespace: string; labels: Record<string, string> }, boolean]
  >([
    ['with its labels', [app], { namespace: 'shop', labels: { app: 'web', tier: 'a' } }, true],
    ['with others', [app], { namespace: 'shop', labels: { app: 'db' } }, false],
    ['of another namespace', [app], { namespace: 'data', labels: { app: 'web' } }, false],
    [
      'of another namespace, by a policy of the root namespace',
      [app, { namespace: 'istio-system' }],
      { namespace: 'data', labels: { app: 'web' } },
      true,
    ],
    ['without any labels', [app], { namespace: 'shop', labels: {} }, true],
    [
      'by a selector without labels',
      [{ selector: {} }],
      { namespace: 'shop', labels: { app: 'web' } },
      false,
    ],
    ['without a selector', [{}], { namespace: 'shop', labels: { app: 'web' } }, false],
  ])('one %s', (_, [values, metadata], workload, named) => {
    const name = `${metadata?.namespace ?? 'shop'}/p`;
    expect(listNamedPolicies(selection(values, metadata), workload)).toEqual(named ? [name] : []);
  });
});
