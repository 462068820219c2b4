// Which rows TARGET and --selector leave.

import { formatIdentity, parseIdentity } from '../../model/certificates/identity.ts';
import type { Workload } from '../../model/dump.ts';
import type { Concerned } from '../../model/findings/finding.ts';
import type { CertificateItem, Owners } from '../../model/items.ts';
import { keyOf } from '../../model/owners/pods.ts';
import type { TargetType } from '../../model/targets/target.ts';
import { isCalled, type TargetPod } from '../../model/targets/targetworld.ts';
import { describeWorkload } from '../../model/uid.ts';

/** Tests of rows; each command uses the one that fits its own. */
export interface Keeps {
  readonly certificate: (
    item: Pick<CertificateItem, 'identity' | 'node' | 'namespace' | 'serviceAccount'>,
  ) => boolean;
  readonly workload: (workload: Workload) => boolean;
  /** A pod by its name; what is not known is not kept. */
  readonly pod: (pod: {
    readonly namespace: string | null | undefined;
    readonly name: string | null | undefined;
  }) => boolean;
  /** What a finding concerns, if it belongs to workloads. */
  readonly concerned: (object: Concerned) => boolean;
}

export const KEEPS_ALL: Keeps = {
  certificate: () => true,
  workload: () => true,
  pod: () => true,
  concerned: () => true,
};

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
    concerned: ({ kind, namespace, name, node, hits }) => {
      const { [kind]: type = 'serviceaccount' } = CONCERNED_AS;
      if (type === 'those behind it') return isBehind(hits, names);
      return pods.some(
        (pod) =>
          pod.namespace === namespace &&
          isCalled(pod, type, name) &&
          (node === null || pod.node === null || node === pod.node),
      );
    },
  };
}

/** One of the pods is hit. */
function isBehind(hits: Owners, names: ReadonlyMap<string, unknown>): boolean {
  return (
    hits.known &&
    hits.owners.some(({ namespace, pods }) => pods.some((pod) => names.has(`${namespace}/${pod}`)))
  );
}

/** What else findings name goes by its service account. */
const CONCERNED_AS: Partial<Record<Concerned['kind'], TargetType | 'those behind it'>> = {
  Pod: 'pod',
  StatefulSet: 'statefulset',
  Service: 'those behind it',
  Workload: 'those behind it',
};

/** Rows of one whole identity, whatever runs under it. */
export function keepsIdentity(wanted: string, pods: readonly TargetPod[]): Keeps {
  const ofPods = keepsPods(pods);
  const parts = parseIdentity(wanted);
  return {
    certificate: ({ identity }) => identity === wanted,
    workload: (workload) => formatIdentity(workload) === wanted,
    pod: ofPods.pod,
    concerned: (object) =>
      ofPods.concerned(object) ||
      (CONCERNED_AS[object.kind] === undefined &&
        object.namespace === parts?.namespace &&
        object.name === parts?.serviceAccount),
  };
}

/** What both keep. */
export function keepsBoth(a: Keeps, b: Keeps): Keeps {
  return {
    certificate: (item) => a.certificate(item) && b.certificate(item),
    workload: (workload) => a.workload(workload) && b.workload(workload),
    pod: (pod) => a.pod(pod) && b.pod(pod),
    concerned: (object) => a.concerned(object) && b.concerned(object),
  };
}
