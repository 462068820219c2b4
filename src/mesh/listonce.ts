// How a list that is needed twice is asked for once.

import type { Cluster, ListKind, ListKinds } from '../sources/cluster.ts';

/** The same cluster, which remembers what it has listed or was told instead. */
export function listingOnce(cluster: Cluster): Cluster {
  const known = new Map<string, Promise<unknown>>();
  const list: Cluster['list'] = (kind, query = {}) => {
    const key = JSON.stringify([kind, query.namespace, query.labelSelector]);
    const listed = known.get(key) ?? cluster.list(kind, query);
    known.set(key, listed);
    return listed as Promise<readonly ListKinds[ListKind & typeof kind][]>;
  };
  return { ...cluster, list };
}
