// What is said of the certificates and workloads of a real mesh, at several times.

import { describe, expect, test } from '@jest/globals';
import { joinCertificates } from '../../src/model/certificates/certificates.ts';
import type { ConfigDump } from '../../src/model/dump.ts';
import type { CertificateItem, Owners } from '../../src/model/items.ts';
import type { Answer, Inventory } from '../../src/model/types.ts';
import { readDump, readInventory } from './captures.ts';
import { joinWorkloads } from './joinworkloads.ts';
import { file, inventory } from './values.ts';

const NODES = ['node-a', 'node-b', 'node-c'] as const;
const CAPTURED = '2026-11-29T22:03:42Z';

function join(dumps: readonly ConfigDump[], now: string, objects: Inventory = inventory()) {
  const answers: readonly Answer[] = dumps.map((dump, i) => ({ ztunnel: file(`${i}.json`), dump }));
  const base = { answers, inventory: objects, source: 'files' } as const;
  const certificates = joinCertificates({
    ...base,
    ztunnels: answers.map(({ ztunnel }) => ztunnel),
    failures: [],
    reference: new Date(now),
    warnWithin: { percent: 10 },
    evaluateMissing: true,
  });
  return { ...certificates, workloads: joinWorkloads({ ...base, certificates: certificates.items }) };
}

const lines = (items: readonly CertificateItem[]) =>
  items.map(
    ({ status, namespace, serviceAccount, node, owners }) =>
      `${status} ${namespace}/${serviceAccount} ${node} ${ownerText(owners)}`,
  );

function ownerText(owners: Owners): string {
  if (!owners.known) return owners.why;
  return owners.owners
    .map(
      ({ kind, name, ready, desired }) => `${kind}/${name}${desired === null ? '' : ` ${ready}/${desired}`}`,
    )
    .join(',');
}

const mesh = NODES.map(readDump);

test('three nodes when they were captured', () => {
  const { items, missingNotEvaluated } = join(mesh, CAPTURED);
  expect(missingNotEvaluated).toBeUndefined();
  expect(lines(items)).toEqual([
    'UNAVAILABLE shop/denied node-a Pod/denied-5d5f8c7b6-aaaaa',
    'UNAVAILABLE shop/wrongsan node-c Pod/wrongsan-5d5f8c7b6-eeeee',
    'NOT-YET-VALID shop/future node-b Pod/future-5d5f8c7b6-ddddd',
    'EXPIRED shop/expired node-b Pod/expired-5d5f8c7b6-ddddd',
    'INITIALIZING shop/slow node-a Pod/slow-5d5f8c7b6-bbbbb',
    'OK data/postgres node-b Pod/postgres-0',
    'OK shop/cart node-a Pod/cart-0',
    'OK shop/cart node-b Pod/cart-1',
    'OK shop/cart node-c Pod/cart-2',
    'OK shop/checkout node-a Pod/checkout-28899120-x2x2x',
    'OK shop/short-lived node-b Pod/short-5d5f8c7b6-ccccc',
    'OK shop/waypoint node-c Pod/waypoint-86c5b4d9f-ggggg',
    'OK shop/web node-a Pod/web-6f7d9c5b8-abcde',
    'OK shop/web node-b Pod/web-6f7d9c5b8-fghij',
    'OK shop/web node-c Pod/web-6f7d9c5b8-klmno',
  ]);
  expect(items[0]!.reason).toBe(
    'signing gRPC error (The caller does not have permission to execute the specified operation): caller is not authorized to impersonate spiffe://cluster.local/ns/shop/sa/denied',
  );
});

test('the next noon: renewals overdue, the short-lived one gone', () => {
  const late = join(mesh, '2026-11-30T12:00:00Z').items.filter(({ state }) => state === 'Available');
  const byStatus = Map.groupBy(late, ({ status }) => status);
  expect(byStatus.get('RENEWAL-OVERDUE')).toHaveLength(9);
  expect(byStatus.get('EXPIRED')?.map(({ serviceAccount }) => serviceAccount)).toEqual(
    ['short-lived', 'expired'].toSorted(),
  );
  expect(byStatus.get('NOT-YET-VALID')).toHaveLength(1);
});

test('a ztunnel that sends the root in the chain, judged with it', () => {
  const { items } = join([readDump('ztunnel-1.24-node-a')], CAPTURED);
  expect(lines(items).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'UNAVAILABLE shop/denied',
    'INITIALIZING shop/slow',
    'OK shop/cart',
    'OK shop/checkout',
    'OK shop/web',
  ]);
  const cart = items[2]!;
  expect([cart.chain.length, cart.roots.length, cart.anchor?.subject]).toEqual([
    2,
    1,
    'O=cluster.local, CN=Root CA',
  ]);
});

