// How the Kubernetes objects that rows are joined with are listed, each kind once.

import type { ListKind, ListKinds } from '../../cluster/cluster.ts';
import { ForbiddenError, UserError } from '../../errors.ts';
import type { Inventory, Listed } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';

export interface ListedInventory extends Inventory {
  /** One sentence for each list that could not be had, for stderr. */
  readonly warnings: readonly string[];
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
type Purpose = keyof typeof purposes;

interface Outcome<T> {
  readonly listed: Listed<T>;
  readonly error: UserError | undefined;
  readonly kind: Purpose;
}

/** Lists pods, ReplicaSets, Jobs and StatefulSets at once. A refused or failed list becomes a warning. */
export async function listInventory(
  context: CommandContext,
  namespace: string | undefined,
): Promise<ListedInventory> {
  if (!context.cluster.canList('pods')) return noInventory;
  const [pods, replicaSets, jobs, statefulSets] = await Promise.all([
    tryList('pods', namespace, context),
    tryList('replicasets', namespace, context),
    tryList('jobs', namespace, context),
    tryList('statefulsets', namespace, context),
  ]);
  const errors = [pods, replicaSets, jobs, statefulSets].filter((outcome) => outcome.error !== undefined);
  return {
    pods: pods.listed,
    replicaSets: replicaSets.listed,
    jobs: jobs.listed,
    statefulSets: statefulSets.listed,
    warnings: errors.map((outcome) => `${outcome.error?.message}; ${purposes[outcome.kind]}`),
    partial: errors.some((outcome) => !(outcome.error instanceof ForbiddenError)),
    clusterRole: errors.flatMap(({ error }) =>
      error instanceof ForbiddenError ? (error.clusterRole ?? []) : [],
    )[0],
  };
}

async function tryList<K extends Purpose>(
  kind: K,
  namespace: string | undefined,
  context: CommandContext,
): Promise<Outcome<ListKinds[K]>> {
  try {
    const items = await context.cluster.list(kind, { namespace, signal: context.signal });
    return { listed: { known: true, items }, error: undefined, kind };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    const why = error instanceof ForbiddenError ? 'forbidden' : 'failed';
    return { listed: { known: false, why }, error, kind };
  }
}
