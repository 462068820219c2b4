// The mesh that `npm start` shows: a shop on three nodes in which every STATUS occurs.

import type { Condition } from './certificates.ts';
import type { ServiceSpec, WorkloadEntrySpec } from './dumpworkloads.ts';
import { serviceEntry, tlsRule } from './istio.ts';
import { type Scenario, scenario } from './scenario.ts';
import { barePod, daemonSet, deployment, job, lease, type Part, rollout, statefulSet } from './workloads.ts';

export const NODES = [
  'ip-10-0-12-34.eu-west-1.compute.internal',
  'ip-10-0-45-201.eu-west-1.compute.internal',
  'ip-10-0-78-119.eu-west-1.compute.internal',
] as const;
const [A, B, C] = NODES;

const WAYPOINT = { 'gateway.istio.io/managed': 'istio.io-mesh-controller' };

const WORKLOADS: readonly Part[] = [
  deployment('shop/web', { on: [A, B, C] }),
  deployment('shop/recommendations', { on: [B, C] }),
  deployment('shop/payments', { on: [A] }),
  deployment('shop/search', { on: [C] }),
  deployment('shop/reviews', { on: [B] }),
  deployment('shop/shipping', { on: [C] }),
  deployment('shop/waypoint', { on: [C], captured: false, labels: WAYPOINT }),
  rollout('shop/storefront', { on: [A, B] }),
  statefulSet('shop/cart', { on: [A, B, C] }),
  job('shop/checkout-29440800', { on: [A], cronJob: 'checkout', serviceAccount: 'checkout' }),
  statefulSet('data/postgres', { on: [B, C], readyReplicas: 1 }),
  deployment('data/backup', { on: [A] }),
  deployment('data/legacy-importer', { on: [A], captured: false }),
  deployment('billing/invoices', { on: [B] }),
  deployment('billing/ledger', { on: [C], ageSeconds: 300 }),
  daemonSet('infra/log-shipper', { on: NODES, hostNetwork: true }),
  daemonSet('infra/metrics', { on: NODES }),
  barePod('infra/debug', { on: B }),
  deployment('infra/canary', { on: [A], ageSeconds: 30, ready: false }),
  serviceEntry('data/warehouse', {
    hosts: ['warehouse.example.com'],
    subjectAltNames: ['spiffe://cluster.local/ns/data/sa/warehouse'],
  }),
  tlsRule('shop/cart', 'cart', 'ISTIO_MUTUAL', 'spiffe://cluster.local/ns/shop/sa/cart'),
  lease('shop/cart-leader', { holder: 'cart-1' }),
  lease('kube-system/kube-scheduler', { holder: 'ip-10-0-0-10_5f0c7d1e-8d3c-4c7e-9f35-0d0b6a2f1c11' }),
  lease('billing/ledger-leader', { holder: 'ledger-gone', renewedSecondsAgo: 7200 }),
];

const CERTIFICATES: Readonly<Record<string, Condition>> = {
  'shop/payments': 'UNAVAILABLE',
  'infra/canary': 'INITIALIZING',
  'infra/debug': 'UNKNOWN',
  'shop/search': 'MISMATCH',
  'shop/reviews': 'NOT-YET-VALID',
  'data/backup': 'EXPIRED',
  'billing/invoices': 'UNTRUSTED',
  'shop/recommendations': 'EXPIRING',
  [`shop/recommendations@${C}`]: 'RENEWAL-OVERDUE',
  'shop/shipping': 'EXPIRED-INTERMEDIATE',
  'billing/ledger': 'MISSING',
  // Its last pod on this node is gone; ztunnel drops the identity later.
  [`shop/promotions@${A}`]: { state: 'Unavailable: the identity is no longer needed' },
  [`shop/promotions@${B}`]: 'RENEWAL-OVERDUE',
};

const SERVICES: readonly ServiceSpec[] = [
  { name: 'shop/web', vip: '172.20.0.10', waypoint: 'shop/waypoint' },
  { name: 'shop/cart', vip: '172.20.0.11', waypoint: 'shop/waypoint' },
  { name: 'shop/waypoint', vip: '172.20.0.12' },
  { name: 'billing/invoices', vip: '172.20.0.13', waypoint: 'shop/waypoint' },
  {
    name: 'data/postgres',
    vip: '172.20.0.14',
    subjectAltNames: ['spiffe://cluster.local/ns/data/sa/postgres'],
  },
];

const ENTRIES: readonly WorkloadEntrySpec[] = [
  { name: 'billing/mainframe', address: '172.31.4.9', serviceAccount: 'mainframe', network: 'datacentre' },
];

/** The demonstration as of `at` (RFC 3339); its `Date` header then goes on with the system clock. */
export async function demo(at: string): Promise<Scenario> {
  const shop = await scenario({
    at,
    nodes: NODES,
    workloads: WORKLOADS,
    certificates: CERTIFICATES,
    services: SERVICES,
    entries: ENTRIES,
  });
  return { ...shop, clock: { offsetSeconds: 0 } };
}
