// Where ztunnels are found: everywhere, or in the likely namespaces where looking everywhere is forbidden.

import { ForbiddenError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import type { Pod } from '../../model/kubernetes.ts';
import type { Ztunnel } from '../../model/types.ts';
import type { ListQuery, ZtunnelQuery } from '../cluster.ts';

/** Istio's own default. */
const DEFAULT_NAMESPACE = 'istio-system';

export interface Discovery {
  readonly ztunnels: readonly Ztunnel[];
  /** One sentence if not everywhere could be searched. */
  readonly warning: string | undefined;
}

/**
 * Searches all namespaces by label; on a 403 the likely ones in turn, each once, and says so. If none may be
 * searched, the first ForbiddenError is thrown.
 */
export async function findZtunnelPods(
  listPods: (query: ListQuery) => Promise<readonly Pod[]>,
  { selector, namespace, signal }: ZtunnelQuery,
  likely: readonly (string | undefined)[],
): Promise<Discovery> {
  const list = (where: string | undefined) => listPods({ namespace: where, labelSelector: selector, signal });
  try {
    return { ztunnels: sortedZtunnels(await list(namespace)), warning: undefined };
  } catch (thrown) {
    if (!(thrown instanceof ForbiddenError) || namespace !== undefined) throw thrown;
    const candidates = [...likely, DEFAULT_NAMESPACE].filter((name) => name !== undefined);
    const searched = await searchEach([...new Set(candidates)], list);
    if (searched.allowed.length === 0) throw thrown;
    return { ztunnels: sortedZtunnels(searched.pods), warning: searchedOnly(searched.allowed) };
  }
}

async function searchEach(
  namespaces: readonly string[],
  list: (namespace: string) => Promise<readonly Pod[]>,
): Promise<{ readonly pods: readonly Pod[]; readonly allowed: readonly string[] }> {
  const pods: Pod[] = [];
  const allowed: string[] = [];
  for (const namespace of namespaces) {
    try {
      pods.push(...(await list(namespace)));
      allowed.push(namespace);
    } catch (thrown) {
      if (!(thrown instanceof ForbiddenError)) throw thrown;
    }
  }
  return { pods, allowed };
}

function searchedOnly(namespaces: readonly string[]): string {
  const names = namespaces.join(' and ');
  return `Pods may not be listed in all namespaces, so ztunnels were searched for in ${names} only; --ztunnel-namespace names another.`;
}

function sortedZtunnels(pods: readonly Pod[]): readonly Ztunnel[] {
  return pods
    .map((pod) => ({
      namespace: pod.metadata.namespace ?? null,
      name: pod.metadata.name,
      node: pod.spec?.nodeName || null,
      pod,
    }))
    .sort((a, b) => compareText(a.namespace ?? '', b.namespace ?? '') || compareText(a.name, b.name));
}
