// When a Lease expires, whether it is held, and which pod or node its holderIdentity means.

import { KINDS } from '../kinds.ts';
import type { Lease, Pod } from '../kubernetes.ts';
import { isAlive } from '../owners/pods.ts';

/** `released`: nobody holds it; `expired`: its holder has stopped renewing it. */
export const LEASE_STATUSES = ['expired', 'held', 'released'] as const;
export type LeaseStatus = (typeof LEASE_STATUSES)[number];

/** Where the kubelets keep their nodes' Leases, each under its node's name. */
export const NODE_LEASE_NAMESPACE = KINDS.leases.usualNamespace;

/** The moment (ms since 1970) from which a Lease is not held any more: renewTime + leaseDurationSeconds; undefined without both. */
export function findLeaseEnd({ spec }: Lease): number | undefined {
  const renewed = findRenewal({ spec });
  const { leaseDurationSeconds } = spec ?? {};
  if (renewed === undefined || leaseDurationSeconds === undefined) return undefined;
  return renewed + leaseDurationSeconds * 1000;
}

/** When it was last renewed, in ms since 1970; undefined for none and for what is no time. */
export function findRenewal({ spec }: Pick<Lease, 'spec'>): number | undefined {
  const renewed = Date.parse(spec?.renewTime ?? '');
  return Number.isNaN(renewed) ? undefined : renewed;
}

/** A renewal after `at` (ms since 1970) counts. One that says neither when nor for how long is not held. */
export function judgeLease(lease: Lease, at: number): LeaseStatus {
  // client-go's leader election gives up a Lease by emptying its holder.
  if (!lease.spec?.holderIdentity) return 'released';
  const end = findLeaseEnd(lease);
  return end !== undefined && at < end ? 'held' : 'expired';
}

/** Who holds a Lease: a pod, a node, or a text that means nothing here; 'none' for a released one. */
export type Holder =
  | { readonly kind: 'pod'; readonly pod: Pod }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' };

/**
 * A function that finds who holds a Lease. client-go's leader election names a holder `<host>` or `<host>_<uuid>`,
 * where the host of a pod is its name, and of a pod on the host's network its node's name. Pods of the Lease's own
 * namespace come first, then one of that name anywhere if it is the only one. Ended pods hold nothing.
 */
export function createHolderLookup(pods: readonly Pod[], nodes: readonly string[]): (lease: Lease) => Holder {
  const alive = pods.filter(isAlive);
  const byName = Map.groupBy(alive, ({ metadata }) => metadata.name);
  const onHost = Map.groupBy(
    alive.filter(({ spec }) => spec?.hostNetwork),
    ({ spec }) => spec?.nodeName ?? '',
  );
  const knownNodes = new Set([...nodes, ...alive.flatMap(({ spec }) => spec?.nodeName ?? [])]);
  return (lease) => {
    const text = lease.spec?.holderIdentity ?? '';
    if (text === '') return { kind: 'none' };
    const names = listHosts(text);
    for (const name of names) {
      const pod = pickPod(byName.get(name) ?? [], lease);
      if (pod) return { kind: 'pod', pod };
    }
    const node = names.find((name) => knownNodes.has(name));
    if (node === undefined) return { kind: 'text', text };
    const pod = pickHostPod(onHost.get(node) ?? [], lease, node);
    return pod ? { kind: 'pod', pod } : { kind: 'node', name: node };
  };
}

/** The whole text first, then what stands before an `_`: neither a pod's nor a node's name can hold one. */
function listHosts(text: string): readonly string[] {
  const end = text.indexOf('_');
  return end > 0 ? [text, text.slice(0, end)] : [text];
}

function pickPod(namesakes: readonly Pod[], { metadata: { namespace } }: Lease): Pod | undefined {
  const own = namesakes.find((pod) => pod.metadata.namespace === namespace);
  return own ?? (namesakes.length === 1 ? namesakes[0] : undefined);
}

/** A host may run many: the one of the Lease's namespace that is named after the Lease, as kubeadm's static pods are. */
function pickHostPod(pods: readonly Pod[], { metadata }: Lease, node: string): Pod | undefined {
  return pods.find(
    (pod) =>
      pod.metadata.namespace === metadata.namespace && pod.metadata.name === `${metadata.name}-${node}`,
  );
}
