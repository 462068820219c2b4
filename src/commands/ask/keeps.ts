// Which rows TARGET and --selector leave.

import { formatIdentity } from '../../model/identity.ts';
import { keyOf } from '../../model/pods.ts';
import type { TargetPod } from '../../model/targetworld.ts';
import type { CertificateItem, Workload } from '../../model/types.ts';
import { describeWorkload } from '../../model/uid.ts';

/** Tests of rows; each command uses the one that fits its own. */
export interface Keeps {
  readonly certificate: (
    item: Pick<CertificateItem, 'identity' | 'node' | 'namespace' | 'serviceAccount'>,
  ) => boolean;
  readonly workload: (workload: Workload) => boolean;
  /** A pod by its name; null names are not known, and not kept. */
  readonly pod: (pod: { readonly namespace: string | null; readonly name: string | null }) => boolean;
}

export const KEEPS_ALL: Keeps = { certificate: () => true, workload: () => true, pod: () => true };

/** Rows of these pods, and certificates of the identities that they run under on their nodes. */
export function keepsPods(pods: readonly TargetPod[]): Keeps {
  const names = new Map(pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
  const places = new Set(pods.map((pod) => keyOf({ ...pod, node: pod.node ?? '' })));
  return {
    certificate: ({ node, namespace, serviceAccount }) =>
      places.has(
        keyOf({ node: node ?? '', namespace: namespace ?? '', serviceAccount: serviceAccount ?? '' }),
      ),
    workload: (workload) => {
      const { kind, namespace, name } = describeWorkload(workload);
      const pod = kind === 'Pod' ? names.get(`${namespace}/${name}`) : undefined;
      // A namesake of another cluster is on another node.
      return pod !== undefined && (pod.node === null || workload.node === '' || pod.node === workload.node);
    },
    pod: ({ namespace, name }) => names.has(`${namespace}/${name}`),
  };
}

/** Rows of one whole identity, whatever runs under it. */
export function keepsIdentity(wanted: string, pods: readonly TargetPod[]): Keeps {
  return {
    certificate: ({ identity }) => identity === wanted,
    workload: (workload) => formatIdentity(workload) === wanted,
    pod: keepsPods(pods).pod,
  };
}

/** What both keep. */
export function keepsBoth(a: Keeps, b: Keeps): Keeps {
  return {
    certificate: (item) => a.certificate(item) && b.certificate(item),
    workload: (workload) => a.workload(workload) && b.workload(workload),
    pod: (pod) => a.pod(pod) && b.pod(pod),
  };
}
