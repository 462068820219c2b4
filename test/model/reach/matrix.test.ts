// A matrix says of every pair what following it alone says, whoever else is treated alike; and equal outcomes fold.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../src/base/json.ts';
import type { Service, Workload } from '../../../src/model/dump.ts';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import { keyOfFact } from '../../../src/model/reach/facttexts.ts';
import { foldRoutes, formatSummary, summarizeRoutes } from '../../../src/model/reach/fold.ts';
import { createMatrix } from '../../../src/model/reach/matrix.ts';
import { type Route, traceRoutes } from '../../../src/model/reach/route.ts';
import { listTargets } from '../../../src/model/reach/targets.ts';
import type { ReachWorld } from '../../../src/model/reach/world.ts';
import { policies } from '../policies/arbitraries.ts';
import { entry, policy, service, workload } from '../values.ts';
import { type MadeNode, makeWorld, pod } from './worlds.ts';

const pods: fc.Arbitrary<readonly Workload[]> = fc
  .array(
    fc.record({
      namespace: fc.constantFrom('shop', 'data'),
      serviceAccount: fc.constantFrom('web', 'db'),
      trustDomain: fc.constantFrom('cluster.local', 'cluster.local', 'cluster.local', 'old.local'),
      protocol: fc.constantFrom('HBONE', 'HBONE', 'HBONE', 'TCP'),
      networkMode: fc.constantFrom('Standard', 'Standard', 'Standard', 'HostNetwork'),
      nativeTunnel: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
      node: fc.constantFrom('node-a', 'node-b', 'node-c'),
      network: fc.constantFrom('', '', '', '', 'west'),
      authorizationPolicies: fc.subarray(['shop/a', 'data/a', 'istio-system/a']),
      status: fc.constantFrom('Healthy', 'Unhealthy'),
      waypoint: fc.constantFrom(undefined, undefined, undefined, {
        destination: 'shop/s0.shop.svc',
        port: 80,
      }),
      networkGateway: fc.constantFrom(undefined, { destination: '/10.77.0.1', port: 15008 }),
    }),
    { minLength: 3, maxLength: 7 },
  )
  .map((all) =>
    all.map((values, index) => ({
      ...pod(`p${index}`, `10.77.0.${index + 1}`, values),
      serviceAccount: values.serviceAccount,
    })),
  );

