// Which pod, or which node, a Lease's holderIdentity means.

import type { Lease, Pod } from '../kubernetes.ts';
import { isAlive } from '../owners/pods.ts';

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
