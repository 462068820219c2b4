// What the ztunnels of each node have taken over (`workloadState`), and where that can't be known.

import { hasSettled } from '../captured.ts';
import type { CapturedPod } from '../dump.ts';
import type { Answer, Failure, Ztunnel } from '../types.ts';
import { keyOfZtunnel, nodeOf } from '../ztunnels/ztunnels.ts';

/** One entry, and the ztunnel that has it. */
export interface Entry {
  readonly captured: CapturedPod;
  readonly answer: Answer;
}

export interface PodName {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  /** undefined where only a dump names the pod. */
  readonly uid: string | undefined;
}

/** Why it can't be concluded from an entry that is not there that nothing was handed over. */
export type Gap =
  /** The node has no ztunnel, or not all of them answered. */
  | 'silent'
  /** Dumps from before 1.22. */
  | 'untold'
  /** A ztunnel that serves one workload has no entries. */
  | 'dedicated'
  /** The ztunnel has run for less than a minute: istio-cni may still be handing over. */
  | 'starting';

export interface Entries {
  /** Those of a pod, one a ztunnel of its node at most. */
  readonly of: (pod: PodName) => readonly Entry[];
  /** undefined where an entry that is missing is known to be missing. */
  readonly gapOn: (node: string) => Gap | undefined;
}

export interface EntriesInput {
  readonly answers: readonly Answer[];
  /** In scope, asked or not. */
  readonly ztunnels: readonly Ztunnel[];
  readonly failures: readonly Failure[];
  readonly reference: Date;
}

/** Indexes the entries of all that answered. */
export function indexEntries(input: EntriesInput): Entries {
  const byNode = Map.groupBy(input.answers, (answer) => nodeOf(answer) ?? '');
  const indexes = new Map([...byNode].map(([node, answers]) => [node, answers.map(indexOne)]));
  return {
    of: ({ node, ...pod }) => (indexes.get(node) ?? []).flatMap((index) => index(pod) ?? []),
    gapOn: (node) => findGap(node, byNode.get(node) ?? [], input),
  };
}

function indexOne(answer: Answer): (pod: Omit<PodName, 'node'>) => Entry | undefined {
  const byName = new Map<string, Entry>();
  const byUid = new Map<string, Entry>();
  for (const captured of answer.dump.capturedPods) {
    const entry = { captured, answer };
    byUid.set(captured.uid, entry);
    if (captured.name !== undefined) byName.set(`${captured.namespace ?? ''}/${captured.name}`, entry);
  }
  return ({ namespace, name, uid }) => byName.get(`${namespace}/${name}`) ?? byUid.get(uid ?? '');
}

function findGap(
  node: string,
  answers: readonly Answer[],
  { ztunnels, failures, reference }: EntriesInput,
): Gap | undefined {
  const answered = new Set(answers.map(({ ztunnel }) => keyOfZtunnel(ztunnel)));
  const serving = ztunnels.filter((ztunnel) => ztunnel.node === node && isRunning(ztunnel));
  const isSilent =
    answers.length === 0 ||
    serving.some((ztunnel) => !answered.has(keyOfZtunnel(ztunnel))) ||
    failures.some(({ ztunnel, severity }) => ztunnel.node === node && severity === 'error');
  if (isSilent) return 'silent';
  if (answers.some(({ dump }) => dump.config.proxyMode === 'Dedicated')) return 'dedicated';
  if (!answers.every(tellsEntries)) return 'untold';
  return answers.some(({ ztunnel }) => isStarting(ztunnel, reference)) ? 'starting' : undefined;
}

/** Whether its dump has entries that name their pods. */
export function tellsEntries({ dump }: Answer): boolean {
  return (
    dump.sections.has('workloadState') && dump.problems.every(({ section }) => section !== 'workloadState')
  );
}

/** A dump file without its pod counts as running. */
function isRunning({ pod }: Ztunnel): boolean {
  return pod === undefined || pod.status?.phase === 'Running';
}

/** Running for less than a minute, as far as its pod says when it started. */
export function isStarting({ pod }: Ztunnel, reference: Date): boolean {
  const isDated = (pod?.status?.startTime ?? pod?.metadata.creationTimestamp) !== undefined;
  return pod !== undefined && isDated && !hasSettled(pod, reference);
}