const services = (count: number): fc.Arbitrary<readonly Service[]> =>
  fc
    .array(
      fc.record({
        namespace: fc.constantFrom('shop', 'data'),
        vips: fc.constantFrom(['/10.96.0.1'], ['/10.96.0.2'], ['/10.96.0.3']),
        endpoints: fc.subarray([...Array(count).keys()]),
        visibility: fc.constantFrom('', '', '', 'Namespace'),
        canonical: fc.boolean(),
        subjectAltNames: fc.constantFrom([], [], ['spiffe://cluster.local/ns/shop/sa/web']),
        ports: fc.constantFrom(
          [{ port: 80, targetPort: 8080 }],
          [{ port: 80, targetPort: 80 }],
          [{ port: 81, targetPort: 9090 }],
        ),
        loadBalancer: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          { mode: 'Failover', healthPolicy: 'AllowAll', preferences: ['Node'] },
          { mode: 'Strict', healthPolicy: '', preferences: ['Node'] },
          { mode: 'Passthrough', healthPolicy: '', preferences: [] },
        ),
        waypoint: fc.constantFrom(undefined, undefined, undefined, {
          destination: '/10.77.0.2',
          port: 15008,
        }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((all) =>
      all.map(({ endpoints, ...values }, index) =>
        service({
          ...values,
          name: `s${index}`,
          hostname: `s${index}.${values.namespace}.svc`,
          endpoints: endpoints.map((each) => ({ workloadUid: String(each), status: '', ports: [] })),
        }),
      ),
    );

const nodes: fc.Arbitrary<(all: readonly Workload[]) => MadeNode> = fc
  .record({
    lost: fc.subarray([0, 1, 2], { maxLength: 1 }),
    states: fc.array(
      fc.constantFrom('Available', 'Available', 'Available', 'Initializing', 'Unavailable: no'),
      {
        minLength: 7,
        maxLength: 7,
      },
    ),
    unknown: fc.constantFrom(-1, -1, -1, 0, 1),
    changed: fc.constantFrom(-1, -1, -1, 0, 1),
  })
  .map(({ lost, states, unknown, changed }) => (all) => ({
    lost: lost.map((index) => `${all[index]!.namespace}/${all[index]!.name}`),
    workloads: all
      .filter((_, index) => index !== unknown)
      .map((each, index) => (index === changed ? { ...each, serviceAccount: 'changed' } : each)),
    certificates: [
      ...new Set(
        all.map((each) => `spiffe://${each.trustDomain}/ns/${each.namespace}/sa/${each.serviceAccount}`),
      ),
    ].map((identity, index) => entry({ identity, state: states[index]! })),
  }));

/** What a world is made of, so that one that fails is printed short. */
const recipes = fc
  .tuple(pods, policies, fc.tuple(nodes, nodes))
  .chain(([all, held, both]) => services(all.length).map((backed) => ({ all, held, both, backed })));

type Recipe = typeof recipes extends fc.Arbitrary<infer R> ? R : never;

function build({ all, held, both: [a, b], backed }: Recipe): ReachWorld {
  const uidOf = ({ workloadUid }: { readonly workloadUid: string }) => all[Number(workloadUid)]!.uid;
  const known = backed.map((each) => ({
    ...each,
    endpoints: each.endpoints.map((one) => ({ ...one, workloadUid: uidOf(one) })),
  }));
  return makeWorld(
    { workloads: all, services: known, policies: held },
    { 'node-a': a(all), 'node-b': b(all) },
  );
}

const TARGETS = [
  '10.96.0.1',
  '10.96.0.2',
  '10.96.0.3',
  '10.77.0.1',
  '10.77.0.2',
  '10.77.0.3',
  '192.0.2.1',
].flatMap((text) => [80, 8080].map((port) => ({ address: parseAddress(text)!, port })));

function alone(world: ReachWorld, source: Workload, target: (typeof TARGETS)[number]) {
  const routes = traceRoutes(world, { kind: 'workload', workload: source }, target);
  const summary = summarizeRoutes(routes);
  const worst = routes.find(({ outcome }) => outcome === summary.outcome)?.decisive;
  return { ...summary, why: worst === undefined ? '' : `${worst.step} ${keyOfFact(worst.fact)}` };
}

test('at random, a cell is what following its pair alone comes to', () => {
  const counts = { reached: 0, refused: 0, unknown: 0 };
  let rows = 0;
  let sources = 0;
  fc.assert(
    fc.property(recipes, (recipe) => {
      const world = build(recipe);
      const all = world.views[0]!.dump.workloads;
      const matrix = createMatrix(world);
      const found = matrix.rowsOf(all, TARGETS);
      rows += found.length;
      sources += all.length;
      for (const row of found) {
        for (const source of row.sources) {
          for (const [index, target] of TARGETS.entries()) {
            const expected = alone(world, source, target);
            // Of several ways that end alike, which comes first is not the same for all of a class.
            const { why: _, ...cell } = row.cells[index]!;
            const { why: __, ...wanted } = expected;
            expect([source.name, target, cell]).toEqual([source.name, target, wanted]);
            if (wanted.total === 1) expect(row.cells[index]?.why).toBe(expected.why);
            expect(matrix.cellOf(source, target).outcome).toBe(wanted.outcome);
            counts[wanted.outcome] += 1;
          }
        }
      }
    }),
    { numRuns: 250, seed: 20 },
  );
  expect(Math.min(counts.reached, counts.refused, counts.unknown)).toBeGreaterThan(500);
  expect(rows).toBeLessThan(sources);
});

describe('told apart', () => {
  const deny = (match: Json) => policy({ action: 'Deny', rules: [[[match]]] });
  const one = pod('one', '10.77.0.1');
  const other = pod('other', '10.77.0.2');
  const third = pod('third', '10.77.0.3', { node: 'node-b', serviceAccount: 'one' });
  const near = (name: string, zone: string, values: Partial<Workload> = {}) =>
    pod(name, one.addresses[0]!, { locality: { region: '', zone, subzone: '' }, ...values });
  const strict = service({
    endpoints: [{ workloadUid: third.uid, status: '', ports: [] }],
    loadBalancer: { mode: 'Strict', healthPolicy: '', preferences: ['Zone'] },
  });
  test.each<[string, Parameters<typeof makeWorld>[0], MadeNode]>([
    [
      'sources by address',
      { workloads: [one, other, third], policies: [deny({ sourceIps: ['10.77.0.1/32'] })] },
      {},
    ],
    [
      'sources by namespace',
      {
        workloads: [one, { ...other, namespace: 'data' }, third],
        policies: [deny({ namespaces: [{ Exact: 'data' }] })],
      },
      {},
    ],
    [
      'sources by principal',
      { workloads: [one, other, third], policies: [deny({ principals: [{ Suffix: 'other' }] })] },
      {},
    ],
    [
      'sources by account',
      {
        workloads: [one, other, third],
        policies: [deny({ serviceAccounts: [{ namespace: 'shop', serviceAccount: 'other' }] })],
      },
      {},
    ],
    [
      'sources by place',
      {
        workloads: [
          near('one', 'a'),
          near('other', 'b', { addresses: ['10.77.0.2'] }),
          near('third', 'a', { addresses: ['10.77.0.3'], node: 'node-b' }),
        ],
        services: [strict],
      },
      {},
    ],
    [
      'targets by address',
      { workloads: [one, other, third], policies: [deny({ destinationIps: ['10.77.0.2/32'] })] },
      {},
    ],
    [
      'targets by namespace',
      {
        workloads: [one, { ...other, namespace: 'data' }, third],
        policies: [deny({ notDestinationPorts: [1] })],
      },
      {},
    ],
    [
      'targets by the policies that they name',
      {
        workloads: [one, { ...other, authorizationPolicies: ['shop/p'] }, third],
        policies: [{ ...deny({ notDestinationPorts: [1] }), scope: 'WorkloadSelector' }],
      },
      {},
    ],
    [
      'targets by certificate',
      { workloads: [one, other, third] },
      {
        certificates: [
          entry({ identity: 'spiffe://cluster.local/ns/shop/sa/one', state: 'Available' }),
          entry({ identity: 'spiffe://cluster.local/ns/shop/sa/other', state: 'Unavailable: no' }),
        ],
      },
    ],
    [
      'targets by capture',
      {
        workloads: [one, { ...other, protocol: 'TCP' }, third],
        policies: [deny({ notPrincipals: [{ Presence: [] }] })],
      },
      {},
    ],
  ])('%s', (_, mesh, node) => {
    const world = makeWorld(mesh, { 'node-a': node, 'node-b': {} });
    const rows = createMatrix(world).rowsOf(world.views[0]!.dump.workloads, TARGETS);
    const outcomes = rows.flatMap(({ sources, cells }) =>
      sources.flatMap((source) =>
        TARGETS.map((target, index) => [cells[index]!.outcome, alone(world, source, target).outcome]),
      ),
    );
    expect(outcomes.map(([cell]) => cell)).toEqual(outcomes.map(([, wanted]) => wanted));
    expect(new Set(outcomes.flat())).toContain('refused');
    expect(new Set(outcomes.flat())).toContain('reached');
  });
});

test('sources and targets that are treated alike are followed once', () => {
  let traced = 0;
  const clients = Array.from({ length: 60 }, (_, index) =>
    pod(`w${index}`, `10.1.0.${index}`, { node: `node-${'ab'[index % 2]}`, serviceAccount: `w${index}` }),
  );
  const backends = Array.from({ length: 40 }, (_, index) =>
    pod(`b${index}`, `10.2.0.${index}`, { node: `node-${'ab'[index % 2]}` }),
  );
  const backed = backends.map(({ uid }, index) =>
    service({
      name: `s${index}`,
      hostname: `s${index}`,
      vips: [`/10.96.0.${index}`],
      endpoints: [{ workloadUid: uid, status: '', ports: [] }],
    }),
  );
  const allow = policy({ rules: [[[{ principals: [{ Exact: 'cluster.local/ns/shop/sa/w7' }] }]]] });
  const world = makeWorld(
    { workloads: [...clients, ...backends], services: backed, policies: [allow] },
    { 'node-a': {}, 'node-b': {} },
    {
      verification: {
        stateOf: () => ({ state: 'usable', until: 0 }),
        classOf: () => 'one',
        accepts: (_, __, as) => {
          if (as === 'server') traced += 1;
          return { accepted: true, root: 'a' };
        },
      },
    },
  );
  const targets = backed.map((each) => ({ address: parseAddress(each.vips[0]!.slice(1))!, port: 80 }));
  const rows = createMatrix(world).rowsOf(clients, targets);
  expect(rows.map((row) => [row.sources.length, new Set(row.cells.map(({ outcome }) => outcome))])).toEqual([
    [59, new Set(['refused'])],
    [1, new Set(['reached'])],
  ]);
  expect(traced).toBe(2);
});

describe('folding', () => {
  const web = pod('web', '10.0.0.1');
  const backends = ['one', 'two', 'three'].map((name, index) =>
    pod(name, `10.0.0.${index + 2}`, { serviceAccount: 'cart' }),
  );
  const endpoints = backends.map(({ uid }) => ({ workloadUid: uid, status: '', ports: [] }));
  const target = { address: parseAddress('10.96.0.1')!, port: 80 };
  const routesOf = (...changes: readonly Partial<Workload>[]): readonly Route[] => {
    const workloads = [web, ...backends.map((each, index) => ({ ...each, ...changes[index] }))];
    const deny = policy({ name: 'no', action: 'Deny', scope: 'WorkloadSelector', rules: [[]] });
    const world = makeWorld({ workloads, services: [service({ endpoints })], policies: [deny] });
    return traceRoutes(world, { kind: 'workload', workload: web }, target);
  };
  const refused = { authorizationPolicies: ['shop/no'] };
  const absent = { node: 'node-z' };
  test.each([
    ['alike', [], [3], 'reachable: 3 of 3 ways'],
    ['one of them refused', [{}, refused], [2, 1], 'reachable for 2 of 3 ways'],
    ['all refused', [refused, refused, refused], [3], 'not reachable: 0 of 3 ways'],
    ['one that is unknown', [{}, absent], [2, 1], 'reachable for 2 of 3 ways, 1 unknown'],
    ['none told', [absent, absent, absent], [3], 'unknown: 3 of 3 ways'],
    ['refused, or not told', [refused, refused, absent], [2, 1], 'not reachable: 0 of 3 ways, 1 unknown'],
    ['plain among HBONE', [{}, {}, { protocol: 'TCP' }], [2, 1], 'reachable: 3 of 3 ways'],
  ])('%s', (_, changes, sizes, text) => {
    const routes = routesOf(...(changes as Partial<Workload>[]));
    expect(foldRoutes(routes).map((each) => each.routes.length)).toEqual(sizes);
    expect(formatSummary(summarizeRoutes(routes))).toBe(text);
  });
});

describe('targets', () => {
  const web = pod('web', '10.0.0.1');
  const dual = pod('dual', '10.0.0.2', { addresses: ['10.0.0.2', 'fd00::2'] });
  const from = (workload: Workload) => ({ kind: 'workload', workload }) as const;
  const two = service({
    vips: ['/10.96.0.1', '/fd00::96', 'west/10.99.0.1'],
    ports: [
      { port: 80, targetPort: 8080 },
      { port: 81, targetPort: 0 },
    ],
    endpoints: [{ workloadUid: dual.uid, status: '', ports: [{ port: 81, targetPort: 9090 }] }],
  });
  const world = makeWorld({ workloads: [web, dual], services: [two] });
  const list = (...[source, destination]: [ReturnType<typeof from>, Parameters<typeof listTargets>[2]]) =>
    listTargets(world, source, destination).map(({ address, port }) => `${address.text} ${port}`);

  test.each<[string, ReturnType<typeof from>, Parameters<typeof listTargets>[2], readonly string[]]>([
    [
      'a service: each of its ports',
      from(web),
      { kind: 'service', service: two, port: undefined },
      ['10.96.0.1 80', '10.96.0.1 81'],
    ],
    [
      'a service: by each family of the source',
      from(dual),
      { kind: 'service', service: two, port: 80 },
      ['10.96.0.1 80', 'fd00::96 80'],
    ],
    [
      'a port that the service lacks is asked for as well',
      from(web),
      { kind: 'service', service: two, port: 1 },
      ['10.96.0.1 1'],
    ],
    [
      'a workload: ports that services lead to',
      from(web),
      { kind: 'workload', workload: dual, port: undefined },
      ['10.0.0.2 8080', '10.0.0.2 9090'],
    ],
    [
      'a workload: the port asked for',
      from(dual),
      { kind: 'workload', workload: dual, port: 5 },
      ['10.0.0.2 5', 'fd00::2 5'],
    ],
    [
      'a workload behind no service',
      from(dual),
      { kind: 'workload', workload: web, port: undefined },
      ['10.0.0.1 undefined'],
    ],
    ['an address', from(web), { kind: 'address', address: parseAddress('fd00::9')!, port: 1 }, ['fd00::9 1']],
    [
      'a headless service: its endpoints',
      from(web),
      { kind: 'service', service: { ...two, vips: [] }, port: 80 },
      ['10.0.0.2 80'],
    ],
    [
      'a service of ranges',
      from(web),
      { kind: 'service', service: { ...two, vips: [], cidrVips: ['/10.97.0.0/16'] }, port: 80 },
      ['10.97.0.0 80'],
    ],
    [
      'nothing of the family of the source',
      from(web),
      { kind: 'service', service: { ...two, vips: ['/fd00::96'] }, port: 80 },
      ['fd00::96 80'],
    ],
  ])('%s', (_, source, destination, expected) => {
    expect(list(source, destination)).toEqual(expected);
  });

  test('a client that is no workload', () => {
    const source = { kind: 'outsider', address: parseAddress('192.0.2.1')! } as const;
    expect(
      listTargets(world, source, {
        kind: 'workload',
        workload: workload({ addresses: ['10.9.9.9'] }),
        port: 1,
      }),
    ).toHaveLength(1);
  });
});
