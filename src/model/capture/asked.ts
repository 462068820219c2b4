// Whether a pod is to be captured: by the labels of the pod and its namespace, as istio-cni reads them by default.

import { AMBIENT, DATAPLANE_MODE, NONE, SIDECAR_STATUS } from '../captured.ts';
import type { KubeObject, Pod } from '../kubernetes.ts';
import { isAlive } from '../owners/pods.ts';
import type { ListedIfThere } from '../types.ts';

/** Of istio-cni's `excludeNamespaces`, unless it is told otherwise. */
const EXCLUDED: ReadonlySet<string> = new Set(['kube-system']);

export type Asked =
  | { readonly asked: 'yes'; readonly by: 'pod' | 'namespace' }
  | { readonly asked: 'no' }
  /** The labels of its namespace are not known. */
  | { readonly asked: 'unknown' };

const NO: Asked = { asked: 'no' };
const UNKNOWN: Asked = { asked: 'unknown' };

/** A function that says what the labels ask for, whether the pod can be captured or not. */
export function createAskedLookup(namespaces: ListedIfThere<KubeObject>): (pod: Pod) => Asked {
  const modes = new Map(
    namespaces.known
      ? namespaces.items.map(({ metadata }) => [metadata.name, metadata.labels?.[DATAPLANE_MODE]])
      : [],
  );
  return ({ metadata }) => {
    const { namespace = '', labels } = metadata;
    if (EXCLUDED.has(namespace)) return NO;
    const own = labels?.[DATAPLANE_MODE];
    if (own === AMBIENT) return { asked: 'yes', by: 'pod' };
    if (own === NONE) return NO;
    if (!modes.has(namespace)) return UNKNOWN;
    return modes.get(namespace) === AMBIENT ? { asked: 'yes', by: 'namespace' } : NO;
  };
}

/** Why a pod can't be captured, whatever its labels ask for. */
export type Ineligible = 'hostNetwork' | 'sidecar' | 'ended';

/** undefined for one that can be. */
export function whyIneligible(pod: Pod): Ineligible | undefined {
  if (!isAlive(pod)) return 'ended';
  if (pod.spec?.hostNetwork) return 'hostNetwork';
  return pod.metadata.annotations?.[SIDECAR_STATUS] === undefined ? undefined : 'sidecar';
}
