// How the Kubernetes objects that rows are joined with are listed, each kind once.

import type { ListKind, ListKinds } from '../../cluster/cluster.ts';
import { ForbiddenError, UserError } from '../../errors.ts';
import type { Inventory, Listed } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';

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

const notAsked = { known: false, why: 'not-asked' } as const;

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

/** What each list is needed for, so that a refusal can say what is missing. */
const purposes = {
  pods: 'owners and MISSING certificates are not known',
  replicasets: 'owners stop at ReplicaSets',
  jobs: 'owners stop at Jobs',
  statefulsets: 'the replicas of StatefulSets are not known',
} satisfies Partial<Record<ListKind, string>>;
export type InventoryKind = keyof typeof purposes;
const INVENTORY_KINDS = Object.keys(purposes) as readonly InventoryKind[];

interface Outcome<T> {
  readonly listed: Listed<T>;
  readonly error: UserError | undefined;
  readonly kind: InventoryKind;
}

/** Lists pods, ReplicaSets, Jobs and StatefulSets, or fewer, at once. A refused or failed list becomes a warning. */
export async function listInventory(
  context: CommandContext,
  namespace: string | undefined,
  kinds: readonly InventoryKind[] = INVENTORY_KINDS,
): Promise<ListedInventory> {
  if (!context.cluster.canList('pods')) return noInventory;
  const listWanted = <K extends InventoryKind>(kind: K): Promise<Outcome<ListKinds[K]>> =>
    kinds.includes(kind)
      ? tryList(kind, namespace, context)
      : Promise.resolve({ listed: notAsked, error: undefined, kind });
  const [pods, replicaSets, jobs, statefulSets] = await Promise.all([
    listWanted('pods'),
    listWanted('replicasets'),
    listWanted('jobs'),
    listWanted('statefulsets'),
  ]);
  const errors = [pods, replicaSets, jobs, statefulSets].filter((outcome) => outcome.error !== undefined);
  return {
    pods: pods.listed,
    replicaSets: replicaSets.listed,
    jobs: jobs.listed,
    statefulSets: statefulSets.listed,
    warnings: errors.map((outcome) => `${outcome.error?.message}; ${purposes[outcome.kind]}`),
    causes: errors.flatMap((outcome) => outcome.error?.message ?? []),
    partial: errors.some((outcome) => !(outcome.error instanceof ForbiddenError)),
    clusterRole: errors.flatMap(({ error }) =>
      error instanceof ForbiddenError ? (error.clusterRole ?? []) : [],
    )[0],
  };
}

async function tryList<K extends InventoryKind>(
  kind: K,
  namespace: string | undefined,
  context: CommandContext,
): Promise<Outcome<ListKinds[K]>> {
  try {
    const items = await context.cluster.list(kind, { namespace, signal: context.signal });
    return { listed: { known: true, items, namespace }, error: undefined, kind };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    const why = error instanceof ForbiddenError ? 'forbidden' : 'failed';
    return { listed: { known: false, why }, error, kind };
  }
}
