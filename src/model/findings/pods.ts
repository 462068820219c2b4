// What `check` says of captured pods that no ztunnel serves.

import { compareBy, compareText } from '../../base/order.ts';
import { hasSettled, isPending } from '../captured.ts';
import type { Pod } from '../kubernetes.ts';
import type { Ztunnel } from '../types.ts';
import { type Concerned, type Finder, found, notEvaluated } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** Captured for more than a minute, and accepted by no ztunnel. */
export const capturePending: Finder = (situation) => {
  const { pods } = situation.inventory;
  if (!pods.known) return notEvaluated(whyUnknown('pods', pods)!);
  // Of those that a ztunnel has, and can't serve, PROXY-PENDING says more.
  const held = new Set(
    situation
      .capture()
      .pods.flatMap(({ pod, disagreement }) => (disagreement === 'proxyPending' ? [pod] : [])),
  );
  const waiting = pods.items.filter(
    (pod) =>
      isPending(pod) &&
      !held.has(pod) &&
      hasSettled(pod, situation.reference) &&
      isOnNodes(pod.spec?.nodeName, situation),
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
