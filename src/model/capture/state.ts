// Whether each workload is captured: by its pod's annotation, its ztunnel's entry, or from a dump alone by what istiod says.

import { hasSettled, isUp, redirectionOf } from '../captured.ts';
import type { Workload } from '../dump.ts';
import type { CaptureState } from '../items.ts';
import type { Pod } from '../kubernetes.ts';
import { isAlive } from '../owners/pods.ts';
import type { Answer, Failure, Listed, Ztunnel } from '../types.ts';
import type { WorkloadUid } from '../uid.ts';
import { namesPods } from './compare.ts';
import { indexEntries } from './entries.ts';

export interface CaptureInput {
  /** All that answered, not only the one whose workloads are shown. */
  readonly answers: readonly Answer[];
  /** In scope, asked or not. */
  readonly ztunnels: readonly Ztunnel[];
  readonly failures: readonly Failure[];
  readonly pods: Listed<Pod>;
  readonly reference: Date;
}

/** `isLocal`: its cluster is the one whose pods and ztunnels were asked. */
export type CaptureOf = (workload: Workload, origin: WorkloadUid, isLocal: boolean) => CaptureState;

/** A function that says of a workload whether it is captured; `-` where that can't be known. */
export function createCaptureLookup(input: CaptureInput): CaptureOf {
  const entries = indexEntries(input);
  const byName = new Map(
    input.pods.known
      ? input.pods.items
          .filter(isAlive)
          .map((pod) => [`${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, pod])
      : [],
  );
  const named = input.answers.every(namesPods);
  return (workload, { kind }, isLocal) => {
    const { namespace, name, node } = workload;
    if (kind !== 'Pod' || workload.networkMode === 'HostNetwork') return 'none';
    if (!isLocal || node === '') return '-';
    const pod = byName.get(`${namespace}/${name}`);
    const own = entries.of({ node, namespace, name, uid: pod?.metadata.uid });
    if (own.length > 0) return own.some(({ captured }) => isUp(captured.state)) ? 'yes' : 'pending';
    // Those that speak HBONE themselves have it from their own proxy.
    const claimed = workload.protocol === 'HBONE' && !workload.nativeTunnel;
    const redirection = pod === undefined ? (claimed ? 'enabled' : undefined) : redirectionOf(pod);
    if (redirection === undefined) return 'no';
    if (redirection !== 'enabled') return 'pending';
    const gap = entries.gapOn(node);
    if (gap === 'starting' || (pod !== undefined && !hasSettled(pod, input.reference))) return 'pending';
    return gap !== undefined || (pod === undefined && !named) ? '-' : 'not enrolled';
  };
}
