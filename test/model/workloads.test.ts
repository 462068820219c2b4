// How workloads of dumps get their certificate, owner and waypoint.

import { describe, expect, test } from '@jest/globals';
import type { Workload } from '../../src/model/dump.ts';
import type { CertificateItem, Status } from '../../src/model/items.ts';
import type { Inventory, Severity } from '../../src/model/types.ts';
import type { WorkloadInput } from '../../src/model/workloads/workloads.ts';
import { joinWorkloads } from './joinworkloads.ts';
import {
  answer,
  CART,
  controlledBy,
  dump,
  entry,
  file,
  forbidden,
  inventory,
  listed,
  pod,
  service,
  workload,
  ztunnel,
} from './values.ts';

const SEVERITY = {
  OK: 'ok',
  EXPIRED: 'critical',
  MISSING: 'critical',
  INITIALIZING: 'warning',
  EXPIRING: 'warning',
};

function certificate(status: keyof typeof SEVERITY, values: Partial<CertificateItem> = {}): CertificateItem {
  return {
    identity: CART,
    trustDomain: 'cluster.local',
    namespace: 'shop',
    serviceAccount: 'cart',
    principal: 'cluster.local/ns/shop/sa/cart',
    node: 'node-a',
    ztunnel: null,
    state: null,
    status: status as Status,
    severity: SEVERITY[status] as Severity,
    reason: null,
    notBefore: null,
    notAfter: null,
    effectiveNotAfter: null,
    remainingSeconds: null,
    lifetimePercent: null,
    serialNumber: null,
    fingerprintSHA256: null,
    issuer: null,
    chain: [],
    roots: [],
    anchor: null,
    issuers: [],
    peering: null,
    use: { state: 'unknown', oldestSeconds: undefined, settled: undefined },
    owners: { known: false, why: 'unknown' },
    entry: entry(),
    ...values,
  };
}

const zt = ztunnel('ztunnel-a', 'node-a');

function join(
  workloads: readonly Partial<Workload>[],
  values: Partial<WorkloadInput> = {},
  services = dump().services,
) {
  return joinWorkloads({
    answers: [answer(zt, { workloads: workloads.map(workload), services })],
    inventory: inventory(),
    source: 'live',
    certificates: [certificate('OK')],
    ...values,
  });
}

describe('CERTIFICATE', () => {
  const inTrustDomain = (td: string) => ({ identity: CART.replace('cluster.local', td), trustDomain: td });
  const cases: readonly (readonly [
    string,
    Partial<Workload>,
    readonly CertificateItem[],
    string,
    Severity,
  ])[] = [
    ['its identity on its node', {}, [certificate('EXPIRED')], 'EXPIRED', 'critical'],
    ['needs none: TCP', { protocol: 'TCP' }, [certificate('EXPIRED')], 'none', 'ok'],
    ['needs none: host network', { networkMode: 'HostNetwork' }, [certificate('EXPIRED')], 'none', 'ok'],
    ['needs none: TCP on no node', { protocol: 'TCP', node: '' }, [], 'none', 'ok'],
    [
      'a waypoint needs one',
      { protocol: 'TCP', nativeTunnel: true },
      [certificate('EXPIRED')],
      'EXPIRED',
      'critical',
    ],
    ['not known: no ztunnel of its node spoke', { node: 'node-b' }, [certificate('OK')], '-', 'information'],
    ['not known: on no node', { node: '' }, [certificate('OK', { node: null })], '-', 'information'],
    ['not known: another identity', { serviceAccount: 'web' }, [certificate('OK')], '-', 'information'],
    ['not known: another namespace', { namespace: 'data' }, [certificate('OK')], '-', 'information'],
    ['not known: another cluster', { uid: 'east//Pod/shop/cart-0' }, [certificate('OK')], '-', 'information'],
    ['the worse of two by severity', {}, [certificate('OK'), certificate('EXPIRING')], 'EXPIRING', 'warning'],
    [
      'the worse of two by status',
      {},
      [certificate('EXPIRING'), certificate('INITIALIZING')],
      'INITIALIZING',
      'warning',
    ],
    ['missing', {}, [certificate('MISSING')], 'MISSING', 'critical'],
    [
      'missing under a guessed trust domain',
      { trustDomain: 'td' },
      [certificate('MISSING')],
      'MISSING',
      'critical',
    ],
    [
      'its own trust domain first',
      { trustDomain: 'td' },
      [certificate('EXPIRED'), certificate('OK', inTrustDomain('td'))],
      'OK',
      'ok',
    ],
  ];
  test.each(cases)('%s', (_name, values, certificates, expected, severity) => {
    expect(join([values], { certificates })).toMatchObject([{ certificate: expected, severity }]);
  });
});

