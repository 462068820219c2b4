// Which of many Kubernetes objects a query asks for.

import { matchesSelector, parseSelector } from '../../base/selector.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { ListQuery } from '../cluster.ts';

/** Those of the namespace and with the labels that are asked for. Throws UsageError for a bad selector. */
export function filterObjects<T extends KubeObject>(
  objects: readonly T[],
  { namespace, labelSelector }: ListQuery,
): readonly T[] {
  const selector = labelSelector === undefined ? [] : parseSelector(labelSelector);
  return objects.filter(
    ({ metadata }) =>
      (namespace === undefined || metadata.namespace === namespace) &&
      matchesSelector(selector, metadata.labels),
  );
}
