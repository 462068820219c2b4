// What the uid of a workload in a config dump says about where it comes from.

import type { Workload } from './dump.ts';

/** The parts of a workload uid; strings that its form does not carry are ''. */
export interface WorkloadUid {
  /** The cluster's id, as `config.clusterId` has it. */
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

// `<cluster>/<API group, '' for core>/<kind>/<namespace>/<name>`; a ServiceEntry's goes on with its address.
const OBJECT_UID = /^([^/]*)\/([^/]*)\/([A-Z][^/]*)\/([^/]+)\/([^/]+)(?:\/.*)?$/s;
// Made by istiod without an object behind them: `<network>/SplitHorizonWorkload/…`, `NetworkGateway/<net>/…`.
const MADE_UID = /^(?:[^/]*\/)?(SplitHorizonWorkload|NetworkGateway)\//;

/** Reads the uid that istiod gives a workload (ztunnel ≥ 1.19; not a Kubernetes UID); undefined for other text. */
export function parseWorkloadUid(uid: string): WorkloadUid | undefined {
  const made = MADE_UID.exec(uid)?.[1];
  if (made) return { cluster: '', kind: made, namespace: '', name: '' };
  const [, cluster = '', , kind, namespace, name] = OBJECT_UID.exec(uid) ?? [];
  return kind && namespace && name ? { cluster, kind, namespace, name } : undefined;
}

/** A segment of a uid that can be nothing else. */
function isPlain(segment: string): boolean {
  return (
    segment !== '' &&
    !segment.includes('/') &&
    segment !== 'SplitHorizonWorkload' &&
    segment !== 'NetworkGateway'
  );
}

/** Where a workload comes from. Without a readable uid (1.18) only pods have a node; others are `Workload`. */
export function describeWorkload(workload: Workload): WorkloadUid {
  const { clusterId, namespace, name, node, uid } = workload;
  // Nearly all are, and comparing is faster than reading.
  if (uid === `${clusterId}//Pod/${namespace}/${name}` && [clusterId, namespace, name].every(isPlain)) {
    return { cluster: clusterId, kind: 'Pod', namespace, name };
  }
  const parsed = parseWorkloadUid(uid);
  if (!parsed) return { cluster: clusterId, kind: node === '' ? 'Workload' : 'Pod', namespace, name };
  return parsed.name === '' ? { ...parsed, cluster: clusterId, namespace, name } : parsed;
}
