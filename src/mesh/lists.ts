// Which Kubernetes objects rows and findings are joined with, and what it means that a list of them could not be had.

import { AbsentError, ForbiddenError, UserError } from '../base/errors.ts';
import { KINDS, type ListKind, type ListKinds } from '../model/kinds.ts';
import type { Lease } from '../model/kubernetes.ts';
import { NODE_LEASE_NAMESPACE } from '../model/leases/leases.ts';
import type { Inventory, IstioObjects, Listed, ListedIfThere } from '../model/types.ts';
import type { ListQuery } from '../sources/cluster.ts';
import type { Mesh } from './mesh.ts';

const notAsked = { known: false, why: 'not-asked' } as const;

interface Outcome<T> {
  readonly listed: ListedIfThere<T>;
  /** Why it is not known. */
  readonly error?: UserError;
}

/** Lists them once per mesh. A bug and an interrupt are thrown on; a refused or failed list is an outcome. */
async function tryList<K extends ListKind>(
  kind: K,
  mesh: Mesh,
  query: ListQuery = {},
): Promise<Outcome<ListKinds[K]>> {
  const { cluster, lists, signal } = mesh;
  if (!cluster.canList(kind)) return { listed: notAsked };
  try {
    return {
      listed: {
        known: true,
        items: await lists.list(kind, { ...query, signal }),
        namespace: query.namespace,
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return { listed: { known: false, why: reasonOf(error) }, error };
  }
}

function reasonOf(error: UserError): 'absent' | 'forbidden' | 'failed' {
  if (error instanceof AbsentError) return 'absent';
  return error instanceof ForbiddenError ? 'forbidden' : 'failed';
}

/** Kubernetes' own kinds are always there. */
function present<T>({ listed }: Outcome<T>): Listed<T> {
  if (listed.known || listed.why !== 'absent') return listed as Listed<T>;
  return { known: false, why: 'failed' };
}

export interface ListedInventory extends Inventory {
  /** One sentence for each list that could not be had, for stderr. */
  readonly warnings: readonly string[];
  /** The same without what follows of it. */
  readonly causes: readonly string[];
  /** True when a list failed for another reason than a missing right: what is shown is less than asked for. */
  readonly partial: boolean;
  /** The ClusterRole that would grant what was refused. */
  readonly clusterRole: string | undefined;
}

/** What stands in when nothing is asked of the API (`--no-owners`, `-o short`). */
export const noInventory: ListedInventory = {
  pods: notAsked,
  replicaSets: notAsked,
  jobs: notAsked,
  statefulSets: notAsked,
  warnings: [],
  causes: [],
  partial: false,
  clusterRole: undefined,
};

const INVENTORY_KINDS = ['pods', 'replicasets', 'jobs', 'statefulsets'] as const;
export type InventoryKind = (typeof INVENTORY_KINDS)[number];

/** Lists pods, ReplicaSets, Jobs and StatefulSets, or fewer, at once. A refused or failed list becomes a warning. */
export async function listInventory(
  mesh: Mesh,
  namespace: string | undefined,
  kinds: readonly InventoryKind[] = INVENTORY_KINDS,
): Promise<ListedInventory> {
  if (!mesh.cluster.canList('pods')) return noInventory;
  const listWanted = async <K extends InventoryKind>(kind: K): Promise<Outcome<ListKinds[K]>> =>
    kinds.includes(kind) ? tryList(kind, mesh, { namespace }) : { listed: notAsked };
  const [pods, replicaSets, jobs, statefulSets] = await Promise.all([
    listWanted('pods'),
    listWanted('replicasets'),
    listWanted('jobs'),
    listWanted('statefulsets'),
  ]);
  const outcomes = { pods, replicasets: replicaSets, jobs, statefulsets: statefulSets };
  const errors = INVENTORY_KINDS.flatMap((kind) => {
    const { error } = outcomes[kind];
    return error === undefined ? [] : [{ kind, error }];
  });
  return {
    pods: present(pods),
    replicaSets: present(replicaSets),
    jobs: present(jobs),
    statefulSets: present(statefulSets),
    warnings: errors.map(({ kind, error }) => `${error.message}; ${KINDS[kind].without}`),
    causes: errors.map(({ error }) => error.message),
    partial: errors.some(({ error }) => !(error instanceof ForbiddenError)),
    clusterRole: errors.flatMap(({ error }) => clusterRoleOf(error) ?? [])[0],
  };
}

function clusterRoleOf(error: UserError | undefined): string | undefined {
  return error instanceof ForbiddenError ? error.clusterRole : undefined;
}

export interface ListedIstio {
  readonly objects: IstioObjects;
  /** One sentence for each list that failed; refused and absent ones are only not known. */
  readonly warnings: readonly string[];
  readonly partial: boolean;
}

/** What stands in when nothing is asked of the API. */
export const noIstio: ListedIstio = {
  objects: { serviceEntries: notAsked, destinationRules: notAsked },
  warnings: [],
  partial: false,
};

/** Istio's objects that say whom clients accept: of all namespaces, since clients of any may bring their own rules. */
export async function listIstio(mesh: Mesh): Promise<ListedIstio> {
  const outcomes = await Promise.all([tryList('serviceentries', mesh), tryList('destinationrules', mesh)]);
  const [serviceEntries, destinationRules] = outcomes;
  const failures = outcomes.flatMap(({ listed, error }) =>
    error !== undefined && !listed.known && listed.why === 'failed' ? [error.message] : [],
  );
  return {
    objects: { serviceEntries: serviceEntries.listed, destinationRules: destinationRules.listed },
    warnings: [...new Set(failures)].map((message) => `${message}; ${KINDS.serviceentries.without}`),
    partial: failures.length > 0,
  };
}

export interface ListedLeases {
  readonly leases: Listed<Lease>;
  /** Why they could not be had. */
  readonly warning: string | undefined;
  readonly clusterRole: string | undefined;
}

/** What stands in where they are not asked for, or where there is nobody to ask. */
export const noLeases: ListedLeases = { leases: notAsked, warning: undefined, clusterRole: undefined };

/** The Leases that nodes renew. A refused or failed list becomes a warning. */
export async function listNodeLeases(mesh: Mesh): Promise<ListedLeases> {
  const outcome = await tryList('leases', mesh, { namespace: NODE_LEASE_NAMESPACE });
  const { error } = outcome;
  return {
    leases: present(outcome),
    warning: error && `${error.message}; ${KINDS.leases.without}`,
    clusterRole: clusterRoleOf(error),
  };
}
