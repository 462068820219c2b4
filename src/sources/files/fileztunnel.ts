// Which pod a dump file's ztunnel was, once its node is known.

import { matchesSelector, type Selector } from '../../base/selector.ts';
import type { Pod } from '../../model/kubernetes.ts';
import type { Ztunnel } from '../../model/types.ts';

/**
 * The ztunnel as the pod that runs on its node, if exactly one can be it: Running, matched by the selector, and
 * not being deleted unless it is the only one. Otherwise it keeps the file's name and only gains the node.
 */
export function nameFileZtunnel(
  ztunnel: Ztunnel,
  localNode: string | undefined,
  pods: readonly Pod[],
  selector: Selector,
): Ztunnel {
  const node = localNode ?? ztunnel.node;
  const running = pods.filter(
    (pod) =>
      node !== null &&
      pod.spec?.nodeName === node &&
      pod.status?.phase === 'Running' &&
      matchesSelector(selector, pod.metadata.labels),
  );
  const staying = running.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const [pod, another] = staying.length > 0 ? staying : running;
  if (pod === undefined || another !== undefined) return { ...ztunnel, node };
  return { namespace: pod.metadata.namespace ?? null, name: pod.metadata.name, node, pod };
}
