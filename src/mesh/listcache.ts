// What has been listed of a mesh, so that each list is asked of the API once, whoever needs it.

import type { ListKind, ListKinds } from '../model/kinds.ts';
import type { Cluster, ListQuery } from '../sources/cluster.ts';

/** Lists objects as `Cluster.list` does; a list that was refused is refused again without being asked for. */
export interface ListCache {
  list<K extends ListKind>(kind: K, query?: ListQuery): Promise<readonly ListKinds[K][]>;
}

type Lists = Map<string, Promise<readonly unknown[]>>;

export function createListCache(cluster: Cluster): ListCache {
  const lists: Lists = new Map();
  return {
    list: async <K extends ListKind>(kind: K, query: ListQuery = {}) => {
      const { namespace, labelSelector } = query;
      const isPart = labelSelector === undefined && namespace !== undefined;
      // What may not be listed everywhere may still be listed in one namespace.
      const everywhere = isPart ? await lists.get(keyOf(kind, {}))?.catch(() => undefined) : undefined;
      if (everywhere !== undefined) {
        return (everywhere as readonly ListKinds[K][]).filter(
          ({ metadata }) => metadata.namespace === namespace,
        );
      }
      const key = keyOf(kind, query);
      const listed = lists.get(key) ?? cluster.list(kind, query);
      lists.set(key, listed);
      // Each was stored under its own kind.
      return listed as Promise<readonly ListKinds[K][]>;
    },
  };
}

function keyOf(kind: ListKind, { namespace, labelSelector }: ListQuery): string {
  return JSON.stringify([kind, namespace, labelSelector]);
}
