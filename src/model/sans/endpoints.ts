// Who stands behind a service: the identity, labels and owner of each endpoint.

import { formatIdentity } from '../certificates/identity.ts';
import type { Service, Workload } from '../dump.ts';
import type { Owners } from '../items.ts';
import type { PodSources } from '../owners/pods.ts';
import type { Answer } from '../types.ts';
import { describeWorkload } from '../uid.ts';
import { createWorkloadOwnerLookup } from '../workloads/workloads.ts';

export interface NamedEndpoint {
  readonly workload: Workload;
  /** As in a WorkloadItem. */
  readonly kind: string;
  /** What the certificate that it presents should name. */
  readonly identity: string;
  /** undefined where they are not known. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Clients in the mesh reach it through its ztunnel, or a waypoint. */
  readonly speaksHbone: boolean;
  readonly owners: Owners;
}

/** A function that gives a service's endpoints, each once by uid; those of which no dump holds the workload are left out. */
export function createEndpointLookup(input: PodSources): (service: Service) => readonly NamedEndpoint[] {
  const workloads = indexWorkloads(input.answers);
  const ownerOf = createWorkloadOwnerLookup(input);
  const labelsOf = createLabelLookup(input);
  const clusters = new Set(input.answers.flatMap(({ dump }) => dump.config.clusterId ?? []));
  const describe = (workload: Workload): NamedEndpoint => {
    const origin = describeWorkload(workload);
    // A mesh of several clusters has namesakes.
    const isLocal = clusters.size === 0 || origin.cluster === '' || clusters.has(origin.cluster);
    return {
      workload,
      kind: origin.kind,
      identity: formatIdentity(workload),
      labels: isLocal && origin.kind === 'Pod' ? labelsOf(origin) : undefined,
      speaksHbone: workload.protocol === 'HBONE' || workload.nativeTunnel,
      owners: ownerOf(origin, isLocal),
    };
  };
  return ({ endpoints }) => {
    const uids = new Set(endpoints.map(({ workloadUid }) => workloadUid));
    return [...uids].flatMap((uid) => workloads.get(uid) ?? []).map(describe);
  };
}

function indexWorkloads(answers: readonly Answer[]): ReadonlyMap<string, Workload> {
  // The first dump that holds one describes it.
  return new Map(
    answers
      .flatMap(({ dump }) => dump.workloads)
      .toReversed()
      .map((workload) => [workload.uid, workload]),
  );
}

function createLabelLookup({ inventory: { pods } }: PodSources) {
  const known = new Map(
    pods.known
      ? pods.items.map(({ metadata }) => [
          `${metadata.namespace}/${metadata.name}`,
          metadata.labels ?? ({} as Readonly<Record<string, string>>),
        ])
      : [],
  );
  return ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
    known.get(`${namespace}/${name}`);
}
