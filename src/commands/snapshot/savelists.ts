// How the Kubernetes objects that any command reads go into a snapshot.

import { AbsentError, ForbiddenError, UserError } from '../../base/errors.ts';
import { encodeKubeJsonList, encodeKubeList } from '../../decode/kube/kubewrite.ts';
import type { SavedFile, SavedList } from '../../decode/manifest.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { apiVersionOf, KINDS, type Kind, LIST_KINDS, type ListKind } from '../../model/kinds.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import type { SnapshotWriter } from '../../sources/snapshot/snapshotwriter.ts';
import type { Keeping } from './keeping.ts';

export interface SavedLists {
  readonly lists: readonly SavedList[];
  /** One sentence for each kind that is not there in full. */
  readonly warnings: readonly string[];
  /** One of them is needed by a command. */
  readonly partial: boolean;
  readonly clusterRole: string | undefined;
}

/**
 * Lists each kind in all namespaces and, where that is refused, in those that commands may ask for: `namespace`, if
 * given, and the one of nodes' Leases.
 */
export async function saveLists(
  writer: SnapshotWriter,
  namespace: string | undefined,
  keeping: Keeping,
  mesh: Mesh,
): Promise<SavedLists> {
  const attempts: Attempt[] = [];
  for (const kind of LIST_KINDS) {
    const first = await attemptList(kind, undefined, writer, keeping, mesh);
    attempts.push(first);
    const { usualNamespace: usual, optional }: Kind = KINDS[kind];
    if (!(first.error instanceof ForbiddenError) || optional) continue;
    for (const other of new Set([namespace, usual])) {
      if (other !== undefined) attempts.push(await attemptList(kind, other, writer, keeping, mesh));
    }
  }
  return {
    lists: attempts.map(({ list }) => list),
    warnings: attempts.flatMap(({ list, error }) =>
      error === undefined || error instanceof AbsentError
        ? []
        : [`${error.message}; the snapshot holds no ${list.kind}${whereOf(list)}`],
    ),
    partial: attempts.some(({ list, error }) => error !== undefined && !mayLack(list, error)),
    clusterRole: attempts.flatMap(({ error }) =>
      error instanceof ForbiddenError ? (error.clusterRole ?? []) : [],
    )[0],
  };
}

/** Refused or absent optional kinds are named by the commands that would read them, and count for nothing. */
function mayLack({ kind }: SavedList, error: UserError): boolean {
  const { optional }: Kind = KINDS[kind as ListKind];
  return optional === true && (error instanceof ForbiddenError || error instanceof AbsentError);
}

interface Attempt {
  readonly list: SavedList;
  readonly error: UserError | undefined;
}

async function attemptList(
  kind: ListKind,
  namespace: string | undefined,
  writer: SnapshotWriter,
  keeping: Keeping,
  { lists, signal }: Mesh,
): Promise<Attempt> {
  const where = namespace === undefined ? null : keeping.namespace(namespace);
  const about = { kind, namespace: where, items: 0, saved: null, failure: null };
  let items: readonly KubeObject[];
  try {
    items = await lists.list(kind, { namespace, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return { list: { ...about, failure: keeping.failure(error) }, error };
  }
  const { custom }: Kind = KINDS[kind];
  const extension = custom ? 'json' : 'pb';
  const file = `objects/${where === null ? kind : `${kind}.${where}`}.${extension}`;
  const saved = await saveObjects(writer, file, kind, items.map(keeping.object));
  return { list: { ...about, items: items.length, saved }, error: undefined };
}

function whereOf({ namespace }: SavedList): string {
  return namespace === null ? '' : ` of ${namespace}`;
}

/** The pods of the ztunnels themselves, which may be found where pods may not be listed. */
export function savePods(writer: SnapshotWriter, pods: readonly Pod[], keeping: Keeping): Promise<SavedFile> {
  return saveObjects(writer, 'objects/ztunnels.pb', 'pods', pods.map(keeping.object));
}

async function saveObjects(
  writer: SnapshotWriter,
  file: string,
  kind: ListKind,
  items: readonly KubeObject[],
): Promise<SavedFile> {
  const of: Kind = KINDS[kind];
  const encode = of.custom ? encodeKubeJsonList : encodeKubeList;
  const { saved, error } = await writer.save(file, [encode(apiVersionOf(of), of.kind, items)]);
  if (saved === null) throw error ?? new Error(`nothing was written of ${kind}`);
  return saved;
}
