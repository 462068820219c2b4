// What `check` says of pods: captured ones that no ztunnel serves, or that istiod has not told ztunnel of.

import { compareBy, compareText } from '../../base/order.ts';
import { hasSettled, isPending } from '../capture/capture.ts';
import type { Pod } from '../kubernetes.ts';
import { isAlive } from '../owners/pods.ts';
import type { Answer, Ztunnel } from '../types.ts';
import { nodeOf, refOf } from '../ztunnels/ztunnels.ts';
import { type Concerned, type Finder, found, notEvaluated, UNKNOWN_HITS } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** Captured for more than a minute, and accepted by no ztunnel. */
export const capturePending: Finder = (situation) => {
  const { pods } = situation.inventory;
  if (!pods.known) return notEvaluated(whyUnknown('pods', pods)!);
  const waiting = pods.items.filter(
    (pod) =>
      isPending(pod) && hasSettled(pod, situation.reference) && isOnNodes(pod.spec?.nodeName, situation),
  );
  return found(waiting.toSorted(comparePods).map((pod) => concernPod(pod, situation, null)));
};

/** Captured pods of nodes on which no ztunnel runs. */
export const withoutZtunnel: Finder = (situation) => {
  const { ztunnelPods, inventory } = situation;
  const why = whyUnknown('pods', inventory.pods) ?? whyUnknown('ztunnel pods', ztunnelPods);
  if (why !== undefined || !ztunnelPods.known) return notEvaluated(why ?? 'without ztunnel pods');
  const served = new Set([
    ...situation.answeredNodes,
    ...ztunnelPods.items
      .filter((pod) => isServing(pod, situation))
      .flatMap(({ spec }) => spec?.nodeName ?? []),
    ...situation.ztunnels.filter(({ pod }) => pod === undefined).flatMap(({ node }: Ztunnel) => node ?? []),
  ]);
  const alone = situation.captured.filter(({ spec }) => spec?.nodeName && !served.has(spec.nodeName));
  return found(
    alone
      .toSorted(comparePods)
      .map((pod) => concernPod(pod, situation, `no ztunnel runs on ${pod.spec?.nodeName}`)),
  );
};

/** Running; one that has just been put on its node is given a minute to start. */
function isServing(pod: Pod, { reference }: Situation): boolean {
  const isStarting = pod.status?.phase === 'Pending' && !hasSettled(pod, reference);
  return pod.status?.phase === 'Running' || isStarting;
}

/** Pods that a ztunnel has captured while its workloads do not hold them. */
export const unknownToZtunnel: Finder = (situation) => {
  const { answers, deep, inventory, whole } = situation;
  const { pods } = inventory;
  const byUid = new Map(pods.known ? pods.items.map((pod) => [pod.metadata.uid ?? '', pod]) : []);
  const readable = whole.filter(({ dump }) => dump.sections.has('workloadState'));
  const objects = readable.flatMap((answer) => findUnknown(answer, byUid, situation));
  if (readable.length === answers.length && readable.length > 0) return found(objects);
  const why = deep
    ? 'dumps from before ztunnel 1.22 do not tell'
    : `${readable.length} of ${answers.length} ztunnels; --deep reads all`;
  return notEvaluated(why, objects);
};

function findUnknown(
  answer: Answer,
  byUid: ReadonlyMap<string, Pod>,
  situation: Situation,
): readonly Concerned[] {
  const { dump } = answer;
  const workloads = new Set(dump.workloads.map(({ namespace, name }) => `${namespace}/${name}`));
  return dump.capturedPods.flatMap((captured) => {
    const pod = byUid.get(captured.uid);
    // A pod that the API does not know any more, has just started or ends is on its way in or out of both lists.
    if (situation.inventory.pods.known && (!pod || !isSettledDown(pod, situation))) return [];
    const namespace = captured.namespace ?? pod?.metadata.namespace;
    const name = captured.name ?? pod?.metadata.name;
    if (namespace === undefined || name === undefined || workloads.has(`${namespace}/${name}`)) return [];
    return [concernCaptured(namespace, name, pod, answer, situation)];
  });
}

function isSettledDown(pod: Pod, { reference }: Situation): boolean {
  return isAlive(pod) && !pod.metadata.deletionTimestamp && hasSettled(pod, reference);
}

function concernCaptured(
  namespace: string,
  name: string,
  pod: Pod | undefined,
  answer: Answer,
  situation: Situation,
): Concerned {
  return {
    kind: 'Pod',
    namespace,
    name,
    node: nodeOf(answer),
    ztunnel: refOf(answer),
    detail: null,
    hits: pod ? situation.ownersOf([pod]) : UNKNOWN_HITS,
  };
}

function concernPod(pod: Pod, situation: Situation, detail: string | null): Concerned {
  return {
    kind: 'Pod',
    namespace: pod.metadata.namespace ?? null,
    name: pod.metadata.name,
    node: pod.spec?.nodeName ?? null,
    ztunnel: null,
    detail,
    hits: situation.ownersOf([pod]),
  };
}

function isOnNodes(node: string | undefined, { nodes }: Situation): boolean {
  return nodes.length === 0 || (node !== undefined && nodes.includes(node));
}

const comparePods = compareBy<Pod>(
  (a, b) => compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? ''),
  (a, b) => compareText(a.metadata.name, b.metadata.name),
);