describe('OWNER', () => {
  const known = inventory({ pods: listed(pod({ owner: controlledBy('apps/v1 StatefulSet cart') })) });
  const owner = (kind: string, name: string, pods: readonly string[]) => ({
    known: true,
    owners: [{ kind, namespace: 'shop', name, ready: null, desired: null, pods }],
  });
  const unknown = { known: false, why: 'unknown' };
  const entryUid = 'Kubernetes/networking.istio.io/WorkloadEntry/shop/vm';
  const cases: readonly (readonly [string, Partial<Workload>, Inventory, 'live' | 'files', object])[] = [
    ['the controller', {}, known, 'live', owner('StatefulSet', 'cart', ['cart-0'])],
    [
      'by name, whatever the node',
      { node: 'node-z' },
      known,
      'live',
      owner('StatefulSet', 'cart', ['cart-0']),
    ],
    ['no such pod', { name: 'cart-9' }, known, 'live', unknown],
    [
      'a pod that has ended',
      {},
      inventory({ pods: listed(pod({ status: { phase: 'Failed' } })) }),
      'live',
      unknown,
    ],
    ['a namesake in another cluster', { uid: 'east//Pod/shop/cart-0' }, known, 'live', unknown],
    ['no pod at all', { uid: entryUid }, known, 'live', owner('WorkloadEntry', 'vm', [])],
    [
      'no pod at all, nothing listed',
      { uid: entryUid },
      inventory(),
      'live',
      owner('WorkloadEntry', 'vm', []),
    ],
    ['pods not asked for', {}, inventory(), 'live', unknown],
    ['pods forbidden', {}, inventory({ pods: forbidden }), 'live', { known: false, why: 'forbidden' }],
    ['from files', {}, inventory(), 'files', owner('Pod', 'cart-0', ['cart-0'])],
    ['from files with objects', {}, known, 'files', owner('StatefulSet', 'cart', ['cart-0'])],
  ];
  test.each(cases)('%s', (_name, values, objects, source, expected) => {
    expect(join([values], { inventory: objects, source })[0]?.owner).toEqual(expected);
  });

  test('a dump that does not name its cluster takes pods by their name', () => {
    const config = { ...dump().config, clusterId: undefined };
    const answers = [answer(zt, { config, workloads: [workload({ uid: 'east//Pod/shop/cart-0' })] })];
    expect(join([], { answers, inventory: known })[0]?.owner.known).toBe(true);
  });
});

describe('WAYPOINT', () => {
  const waypoint = (namespace: string, vip: string) =>
    service({ name: 'waypoint', namespace, hostname: `waypoint.${namespace}.svc`, vips: [vip] });
  const services = [waypoint('shop', 'net/10.0.0.1'), waypoint('infra', '/fd00::0:1')];
  test.each([
    [undefined, null],
    ['', null],
    ['shop/waypoint.shop.svc', 'waypoint'],
    ['infra/waypoint.infra.svc', 'infra/waypoint'],
    ['net/10.0.0.1', 'waypoint'],
    ['/10.0.0.1', '/10.0.0.1'],
    ['/fd00:0:0::1', 'infra/waypoint'],
    ['shop/other.shop.svc', 'shop/other.shop.svc'],
  ])('%s', (destination, expected) => {
    const waypoint = destination === undefined ? undefined : { destination, port: 15008 };
    expect(join([{ waypoint }], {}, services)[0]?.waypoint).toBe(expected);
  });
});

test('several dumps are joined by uid: the first that holds one describes it', () => {
  const later = answer(file('b.json'), {
    workloads: [workload({ status: 'Unhealthy' }), workload({ name: 'cart-1' })],
  });
  const first = answer(file('a.json'), { workloads: [workload(), workload()] });
  const items = join([], { answers: [first, later] });
  expect(
    items.map(({ workload: w, ztunnels }) => [w.name, w.status, ztunnels.map(({ name }) => name)]),
  ).toEqual([
    ['cart-0', 'Healthy', ['a.json', 'b.json']],
    ['cart-1', 'Healthy', ['b.json']],
  ]);
});

test('without uids (ztunnel 1.18), by name and addresses', () => {
  const bare = { uid: '', addresses: ['10.0.0.1'] };
  const items = join([bare, bare, { ...bare, addresses: ['10.0.0.2'] }]);
  expect(items.map(({ kind }) => kind)).toEqual(['Pod', 'Pod']);
});

test('in order of namespace, name, node, uid', () => {
  const of = (namespace: string, name: string, node: string, uid: string) => ({ namespace, name, node, uid });
  const rows = [
    of('b', 'a', 'a', '1'),
    of('a', 'b', 'a', '2'),
    of('a', 'a', 'b', '3'),
    of('a', 'a', 'a', '5'),
    of('a', 'a', 'a', '4'),
  ];
  expect(join(rows).map(({ workload: w }) => w.uid)).toEqual(['4', '5', '3', '2', '1']);
});
