// How lists that have been had are used again, so that each is asked of the API once.

import type { Cluster, ListKind, ListKinds } from '../sources/cluster.ts';

/** The same cluster; each kind is listed once, of all namespaces, whatever namespace is then asked for. */
export function rememberLists(cluster: Cluster): Cluster {
  const lists = new Map<ListKind, Promise<readonly ListKinds[ListKind][]>>();
  const listAll = <K extends ListKind>(kind: K, signal: AbortSignal | undefined) => {
    const known = lists.get(kind) ?? cluster.list(kind, { signal });
    lists.set(kind, known);
    // Each kind was stored under its own name.
    return known as Promise<readonly ListKinds[K][]>;
  };
  return {
    ...cluster,
    list: async (kind, query = {}) => {
      if (!REMEMBERED.has(kind) || query.labelSelector !== undefined) return cluster.list(kind, query);
      const items = await listAll(kind, query.signal);
      return query.namespace === undefined
        ? items
        : items.filter(({ metadata }) => metadata.namespace === query.namespace);
    },
  };
}

/** What an inventory holds. */
const REMEMBERED: ReadonlySet<ListKind> = new Set(['pods', 'replicasets', 'jobs', 'statefulsets']);