test('every fact of one certificate', () => {
  const cart = join(mesh, CAPTURED).items.find(
    ({ node, serviceAccount }) => node === 'node-a' && serviceAccount === 'cart',
  );
  expect(cart).toMatchObject({
    identity: 'spiffe://cluster.local/ns/shop/sa/cart',
    principal: 'cluster.local/ns/shop/sa/cart',
    ztunnel: { namespace: null, name: '0.json', node: 'node-a' },
    notBefore: '2026-11-29T21:54:29Z',
    notAfter: '2026-11-30T21:56:29Z',
    effectiveNotAfter: '2026-11-30T21:56:29Z',
    remainingSeconds: 85_967,
    lifetimePercent: 0.6,
    serialNumber: {
      decimal: '133865010432593852450154055119829542096',
      hex: '64B57694EA9A6C4F306B731FD08D24D0',
    },
    issuer: 'O=cluster.local, CN=Intermediate CA',
  });
  expect(cart?.fingerprintSHA256).toBe('2374c309c1c75f15a504095fa588451e1aa0b7888c9fdd656e32e5916dd53008');
});

describe("with the API server's objects", () => {
  const objects = readInventory();

  test('owners are the controllers', () => {
    const owners = new Set(
      lines(join(mesh, CAPTURED, objects).items).map((line) => line.split(' ').slice(3).join(' ')),
    );
    expect([...owners].toSorted()).toEqual([
      'CronJob/checkout',
      'Deployment/denied',
      'Deployment/expired',
      'Deployment/future',
      'Deployment/short',
      'Deployment/slow',
      'Deployment/waypoint',
      'Deployment/web',
      'Deployment/wrongsan',
      'StatefulSet/cart 3/3',
      'StatefulSet/postgres 1/1',
    ]);
  });

  const withoutCart = mesh.map((dump) =>
    dump.config.localNode === 'node-a'
      ? { ...dump, certificates: dump.certificates.filter(({ identity }) => !identity.endsWith('/cart')) }
      : dump,
  );
  const missing = (dumps: readonly ConfigDump[], now: string, inv = objects) =>
    join(dumps, now, inv)
      .items.filter(({ status }) => status === 'MISSING')
      .map((item) => `${lines([item])[0]}, ${item.severity}`);

  test.each([
    ['nothing, once the pods are settled', mesh, '2026-11-29T23:00:00Z', []],
    [
      'cart, without its entry',
      withoutCart,
      '2026-11-29T23:00:00Z',
      ['MISSING shop/cart node-a StatefulSet/cart 3/3, critical'],
    ],
    [
      'a warning, while its pod is young',
      withoutCart,
      '2026-11-29T22:22:00Z',
      ['MISSING shop/cart node-a StatefulSet/cart 3/3, warning'],
    ],
  ])('MISSING is %s', (_name, dumps, now, expected) => {
    expect(missing(dumps, now)).toEqual(expected);
  });

  test("without the objects, the dump's own workloads are expected: no TCP, no host network, no waypoint", () => {
    const without = mesh.map((dump) => ({ ...dump, certificates: [] }));
    expect(missing(without, CAPTURED, inventory()).map((line) => line.split(' ')[1])).toEqual([
      'data/postgres',
      'shop/cart',
      'shop/cart',
      'shop/cart',
      'shop/checkout',
      'shop/denied',
      'shop/expired',
      'shop/future',
      'shop/short-lived',
      'shop/slow',
      'shop/web',
      'shop/web',
      'shop/web',
      'shop/wrongsan',
    ]);
  });

  test('workloads', () => {
    const rows = join(mesh, CAPTURED, objects).workloads.map(
      ({ workload, certificate, waypoint, owner, ztunnels }) =>
        `${workload.namespace}/${workload.name} ${certificate} ${waypoint} ${ownerText(owner)} ${ztunnels.length}`,
    );
    expect(rows).toEqual([
      'data/legacy-7c9d8f6b5-fffff none null Deployment/legacy 3',
      'data/postgres-0 OK null StatefulSet/postgres 1/1 3',
      'infra/agent-hhhhh none null DaemonSet/agent 3',
      'infra/agent-iiiii none null DaemonSet/agent 3',
      'shop/cart-0 OK null StatefulSet/cart 3/3 3',
      'shop/cart-1 OK null StatefulSet/cart 3/3 3',
      'shop/cart-2 OK null StatefulSet/cart 3/3 3',
      'shop/checkout-28899120-x2x2x OK null CronJob/checkout 3',
      'shop/denied-5d5f8c7b6-aaaaa UNAVAILABLE null Deployment/denied 3',
      'shop/expired-5d5f8c7b6-ddddd EXPIRED null Deployment/expired 3',
      'shop/future-5d5f8c7b6-ddddd NOT-YET-VALID null Deployment/future 3',
      'shop/short-5d5f8c7b6-ccccc OK null Deployment/short 3',
      'shop/slow-5d5f8c7b6-bbbbb INITIALIZING null Deployment/slow 3',
      'shop/vm-1 none null WorkloadEntry/vm-1 3',
      'shop/waypoint-86c5b4d9f-ggggg OK null Deployment/waypoint 3',
      'shop/web-6f7d9c5b8-abcde OK null Deployment/web 3',
      'shop/web-6f7d9c5b8-fghij OK null Deployment/web 3',
      'shop/web-6f7d9c5b8-klmno OK null Deployment/web 3',
      'shop/wrongsan-5d5f8c7b6-eeeee UNAVAILABLE null Deployment/wrongsan 3',
    ]);
  });
});
