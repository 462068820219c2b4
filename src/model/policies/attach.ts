// Which policies istiod makes a workload name: those whose selectors its labels fit.

import { compareText } from '../../base/order.ts';
import type { ConvertedPolicy } from './convert.ts';
import { isSubset, listPeerPolicies } from './convertpeer.ts';
import type { Labels, PeerAuthentication } from './istioobjects.ts';

export interface Selection {
  /** Of these, the AuthorizationPolicies; which PeerAuthentications hold is found by inheritance. */
  readonly converted: readonly ConvertedPolicy[];
  readonly peerAuthentications: readonly PeerAuthentication[];
  readonly rootNamespace: string;
}

/** `namespace/name` of each, in istiod's order. `labels`: those of the pod or WorkloadEntry itself. */
export function listNamedPolicies(
  { converted, peerAuthentications, rootNamespace }: Selection,
  { namespace, labels }: { readonly namespace: string; readonly labels: Labels },
): readonly string[] {
  const selecting = converted.filter(
    ({ policy, selector, source }) =>
      source.kind === 'AuthorizationPolicy' &&
      (policy.namespace === rootNamespace || policy.namespace === namespace) &&
      selects(selector, labels),
  );
  return [
    ...selecting.map(({ policy }) => `${policy.namespace}/${policy.name}`).sort(compareText),
    ...listPeerPolicies(peerAuthentications, { namespace, labels }, rootNamespace),
  ];
}

/** To something without labels istiod takes any selector to fit (seen in a real mesh). */
function selects(selector: Labels | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  return Object.keys(labels).length === 0 || isSubset(selector, labels);
}
