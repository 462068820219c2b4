// The way of a connection in every case that ztunnel knows, with the fact that decides.

import { describe, expect, test } from '@jest/globals';
import type { Service, Workload } from '../../../src/model/dump.ts';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import { formatFact } from '../../../src/model/reach/facttexts.ts';
import { type Route, traceRoutes } from '../../../src/model/reach/route.ts';
import type { ReachSource } from '../../../src/model/reach/start.ts';
import type { ReachWorld } from '../../../src/model/reach/world.ts';
import { entry, policy, service, workload } from '../values.ts';
import { capturedPod, makeWorld, pod, TRUSTING } from './worlds.ts';

const web = pod('web', '10.0.0.1');
const cart = pod('cart', '10.0.0.2', { node: 'node-b' });
const legacy = pod('legacy', '10.0.0.3', { protocol: 'TCP' });
const BOTH = { 'node-a': {}, 'node-b': {} };

const of = (workload: Workload): ReachSource => ({ kind: 'workload', workload });

function trace(world: ReachWorld, source: Workload | ReachSource, target: string): readonly Route[] {
  const [, address = '', port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(target)!;
  const from = 'kind' in source ? source : of(source);
  return traceRoutes(world, from, {
    address: parseAddress(address)!,
    port: port === undefined ? undefined : Number(port),
  });
}

/** Each way as its outcome, and its steps as a table; then the notes. */
function tell(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(({ outcome, steps, notes }) => [
    outcome,
    ...steps.map(({ step, result, fact }) => `  ${step} ${result}: ${formatFact(fact)}`),
    ...notes.map((note) => `  note: ${formatFact(note)}`),
  ]);
}

/** Outcome and decisive fact of each way. */
function decide(routes: readonly Route[]): readonly string[] {
  return routes.map(({ outcome, decisive }) =>
    decisive === undefined ? outcome : `${outcome} at ${decisive.step}: ${formatFact(decisive.fact)}`,
  );
}

describe('to a pod', () => {
  const mesh = { workloads: [web, cart, legacy] };

  test('from a captured one on another node', () => {
    expect(tell(trace(makeWorld(mesh, BOTH), web, '10.0.0.2:8080'))).toEqual([
      'reached',
      '  capture ok: shop/web is captured by ztunnel-node-a on node-a',
      '  identity ok: presents spiffe://cluster.local/ns/shop/sa/web, valid 1h0m',
      '  destination ok: shop/cart at 10.0.0.2, port 8080',
      '  way ok: HBONE to shop/cart (10.0.0.2:15008) on node-b',
      '  trust ok: shop/cart on node-b accepts shop/web by root abcdef01…; shop/web accepts shop/cart by root abcdef01…',
      '  policies ok: no ALLOW policy applies, and no DENY matches',
    ]);
  });

  test('that is not captured', () => {
    expect(tell(trace(makeWorld(mesh, BOTH), web, '10.0.0.3:8080'))).toEqual([
      'reached',
      '  capture ok: shop/web is captured by ztunnel-node-a on node-a',
      '  identity ok: plain TCP: no identity is presented',
      '  destination ok: shop/legacy at 10.0.0.3, port 8080',
      '  way ok: plain TCP to shop/legacy (10.0.0.3:8080)',
      '  trust ok: plain TCP: no certificates',
      '  policies ok: no ztunnel applies policies to shop/legacy',
    ]);
  });

  test('from one that is not captured', () => {
    const policies = [policy({ rules: [[[{ principals: [{ Presence: [] }] }]]] })];
    expect(tell(trace(makeWorld({ ...mesh, policies }, BOTH), legacy, '10.0.0.2:8080'))).toEqual([
      'refused',
      '  capture ok: shop/legacy is not captured: plain TCP, without an identity',
      '  identity ok: plain TCP: no identity is presented',
      '  destination ok: shop/cart at 10.0.0.2, port 8080',
      '  way ok: plain TCP to shop/cart (10.0.0.2:8080)',
      '  trust ok: plain TCP: no certificates',
      '  policies refused: no ALLOW policy of 1 matches: shop/p wants principals *',
    ]);
  });

  test('that is captured, and that istiod says TCP of: its ztunnel sees no identity', () => {
    const said = { ...cart, protocol: 'TCP' };
    const policies = [policy({ rules: [[[{ principals: [{ Presence: [] }] }]]] })];
    const node = { capturedPods: [capturedPod(cart)] };
    const world = makeWorld({ workloads: [web, said], policies }, { 'node-a': {}, 'node-b': node });
    expect(decide(trace(world, web, '10.0.0.2:80'))).toEqual([
      'refused at policies: no ALLOW policy of 1 matches: shop/p wants principals *',
    ]);
  });

  test('without a port, policies about ports is unknown', () => {
    const policies = [policy({ action: 'Deny', rules: [[[{ destinationPorts: [1] }]]] })];
    expect(decide(trace(makeWorld({ ...mesh, policies }, BOTH), web, '10.0.0.2'))).toEqual([
      'unknown at policies: DENY shop/p is unknown: destinationPorts 1',
    ]);
  });

  test.each([15001, 15006, 15008])("on ztunnel's own port %i", (port) => {
    expect(decide(trace(makeWorld(mesh, BOTH), web, `10.0.0.2:${port}`))).toEqual([
      `refused at way: port ${port} is ztunnel's own: it takes no connections to it`,
    ]);
  });

  test('said HBONE by istiod, and captured by none', () => {
    const node = { 'node-a': {}, 'node-b': { workloads: [web, { ...cart, protocol: 'TCP' }, legacy] } };
    expect(tell(trace(makeWorld(mesh, node), web, '10.0.0.2:80')).slice(-1)).toEqual([
      '  way refused: istiod says HBONE of shop/cart, which no ztunnel captures: nobody listens on its port 15008',
    ]);
  });

  test.each([
    [
      'never handed over',
      { lost: ['shop/cart'] },
      'ztunnel-node-b on node-b was never handed shop/cart: all of its connections fail',
    ],
    [
      'with a proxy that does not start',
      { capturedPods: [capturedPod(cart, { state: 'Pending' })] },
      'the proxy of shop/cart on ztunnel-node-b is Pending, not Up',
    ],
    [
      'with another account',
      { capturedPods: [capturedPod(cart, { serviceAccount: 'old' })] },
      'ztunnel-node-b was handed shop/cart with account old and knows it with account cart: it refuses all of its connections',
    ],
    [
      'that its ztunnel does not know',
      { workloads: [web], capturedPods: [capturedPod(cart)] },
      'ztunnel-node-b was handed shop/cart and knows no such workload: it refuses all of its connections',
    ],
  ])('%s, from HBONE and from plain TCP, and from there', (_, own, text) => {
    const world = makeWorld(mesh, { 'node-a': {}, 'node-b': own });
    for (const source of [web, legacy]) {
      expect(decide(trace(world, source, '10.0.0.2:80'))).toEqual([`refused at way: ${text}`]);
    }
    expect(decide(trace(world, cart, '10.0.0.1:80'))).toEqual([`refused at capture: ${text}`]);
  });

  test('of a node whose ztunnel did not answer', () => {
    const failure = {
      ztunnel: { namespace: 'istio-system', name: 'z', node: 'node-b' },
      severity: 'error',
      message: 'timed out',
      hint: '',
    } as const;
    const world = makeWorld(mesh, { 'node-a': {} }, { failures: [failure] });
    const why = 'ztunnel istio-system/z on node-b did not answer: timed out';
    expect(tell(trace(world, web, '10.0.0.2:80')).slice(4)).toEqual([
      `  way unknown: whether shop/cart is captured is not known: ${why}`,
    ]);
    expect(decide(trace(world, cart, '10.0.0.1:80'))).toEqual([
      `unknown at capture: whether shop/cart is captured is not known: ${why}`,
    ]);
    expect(decide(trace(makeWorld(mesh), web, '10.0.0.2:80'))[0]).toContain(
      'there is no dump of a ztunnel on node-b',
    );
  });

  test('in dumps that do not say what is captured', () => {
    const sections = ['certificates', 'config', 'policies', 'services', 'workloads'] as const;
    const node = { sections, capturedPods: [] };
    const world = makeWorld(mesh, { 'node-a': node, 'node-b': node });
    expect(tell(trace(world, web, '10.0.0.2:80')).slice(0, 2)).toEqual([
      'reached',
      '  capture ok: shop/web is HBONE to ztunnel-node-a, whose dump does not say which pods it captures',
    ]);
  });

  test('served by a ztunnel of its own', () => {
    const world = makeWorld(mesh, {
      'node-a': {},
      'node-b': { lost: ['shop/cart'], config: { proxyMode: 'Dedicated' } },
    });
    expect(decide(trace(world, web, '10.0.0.2:80'))[0]).toContain('serves one pod of its own');
  });

  test('of several addresses, by the one asked for', () => {
    const dual = pod('dual', '10.0.0.9', { addresses: ['10.0.0.9', 'fd00::9'], node: 'node-b' });
    const source = pod('web', '10.0.0.1', { addresses: ['10.0.0.1', 'fd00::1'] });
    const policies = [policy({ action: 'Deny', rules: [[[{ sourceIps: ['fd00::1/128'] }]]] })];
    const world = makeWorld({ workloads: [source, dual], policies }, BOTH);
    expect(trace(world, source, '10.0.0.9:80')[0]?.outcome).toBe('reached');
    expect(decide(trace(world, source, '[fd00::9]:80'))).toEqual([
      'refused at policies: DENY shop/p matches: sourceIps fd00::1/128',
    ]);
  });
});

describe('certificates', () => {
  const mesh = { workloads: [web, cart] };
  const listing = (state: string, of = cart) => ({
    certificates: [entry({ identity: `spiffe://cluster.local/ns/shop/sa/${of.name}`, state })],
  });
  test.each([
    [
      "the client's can not be had",
      { 'node-a': listing('Unavailable: CA is down', web), 'node-b': {} },
      'refused at identity: spiffe://cluster.local/ns/shop/sa/web has no certificate that can be used: Unavailable: CA is down',
    ],
    [
      "the client's is being fetched",
      { 'node-a': listing('Initializing', web), 'node-b': {} },
      'unknown at identity: the certificate of spiffe://cluster.local/ns/shop/sa/web: Initializing',
    ],
    [
      "the client's is not listed",
      { 'node-a': { certificates: [] }, 'node-b': {} },
      'unknown at identity: ztunnel-node-a does not list spiffe://cluster.local/ns/shop/sa/web: it fetches it when a connection needs it',
    ],
    [
      "the server's can not be had",
      { 'node-a': {}, 'node-b': listing('Unavailable: no') },
      'refused at trust: spiffe://cluster.local/ns/shop/sa/cart has no certificate that can be used: Unavailable: no',
    ],
    [
      "the server's is not listed",
      { 'node-a': {}, 'node-b': { certificates: [] } },
      'unknown at trust: ztunnel-node-b does not list spiffe://cluster.local/ns/shop/sa/cart: it fetches it when a connection needs it',
    ],
    [
      'another trust domain',
      {
        'node-a': { workloads: [web, { ...cart, trustDomain: 'other' }] },
        'node-b': { workloads: [web, { ...cart, trustDomain: 'other' }] },
      },
      'refused at trust: the client is in trust domain cluster.local, the server in other: it accepts its own only',
    ],
    [
      'another identity than the client expects',
      { 'node-a': { workloads: [web, { ...cart, serviceAccount: 'new' }] }, 'node-b': {} },
      'refused at trust: the client expects spiffe://cluster.local/ns/shop/sa/new, the server presents spiffe://cluster.local/ns/shop/sa/cart',
    ],
  ])('%s', (_, nodes, text) => {
    expect(decide(trace(makeWorld(mesh, nodes), web, '10.0.0.2:80'))).toEqual([text]);
  });

  test('a certificate that is not needed is not asked for', () => {
    const world = makeWorld({ workloads: [web, legacy] }, { 'node-a': { certificates: [] } });
    expect(decide(trace(world, web, '10.0.0.3:80'))).toEqual(['reached']);
  });

  test('a refusal further on decides, whatever is unknown before it', () => {
    const policies = [policy({ action: 'Deny', rules: [[]] })];
    const world = makeWorld({ ...mesh, policies }, { 'node-a': { certificates: [] }, 'node-b': {} });
    expect(decide(trace(world, web, '10.0.0.2:80'))).toEqual([
      'refused at policies: DENY shop/p matches every connection',
    ]);
  });

  test.each([
    ['client', 'refused at trust: shop/cart does not accept shop/web: its chain is broken'],
    ['server', 'refused at trust: shop/web does not accept shop/cart: its chain is broken'],
  ])('that are not accepted as those of a %s', (side, text) => {
    const verification = {
      ...TRUSTING,
      accepts: (...[, , as]: Parameters<typeof TRUSTING.accepts>) =>
        as === side
          ? ({ accepted: false, why: 'its chain is broken' } as const)
          : TRUSTING.accepts(...([] as unknown as Parameters<typeof TRUSTING.accepts>)),
    };
    expect(decide(trace(makeWorld(mesh, BOTH, { verification }), web, '10.0.0.2:80'))).toEqual([text]);
  });
});

describe('to a service', () => {
  const vip = '10.96.0.1';
  const backend = (...pods: readonly Workload[]) => ({
    endpoints: pods.map(({ uid }) => ({ workloadUid: uid, status: 'Healthy', ports: [] })),
  });
  const other = pod('cart-2', '10.0.0.4', { node: 'node-b', serviceAccount: 'cart' });
  const mesh = (values: Partial<Service> = {}, ...workloads: readonly Workload[]) => ({
    workloads: [web, cart, legacy, other, ...workloads],
    services: [service({ ...backend(cart, other), ...values })],
  });

  test('each endpoint is a way of its own', () => {
    expect(
      tell(trace(makeWorld(mesh(), BOTH), web, `${vip}:80`)).filter((line) =>
        /reached|destination|way/.test(line),
      ),
    ).toEqual([
      'reached',
      '  destination ok: service cart.shop, port 80 → 8080, 2 endpoints, no waypoint',
      '  way ok: HBONE to shop/cart (10.0.0.2:15008) on node-b',
      'reached',
      '  destination ok: service cart.shop, port 80 → 8080, 2 endpoints, no waypoint',
      '  way ok: HBONE to shop/cart-2 (10.0.0.4:15008) on node-b',
    ]);
  });

  test("policies see the pod's port, and an endpoint's own goes before the service's", () => {
    const endpoints = [{ workloadUid: cart.uid, status: 'Healthy', ports: [{ port: 80, targetPort: 9090 }] }];
    const policies = [policy({ action: 'Deny', rules: [[[{ destinationPorts: [9090] }]]] })];
    expect(decide(trace(makeWorld({ ...mesh({ endpoints }), policies }, BOTH), web, `${vip}:80`))).toEqual([
      'refused at policies: DENY shop/p matches: destinationPorts 9090',
    ]);
  });

  test.each<[string, Partial<Service>, string]>([
    [
      'without the port',
      { ports: [{ port: 81, targetPort: 1 }] },
      'service cart.shop has no port 80: it has 81',
    ],
    ['without ports', { ports: [] }, 'service cart.shop has no port 80: it has none'],
    ['without endpoints', { endpoints: [] }, 'service cart.shop has no endpoint for port 80: it has none'],
    [
      'of an endpoint that is unhealthy, and one that is not known',
      {
        endpoints: [
          { workloadUid: cart.uid, status: 'Unhealthy', ports: [] },
          { workloadUid: 'x', status: 'Healthy', ports: [] },
        ],
      },
      'service cart.shop has no endpoint for port 80: 1 not known as a workload, 1 unhealthy',
    ],
    [
      'of a named port that no endpoint has',
      { ports: [{ port: 80, targetPort: 0 }] },
      'service cart.shop has no endpoint for port 80: 2 without the port',
    ],
    [
      'that wants another zone, strictly',
      { loadBalancer: { mode: 'Strict', healthPolicy: '', preferences: ['Node'] } },
      'service cart.shop has no endpoint for port 80: 2 in another place than load balancing wants',
    ],
  ])('%s', (_, values, text) => {
    expect(decide(trace(makeWorld(mesh(values), BOTH), web, `${vip}:80`))).toEqual([
      `refused at destination: ${text}`,
    ]);
  });

  test.each<[string, Partial<Service>]>([
    [
      'all may be chosen whatever their health',
      {
        endpoints: [{ workloadUid: cart.uid, status: 'Unhealthy', ports: [] }],
        loadBalancer: { mode: 'Standard', healthPolicy: 'AllowAll', preferences: [] },
      },
    ],
    [
      'without a status of endpoints, that of the workload counts',
      { endpoints: [{ workloadUid: cart.uid, status: '', ports: [] }] },
    ],
    [
      'a service that prefers a place takes others if there are none',
      { ...backend(cart), loadBalancer: { mode: 'Failover', healthPolicy: '', preferences: ['Node'] } },
    ],
  ])('%s', (_, values) => {
    expect(decide(trace(makeWorld(mesh(values), BOTH), web, `${vip}:80`))).toEqual(['reached']);
  });

  test('of several places the one that agrees most with the client is chosen', () => {
    const near = pod('near', '10.0.0.5', {
      node: 'node-b',
      locality: { region: 'r', zone: 'z', subzone: '' },
    });
    const source = { ...web, locality: { region: 'r', zone: 'z', subzone: '' } };
    const preferring = {
      ...backend(cart, near),
      loadBalancer: { mode: 'Failover', healthPolicy: '', preferences: ['Region', 'Zone'] },
    };
    const world = makeWorld({ workloads: [source, cart, near], services: [service(preferring)] }, BOTH);
    expect(trace(world, source, `${vip}:80`).map(({ endpoint }) => endpoint?.name)).toEqual(['near']);
  });

  test('an endpoint of no weight is not chosen', () => {
    const light = { ...other, capacity: 0 };
    const world = makeWorld({ ...mesh(), workloads: [web, cart, light] }, BOTH);
    expect(trace(world, web, `${vip}:80`).map(({ endpoint }) => endpoint?.name)).toEqual(['cart']);
  });

  test('names of the service are accepted besides that of the workload', () => {
    const renamed = { ...cart, serviceAccount: 'new' };
    const nodes = { 'node-a': { workloads: [web, renamed] }, 'node-b': { workloads: [web, cart] } };
    const values = {
      ...backend(cart),
      subjectAltNames: ['spiffe://cluster.local/ns/shop/sa/cart', 'cart.example'],
    };
    const world = makeWorld({ workloads: [], services: [service(values)] }, nodes);
    expect(decide(trace(world, web, `${vip}:80`))).toEqual(['reached']);
    expect(trace(world, web, `${vip}:80`)[0]?.notes.map(formatFact)).toEqual([
      'identity of shop/cart is spiffe://cluster.local/ns/shop/sa/new to ztunnel-node-a, spiffe://cluster.local/ns/shop/sa/cart to ztunnel-node-b',
    ]);
    expect(trace(world, web, '10.0.0.2:80')[0]?.outcome).toBe('refused');
  });

  test('from a pod that is not captured, kube-proxy chooses', () => {
    const values = { loadBalancer: { mode: 'Strict', healthPolicy: '', preferences: ['Node'] } };
    expect(decide(trace(makeWorld(mesh(values), BOTH), legacy, `${vip}:80`))).toEqual(['reached', 'reached']);
    expect(decide(trace(makeWorld(mesh(), BOTH), legacy, `${vip}:81`))).toEqual([
      'refused at destination: service cart.shop has no port 81: it has 80',
    ]);
  });

  test('of load balancing Passthrough, the address itself is taken', () => {
    const values = { loadBalancer: { mode: 'Passthrough', healthPolicy: '', preferences: [] } };
    expect(tell(trace(makeWorld(mesh(values), BOTH), web, `${vip}:80`)).slice(2)).toEqual([
      '  identity ok: plain TCP: no identity is presented',
      '  destination ok: service cart.shop takes connections to the address itself: plain TCP to it',
      `  way ok: plain TCP to ${vip}:80, which is no workload that is known here`,
    ]);
  });

  test("of one address with others, that of the client's namespace, then the canonical one", () => {
    const theirs = service({ namespace: 'data', name: 'theirs', canonical: true, ...backend(cart) });
    const mine = service({ namespace: 'shop', name: 'mine', ...backend(other) });
    const world = makeWorld(
      {
        workloads: [web, cart, other, pod('admin', '10.0.0.8', { namespace: 'ops' })],
        services: [mine, theirs],
      },
      BOTH,
    );
    const [route] = trace(world, web, `${vip}:80`);
    expect([route?.endpoint?.name, ...route!.notes.map(formatFact)]).toEqual([
      'cart-2',
      'the address belongs to theirs.data, too: of these, the client gets mine.shop',
    ]);
    expect(trace(world, world.findWorkload('ops', 'admin')!, `${vip}:80`)[0]?.endpoint?.name).toBe('cart');
  });

  test('that only its own namespace may use is not there for others', () => {
    const hidden = service({ visibility: 'Namespace', ...backend(cart) });
    const admin = pod('admin', '10.0.0.8', { namespace: 'ops' });
    const world = makeWorld({ workloads: [web, cart, admin], services: [hidden] }, BOTH);
    expect(trace(world, web, `${vip}:80`)[0]?.endpoint?.name).toBe('cart');
    expect(tell(trace(world, admin, `${vip}:80`))).toContain(
      `  destination ok: ztunnel-node-a does not know ${vip}:80: plain TCP to it`,
    );
  });

  test('by a range of addresses', () => {
    const wide = service({ name: 'wide', vips: [], cidrVips: ['/10.97.0.0/16'], ...backend(cart) });
    const narrow = service({
      name: 'narrow',
      namespace: 'data',
      vips: [],
      cidrVips: ['/10.97.1.0/24'],
      ...backend(other),
    });
    const admin = pod('admin', '10.0.0.8', { namespace: 'ops' });
    const world = makeWorld({ workloads: [web, cart, other, admin], services: [wide, narrow] }, BOTH);
    expect(trace(world, web, '10.97.1.1:80')[0]?.endpoint?.name).toBe('cart');
    expect(trace(world, admin, '10.97.1.1:80')[0]?.endpoint?.name).toBe('cart-2');
    expect(trace(world, admin, '10.97.2.1:80')[0]?.endpoint?.name).toBe('cart');
  });
});

describe('waypoints', () => {
  const proxy = pod('waypoint', '10.0.0.7', { nativeTunnel: true, node: 'node-b' });
  const waypointService = service({
    name: 'waypoint',
    vips: ['/10.96.0.7'],
    ports: [{ port: 15008, targetPort: 15008 }],
    endpoints: [{ workloadUid: proxy.uid, status: 'Healthy', ports: [] }],
  });
  const behind = { waypoint: { destination: 'shop/waypoint.shop.svc.cluster.local', port: 15008 } };
  const mesh = (values: Partial<Service>, ...services: readonly Service[]) => ({
    workloads: [web, cart, proxy],
    services: [
      service({ endpoints: [{ workloadUid: cart.uid, status: 'Healthy', ports: [] }], ...values }),
      ...services,
    ],
  });
  const through = (name: string) =>
    `unknown at waypoint: waypoint shop/${name}: HBONE to shop/waypoint (10.0.0.7:15008); what it makes of the connection is in no dump`;

  test('of a service', () => {
    expect(tell(trace(makeWorld(mesh(behind, waypointService), BOTH), web, '10.96.0.1:80'))).toEqual([
      'unknown',
      '  capture ok: shop/web is captured by ztunnel-node-a on node-a',
      '  identity ok: presents spiffe://cluster.local/ns/shop/sa/web, valid 1h0m',
      '  destination ok: service cart.shop, port 80, waypoint shop/waypoint.shop.svc.cluster.local',
      '  waypoint unknown: waypoint shop/waypoint: HBONE to shop/waypoint (10.0.0.7:15008); what it makes of the connection is in no dump',
    ]);
  });

  test.each<[string, Partial<Service>, readonly Service[], string]>([
    [
      'by its address',
      { waypoint: { destination: '/10.96.0.7', port: 15008 } },
      [waypointService],
      through('waypoint'),
    ],
    [
      'by the address of its pod',
      { waypoint: { destination: '/10.0.0.7', port: 15008 } },
      [],
      through('waypoint'),
    ],
    [
      'with a share of the connections',
      {
        weightedWaypoints: [
          { waypoint: behind.waypoint, weight: 10 },
          { waypoint: { destination: 'x/y', port: 1 }, weight: 0 },
        ],
      },
      [waypointService],
      through('waypoint'),
    ],
    [
      'that is not known',
      behind,
      [],
      'refused at waypoint: waypoint shop/waypoint.shop.svc.cluster.local is not known to ztunnel-node-a',
    ],
    [
      'without endpoints',
      behind,
      [{ ...waypointService, endpoints: [] }],
      'refused at waypoint: waypoint shop/waypoint has no endpoint that could be chosen',
    ],
  ])('of a service, %s', (_, values, services, text) => {
    expect(decide(trace(makeWorld(mesh(values, ...services), BOTH), web, '10.96.0.1:80'))).toEqual([text]);
  });

  test('of a workload, by its address only, and not from the waypoint itself', () => {
    const world = makeWorld(
      { ...mesh({}, waypointService), workloads: [web, { ...cart, ...behind }, proxy] },
      BOTH,
    );
    expect(decide(trace(world, web, '10.0.0.2:80'))).toEqual([through('waypoint')]);
    expect(decide(trace(world, web, '10.96.0.1:80'))).toEqual(['reached']);
  });

  test('of a workload, not from the waypoint itself where ztunnel captures it', () => {
    const inside = {
      ...proxy,
      nativeTunnel: false,
      node: 'node-a',
      applicationTunnel: { protocol: 'PROXY', port: 15088 },
    };
    const world = makeWorld(
      { ...mesh({}, waypointService), workloads: [web, { ...cart, ...behind }, inside] },
      BOTH,
    );
    expect(decide(trace(world, inside, '10.0.0.2:80'))).toEqual(['reached']);
    const policies = [policy({ action: 'Deny', rules: [[[{ destinationPorts: [15088] }]]] })];
    const guarded = makeWorld({ workloads: [web, inside], policies }, BOTH);
    expect(decide(trace(guarded, web, '10.0.0.7:80'))).toEqual([
      'refused at policies: DENY shop/p matches: destinationPorts 15088',
    ]);
  });

  test('plain TCP passes them by', () => {
    const world = makeWorld(
      { ...mesh(behind, waypointService), workloads: [web, cart, proxy, legacy] },
      BOTH,
    );
    expect(decide(trace(world, legacy, '10.96.0.1:80'))).toEqual(['reached']);
  });

  test('without a certificate nobody gets that far', () => {
    const world = makeWorld(mesh(behind, waypointService), {
      'node-a': {
        certificates: [
          entry({ identity: 'spiffe://cluster.local/ns/shop/sa/web', state: 'Unavailable: no' }),
        ],
      },
    });
    expect(decide(trace(world, web, '10.96.0.1:80'))[0]).toContain('refused at identity');
  });

  test('what connects through a proxy of its own has a certificate in no dump, and policies still see who it is', () => {
    const policies = [policy({ action: 'Deny', rules: [[[{ principals: [{ Suffix: '/sa/waypoint' }] }]]] })];
    const world = makeWorld({ ...mesh({}), policies }, BOTH);
    expect(tell(trace(world, proxy, '10.0.0.2:80'))).toEqual([
      'refused',
      '  capture unknown: shop/waypoint has a proxy of its own, which is in no dump',
      '  identity unknown: shop/waypoint presents a certificate of its own, which is in no dump',
      '  destination ok: shop/cart at 10.0.0.2, port 80',
      '  way ok: HBONE to shop/cart (10.0.0.2:15008) on node-b',
      '  trust unknown: shop/waypoint presents a certificate of its own, which is in no dump',
      '  policies refused: DENY shop/p matches: principals */sa/waypoint',
    ]);
    expect(decide(trace(world, web, '10.0.0.7:80'))).toEqual([
      'unknown at trust: shop/waypoint presents a certificate of its own, which is in no dump',
    ]);
  });
});

describe('other networks', () => {
  const far = pod('far', '10.9.0.1', {
    network: 'west',
    node: 'node-w',
    networkGateway: { destination: '/1.2.3.4', port: 15008 },
  });
  const gateway = workload({
    uid: 'NetworkGateway/west/1.2.3.4/15008',
    name: 'gw',
    addresses: ['1.2.3.4'],
    nativeTunnel: true,
    node: '',
  });
  const backends = (...pods: readonly Workload[]) =>
    service({ endpoints: pods.map(({ uid }) => ({ workloadUid: uid, status: 'Healthy', ports: [] })) });
  test('by a gateway, and what is behind it is unknown', () => {
    const world = makeWorld({ workloads: [web, cart, far, gateway], services: [backends(cart, far)] }, BOTH);
    expect(decide(trace(world, web, '10.96.0.1:80'))).toEqual([
      'reached',
      'unknown at gateway: to network west by gateway /1.2.3.4: what is behind it is in no dump of this network',
    ]);
  });

  test.each([
    ['that is not known', far, 'gateway /1.2.3.4 to network west is not known, or has no endpoint'],
    ['that there is none of', { ...far, networkGateway: undefined }, 'there is no gateway to network west'],
  ])('by a gateway %s', (_, workload, text) => {
    const world = makeWorld({ workloads: [web, workload], services: [backends(workload)] }, BOTH);
    expect(decide(trace(world, web, '10.96.0.1:80'))).toEqual([`refused at gateway: ${text}`]);
  });

  test('an endpoint without an address is reached from other networks only', () => {
    const nowhere = { ...far, addresses: [] };
    const world = makeWorld({ workloads: [web, nowhere, gateway], services: [backends(nowhere)] }, BOTH);
    expect(trace(world, web, '10.96.0.1:80')[0]?.decisive?.step).toBe('gateway');
    const near = { ...far, addresses: [], network: '' };
    expect(
      decide(
        trace(
          makeWorld({ workloads: [web, near, gateway], services: [backends(near)] }, BOTH),
          web,
          '10.96.0.1:80',
        ),
      ),
    ).toEqual([
      'refused at destination: service cart.shop has no endpoint for port 80: 1 without an address',
    ]);
  });
});

describe('what is not known, or outside', () => {
  test('an address that no ztunnel knows', () => {
    expect(tell(trace(makeWorld({ workloads: [web] }), web, '192.0.2.1:443'))).toEqual([
      'reached',
      '  capture ok: shop/web is captured by ztunnel-node-a on node-a',
      '  identity ok: plain TCP: no identity is presented',
      '  destination ok: ztunnel-node-a does not know 192.0.2.1:443: plain TCP to it',
      '  way ok: plain TCP to 192.0.2.1:443, which is no workload that is known here',
    ]);
  });

  test('an address that only another ztunnel knows is sent plain text, which its policies see', () => {
    const policies = [policy({ action: 'Deny', rules: [[[{ notPrincipals: [{ Presence: [] }] }]]] })];
    const nodes = { 'node-a': { workloads: [web] }, 'node-b': {} };
    const routes = trace(makeWorld({ workloads: [web, cart], policies }, nodes), web, '10.0.0.2:80');
    expect(decide(routes)).toEqual(['refused at policies: DENY shop/p matches: notPrincipals *']);
    expect(routes[0]?.notes.map(formatFact)).toEqual([
      'ztunnel-node-a does not know shop/cart, ztunnel-node-b does',
    ]);
  });

  test('two ztunnels with different policies: those of the destination decide, and it is said', () => {
    const nodes = { 'node-a': { policies: [] }, 'node-b': {} };
    const policies = [policy({ action: 'Deny', rules: [[]] })];
    const routes = trace(makeWorld({ workloads: [web, cart], policies }, nodes), web, '10.0.0.2:80');
    expect(routes[0]?.outcome).toBe('refused');
    expect(routes[0]?.notes.map(formatFact)).toEqual([
      'ztunnel-node-a has other policies for shop/cart than ztunnel-node-b, whose own decide',
    ]);
  });

  test('two ztunnels that differ in the protocol', () => {
    const nodes = { 'node-a': { workloads: [web, { ...cart, protocol: 'TCP' }] }, 'node-b': {} };
    const routes = trace(makeWorld({ workloads: [web, cart] }, nodes), web, '10.0.0.2:80');
    expect(routes[0]?.steps.find(({ step }) => step === 'way')?.fact.fact).toBe('plain');
    expect(routes[0]?.notes.map(formatFact)).toEqual([
      'protocol of shop/cart is TCP to ztunnel-node-a, HBONE to ztunnel-node-b',
    ]);
  });

  test('a policy that the destination lacks, and one of a dry run, are noted', () => {
    const named = { ...cart, authorizationPolicies: ['shop/gone'] };
    const policies = [policy({ action: 'Deny', rules: [[]], dryRun: true })];
    const routes = trace(makeWorld({ workloads: [web, named], policies }, BOTH), web, '10.0.0.2:80');
    expect(routes[0]?.notes.map(formatFact)).toEqual([
      'ztunnel-node-b lacks shop/gone, and skips what it lacks',
      'shop/p (dry run) would refuse it',
    ]);
  });

  test("a pod on its node's network has no identity, and an address that policies can not be sure of", () => {
    const host = pod('host', '10.1.1.1', { networkMode: 'HostNetwork', protocol: 'TCP' });
    const policies = [policy({ action: 'Deny', rules: [[[{ sourceIps: ['10.1.1.1/32'] }]]] })];
    const world = makeWorld({ workloads: [host, cart], policies }, BOTH);
    expect(decide(trace(world, host, '10.0.0.2:80'))).toEqual([
      'unknown at policies: DENY shop/p is unknown: sourceIps 10.1.1.1/32',
    ]);
    expect(tell(trace(makeWorld({ workloads: [host, cart] }, BOTH), host, '10.0.0.2:80'))[1]).toBe(
      "  capture ok: shop/host is on its node's network: plain TCP, without an identity",
    );
  });

  test('a client outside of the mesh has its address, and nothing else', () => {
    const policies = [policy({ action: 'Deny', rules: [[[{ sourceIps: ['192.0.2.0/24'] }]]] })];
    const source = { kind: 'outsider', address: parseAddress('192.0.2.9')! } as const;
    const world = makeWorld({ workloads: [cart], policies }, BOTH);
    expect(tell(trace(world, source, '10.0.0.2:80'))).toEqual([
      'refused',
      '  capture ok: 192.0.2.9 is no workload of the mesh: plain TCP, without an identity',
      '  identity ok: plain TCP: no identity is presented',
      '  destination ok: shop/cart at 10.0.0.2, port 80',
      '  way ok: plain TCP to shop/cart (10.0.0.2:80)',
      '  trust ok: plain TCP: no certificates',
      '  policies refused: DENY shop/p matches: sourceIps 192.0.2.0/24',
    ]);
  });

  test("the kubelet's probes pass ztunnel by", () => {
    const policies = [policy({ action: 'Deny', rules: [[]] })];
    const world = makeWorld({ workloads: [cart], policies }, { 'node-b': { lost: ['shop/cart'] } });
    expect(tell(trace(world, { kind: 'kubelet', node: 'node-b' }, '10.0.0.2:80'))).toEqual([
      'reached',
      '  capture ok: probes of the kubelet of node-b come from 169.254.7.127 and pass ztunnel by',
      '  way ok: plain TCP to shop/cart (10.0.0.2:80)',
      '  policies ok: no ztunnel applies policies to shop/cart',
    ]);
  });

  test('workloads of WorkloadEntries: plain, by a name, and with HBONE of their own', () => {
    const uid = (name: string) => `Kubernetes/networking.istio.io/WorkloadEntry/shop/${name}`;
    const vm = workload({ name: 'vm', uid: uid('vm'), addresses: ['10.5.0.1'], protocol: 'TCP', node: '' });
    const named = workload({
      name: 'named',
      uid: uid('named'),
      addresses: [],
      hostname: 'vm.example',
      protocol: 'TCP',
      node: '',
    });
    const hbone = workload({ name: 'hbone', uid: uid('hbone'), addresses: ['10.5.0.3'], node: '' });
    const services = [
      service({
        endpoints: [vm, named].map((each) => ({ workloadUid: each.uid, status: 'Healthy', ports: [] })),
      }),
    ];
    const world = makeWorld({ workloads: [web, vm, named, hbone], services }, BOTH);
    expect(
      trace(world, web, '10.96.0.1:80').map(({ steps }) =>
        formatFact(steps.find(({ step }) => step === 'way')!.fact),
      ),
    ).toEqual(['plain TCP to shop/vm (10.5.0.1:8080)', 'plain TCP to shop/named (vm.example:8080)']);
    expect(decide(trace(world, web, '10.5.0.3:80'))).toEqual([
      'unknown at trust: shop/hbone presents a certificate of its own, which is in no dump',
    ]);
    expect(decide(trace(world, vm, '10.0.0.1:80'))).toEqual(['reached']);
  });

  test('policies that could not be read', () => {
    const sections = ['certificates', 'config', 'services', 'workloads', 'workloadState'] as const;
    const world = makeWorld({ workloads: [web, cart] }, { 'node-a': {}, 'node-b': { sections } });
    expect(decide(trace(world, web, '10.0.0.2:80'))).toEqual([
      'unknown at policies: the policies of ztunnel-node-b could not be read',
    ]);
  });

  test('without any dump', () => {
    expect(decide(trace(makeWorld({ workloads: [] }, {}), legacy, '10.0.0.2:80'))[0]).toContain('capture');
  });
});
