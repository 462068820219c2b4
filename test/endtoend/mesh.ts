// The mesh that the control plane is seeded with, in the words of the embedded one.

import { gather, type Manifest, type Objects } from '../mesh/resources.ts';
import { type Scenario, scenario } from '../mesh/scenario.ts';
import { barePod, daemonSet, deployment, job, lease, node, statefulSet } from '../mesh/workloads.ts';

export const NODES = ['node-a', 'node-b', 'node-c'] as const;
const [A, B, C] = NODES;
/** Its ztunnel belongs to a DaemonSet of another name, in another namespace. */
export const OTHER_NODE = 'node-d';
/** Nothing listens at its kubelet's port. */
export const NODE_WITHOUT_KUBELET = 'node-without-kubelet';
/** Pods are bound to it, but it does not exist. */
export const NODE_GONE = 'node-gone';
const DEAD_FOR_S = 3600;
/** More pods than one page of a list holds. */
export const CROWD = 520;

/** Ztunnels that fail, each in its way; `--ztunnel-selector app=ztunnel-faulty` chooses them. */
export const FAULTY = { labels: { app: 'ztunnel-faulty' }, captured: false } as const;

export interface SeededMesh {
  readonly objects: Objects;
  /** By `namespace/name` of the ztunnel's pod. */
  readonly ztunnels: Scenario['ztunnels'];
}

/** As of `at` (RFC 3339), from which certificates and ages count. */
export async function seededMesh(at: string): Promise<SeededMesh> {
  const main = await scenario({
    at,
    nodes: NODES,
    workloads: [
      deployment('shop/web', { on: [A, B] }),
      deployment('shop/payments', { on: [A] }),
      statefulSet('shop/cart', { on: NODES, readyReplicas: 2 }),
      job('shop/checkout-29440800', { on: [B], cronJob: 'checkout', serviceAccount: 'checkout' }),
      deployment('data/backup', { on: [C] }),
      deployment('billing/ledger', { on: [C] }),
      daemonSet('infra/log-shipper', { on: NODES, hostNetwork: true }),
      lease('shop/cart-leader', { holder: 'cart-1' }),
      lease('kube-system/kube-scheduler', { holder: 'node-a_5f0c7d1e-8d3c-4c7e-9f35-0d0b6a2f1c11' }),
    ],
    services: [
      { name: 'shop/web', vip: '10.96.0.10' },
      {
        name: 'shop/cart',
        vip: '10.96.0.11',
        subjectAltNames: ['spiffe://cluster.local/ns/shop/sa/cart'],
      },
    ],
    certificates: {
      'shop/payments': 'UNAVAILABLE',
      'data/backup': 'EXPIRED',
      'billing/ledger': 'MISSING',
    },
  });
  const other = await scenario({
    at,
    nodes: [OTHER_NODE],
    ztunnel: 'kube-system/istio-ztunnel',
    workloads: [deployment('edge/gateway', { on: [OTHER_NODE] })],
  });
  const faulty = [
    node(NODE_WITHOUT_KUBELET, { renewedSecondsAgo: DEAD_FOR_S }),
    barePod('faulty/gone-from-kubelet', { on: A, ...FAULTY }),
    barePod('faulty/hangs', { on: A, ...FAULTY }),
    barePod('faulty/no-kubelet', { on: NODE_WITHOUT_KUBELET, ...FAULTY }),
    barePod('faulty/no-node', { on: NODE_GONE, ...FAULTY }),
    barePod('faulty/refuses', { on: A, ...FAULTY }),
  ];
  const alive = gather([main, other]);
  const objects = gather([
    { ...alive, leases: alive.leases.map(lasting) },
    ...faulty.map((part) => part(at)),
  ]);
  return { objects, ztunnels: { ...main.ztunnels, ...other.ztunnels } };
}

/** No kubelet renews a Lease here, so it has to last as long as the suite. */
function lasting(heartbeat: Manifest): Manifest {
  return { ...heartbeat, spec: { ...heartbeat.spec, leaseDurationSeconds: 86_400 } };
}
