// All that is known of capture and freshness in one cluster at one time.

import { ageOf, isCaptured, isUp } from '../captured.ts';
import type { ZtunnelItem } from '../items.ts';
import type { KubeObject, Pod } from '../kubernetes.ts';
import type { Answer, Failure, Listed, ListedIfThere, Ztunnel } from '../types.ts';
import { nodeOf } from '../ztunnels/ztunnels.ts';
import { type ComparedPod, comparePods } from './compare.ts';
import { type Entries, indexEntries, isStarting } from './entries.ts';
import { compareHeard, type Heard, listSettled, listUntold } from './heard.ts';
import { createSaidLookup } from './said.ts';

export interface CapturePicture {
  readonly entries: Entries;
  readonly pods: readonly ComparedPod[];
  /** Of each ztunnel whose workloads were read. */
  readonly heard: readonly Heard[];
  /** The pods that istiod tells no ztunnel of. */
  readonly untold: ReadonlySet<Pod>;
  /** Ztunnels that have neither workloads nor certificates, while captured pods run on their nodes. */
  readonly empty: readonly Answer[];
  /** The nodes of those. */
  readonly emptyNodes: ReadonlySet<string>;
}

export interface CapturePictureInput {
  readonly pods: Listed<Pod>;
  readonly namespaces: ListedIfThere<KubeObject>;
  readonly answers: readonly Answer[];
  readonly ztunnels: readonly Ztunnel[];
  readonly failures: readonly Failure[];
  readonly source: 'live' | 'files';
  readonly reference: Date;
}

export function pictureCapture(input: CapturePictureInput): CapturePicture {
  const entries = indexEntries(input);
  const heard = compareHeard(input);
  const untold = listUntold(heard);
  const saidOf = createSaidLookup(input.answers, heard, untold);
  const empty = listEmpty(input);
  return {
    entries,
    pods: comparePods({ ...input, entries, saidOf }),
    heard,
    untold,
    empty,
    emptyNodes: new Set(empty.flatMap((answer) => nodeOf(answer) ?? [])),
  };
}

/** One that has never had its configuration, where there ought to be some. */
function listEmpty({ answers, pods, reference }: CapturePictureInput): readonly Answer[] {
  if (!pods.known) return [];
  const nodes = new Set(listSettled(pods.items, reference).flatMap(({ spec }) => spec?.nodeName ?? []));
  return answers.filter(
    (answer) =>
      answer.dump.sections.has('workloads') &&
      answer.dump.workloads.length === 0 &&
      isBare(answer) &&
      nodes.has(nodeOf(answer) ?? '') &&
      !isStarting(answer.ztunnel, reference),
  );
}

/** Whether it lists no certificate and has taken nothing over. */
export function isBare({ dump }: Answer): boolean {
  return (
    dump.sections.has('certificates') &&
    dump.certificates.length === 0 &&
    dump.capturedPods.length === 0 &&
    dump.problems.length === 0
  );
}

/** How long the oldest of some pods has run, in seconds; NaN for none. */
export function oldestAge(pods: readonly Pod[], reference: Date): number {
  const ages = pods.map((pod) => ageOf(pod, reference)).filter((age) => !Number.isNaN(age));
  return ages.length === 0 ? Number.NaN : ages.reduce((a, b) => Math.max(a, b));
}

export type PodCounts = Pick<ZtunnelItem, 'captured' | 'enrolled' | 'pending'>;

/** A function that counts the captured pods of a node, and those that its ztunnel has; `answer`: undefined if it gave none. */
export function createPodCounts(
  pods: Listed<Pod>,
): (node: string | null, answer: Answer | undefined) => PodCounts {
  const byNode = Map.groupBy(pods.known ? pods.items.filter(isCaptured) : [], ({ spec }) => spec?.nodeName);
  return (node, answer) => {
    const captured = pods.known ? (byNode.get(node ?? '')?.length ?? 0) : null;
    if (!answer?.dump.sections.has('workloadState')) return { captured, enrolled: null, pending: null };
    const { capturedPods } = answer.dump;
    const pending = capturedPods.filter(({ state }) => !isUp(state)).length;
    return { captured, enrolled: capturedPods.length - pending, pending };
  };
}
