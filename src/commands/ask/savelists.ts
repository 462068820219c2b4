// How the Kubernetes objects that any command reads go into a snapshot.

import type { ListKind } from '../../cluster/cluster.ts';
import type { SnapshotWriter } from '../../cluster/snapshotwriter.ts';
import { encodeKubeJsonList, encodeKubeList } from '../../decode/kubewrite.ts';
import type { SavedFile, SavedList } from '../../decode/manifest.ts';
import { AbsentError, ForbiddenError, UserError } from '../../errors.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import { NODE_LEASE_NAMESPACE } from '../../model/leases.ts';
import type { CommandContext } from '../command.ts';
import type { Keeping } from './keeping.ts';

interface Saved {
  readonly apiVersion: string;
  readonly kind: string;
  /** A namespace of which commands list this kind alone. */
  readonly namespace?: string;
  /** Listed in all namespaces or not at all, and missed by no command. */
  readonly optional?: true;
  /** A custom resource: written as JSON. */
  readonly custom?: true;
}

const ISTIO = { apiVersion: 'networking.istio.io/v1', optional: true, custom: true } as const;

const KINDS = {
  pods: { apiVersion: 'v1', kind: 'Pod' },
  replicasets: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  jobs: { apiVersion: 'batch/v1', kind: 'Job' },
  statefulsets: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  leases: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: NODE_LEASE_NAMESPACE },
  namespaces: { apiVersion: 'v1', kind: 'Namespace', optional: true },
  serviceentries: { ...ISTIO, kind: 'ServiceEntry' },
  destinationrules: { ...ISTIO, kind: 'DestinationRule' },
} as const satisfies Record<ListKind, Saved>;

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
  context: CommandContext,
): Promise<SavedLists> {
  const attempts: Attempt[] = [];
  for (const kind of Object.keys(KINDS) as ListKind[]) {
    const first = await attemptList(kind, undefined, writer, keeping, context);
    attempts.push(first);
    const { namespace: usual, optional }: Saved = KINDS[kind];
    if (!(first.error instanceof ForbiddenError) || optional) continue;
    for (const other of new Set([namespace, usual])) {
      if (other !== undefined) attempts.push(await attemptList(kind, other, writer, keeping, context));
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
  const { optional }: Saved = KINDS[kind as ListKind];
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
  { cluster, signal }: CommandContext,
): Promise<Attempt> {
  const where = namespace === undefined ? null : keeping.namespace(namespace);
  const about = { kind, namespace: where, items: 0, saved: null, failure: null };
  let items: readonly KubeObject[];
  try {
    items = await cluster.list(kind, { namespace, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return { list: { ...about, failure: keeping.failure(error) }, error };
  }
  const extension = 'custom' in KINDS[kind] ? 'json' : 'pb';
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
  const { apiVersion, kind: singular, custom }: Saved = KINDS[kind];
  const encode = custom ? encodeKubeJsonList : encodeKubeList;
  const { saved, error } = await writer.save(file, [encode(apiVersion, singular, items)]);
  if (saved === null) throw error ?? new Error(`nothing was written of ${kind}`);
  return saved;
}
