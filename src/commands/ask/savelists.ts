// How the Kubernetes objects that any command reads go into a snapshot.

import type { ListKind } from '../../cluster/cluster.ts';
import type { SnapshotWriter } from '../../cluster/snapshotwriter.ts';
import { encodeKubeList } from '../../decode/kubewrite.ts';
import type { SavedFile, SavedList } from '../../decode/manifest.ts';
import { ForbiddenError, UserError } from '../../errors.ts';
import { NODE_LEASE_NAMESPACE } from '../../model/leases.ts';
import type { KubeObject, Pod } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';
import { savedFailure } from './savedumps.ts';

interface Saved {
  readonly apiVersion: string;
  readonly kind: string;
  /** A namespace of which commands list this kind alone. */
  readonly namespace?: string;
}

const KINDS = {
  pods: { apiVersion: 'v1', kind: 'Pod' },
  replicasets: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  jobs: { apiVersion: 'batch/v1', kind: 'Job' },
  statefulsets: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  leases: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: NODE_LEASE_NAMESPACE },
} as const satisfies Record<ListKind, Saved>;

export interface SavedLists {
  readonly lists: readonly SavedList[];
  /** One sentence for each kind that is not there in full. */
  readonly warnings: readonly string[];
  readonly clusterRole: string | undefined;
}

/**
 * Lists each kind in all namespaces and, where that is refused, in those that commands may ask for: `namespace`, if
 * given, and the one of nodes' Leases. `hide` takes out of a text what must not be saved.
 */
export async function saveLists(
  writer: SnapshotWriter,
  namespace: string | undefined,
  hide: (text: string) => string,
  context: CommandContext,
): Promise<SavedLists> {
  const attempts: Attempt[] = [];
  for (const kind of Object.keys(KINDS) as ListKind[]) {
    const first = await attemptList(kind, undefined, writer, hide, context);
    attempts.push(first);
    if (!(first.error instanceof ForbiddenError)) continue;
    const { namespace: usual }: Saved = KINDS[kind];
    for (const other of new Set([namespace, usual])) {
      if (other !== undefined) attempts.push(await attemptList(kind, other, writer, hide, context));
    }
  }
  return {
    lists: attempts.map(({ list }) => list),
    warnings: attempts.flatMap(({ list, error }) =>
      error === undefined ? [] : [`${error.message}; the snapshot holds no ${list.kind}${whereOf(list)}`],
    ),
    clusterRole: attempts.flatMap(({ error }) =>
      error instanceof ForbiddenError ? (error.clusterRole ?? []) : [],
    )[0],
  };
}

interface Attempt {
  readonly list: SavedList;
  readonly error: UserError | undefined;
}

async function attemptList(
  kind: ListKind,
  namespace: string | undefined,
  writer: SnapshotWriter,
  hide: (text: string) => string,
  { cluster, signal }: CommandContext,
): Promise<Attempt> {
  const about = { kind, namespace: namespace ?? null, items: 0, saved: null, failure: null };
  let items: readonly KubeObject[];
  try {
    items = await cluster.list(kind, { namespace, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return { list: { ...about, failure: savedFailure(error, hide) }, error };
  }
  const file = namespace === undefined ? `objects/${kind}.pb` : `objects/${kind}.${namespace}.pb`;
  const saved = await saveObjects(writer, file, kind, items);
  return { list: { ...about, items: items.length, saved }, error: undefined };
}

function whereOf({ namespace }: SavedList): string {
  return namespace === null ? '' : ` of ${namespace}`;
}

/** The pods of the ztunnels themselves, which may be found where pods may not be listed. */
export function savePods(writer: SnapshotWriter, pods: readonly Pod[]): Promise<SavedFile> {
  return saveObjects(writer, 'objects/ztunnels.pb', 'pods', pods);
}

async function saveObjects(
  writer: SnapshotWriter,
  file: string,
  kind: ListKind,
  items: readonly KubeObject[],
): Promise<SavedFile> {
  const { apiVersion, kind: singular } = KINDS[kind];
  const { saved, error } = await writer.save(file, [encodeKubeList(apiVersion, singular, items)]);
  if (saved === null) throw error ?? new Error(`nothing was written of ${kind}`);
  return saved;
}
