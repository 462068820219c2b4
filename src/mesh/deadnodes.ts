// Whether the node of a ztunnel that failed is dead, as its Lease tells.

import { UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import type { CommonOptions } from '../commands/flags/common.ts';
import type { Lease } from '../model/kubernetes.ts';
import { findLeaseEnd, NODE_LEASE_NAMESPACE } from '../model/leases/leases.ts';
import type { Failure } from '../model/types.ts';

/** Reading Leases only explains a failure, so it must not hold up the answer. */
const LEASE_TIMEOUT_MS = 800;

/** Adds `node dead since …` to failures whose node stopped renewing its Lease. Never fails itself. */
export async function withDeadNodes(
  failures: readonly Failure[],
  options: CommonOptions,
  context: CommandContext,
): Promise<readonly Failure[]> {
  const nodes = new Set(failures.flatMap((failure) => failure.ztunnel.node ?? []));
  if (context.cluster.source !== 'live' || nodes.size === 0) return failures;
  const leases = await listNodeLeases(context);
  const now = options.now ?? (await context.cluster.reference()).time;
  const deadSince = new Map(leases.flatMap((lease) => lapsed(lease, now)));
  return failures.map((failure) => explain(failure, deadSince));
}

async function listNodeLeases(context: CommandContext): Promise<readonly Lease[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LEASE_TIMEOUT_MS)]);
  try {
    return await context.cluster.list('leases', { namespace: NODE_LEASE_NAMESPACE, signal });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof UserError || signal.aborted) return [];
    throw error;
  }
}

/** A node is alive while t < renewTime + leaseDurationSeconds. */
function lapsed(lease: Lease, now: Date): readonly (readonly [node: string, since: string])[] {
  const end = findLeaseEnd(lease);
  if (end === undefined || now.getTime() < end) return [];
  return [[lease.metadata.name, lease.spec?.renewTime?.replace(/\.\d+Z$/, 'Z') ?? '']];
}

function explain(failure: Failure, deadSince: ReadonlyMap<string, string>): Failure {
  const since = failure.ztunnel.node === null ? undefined : deadSince.get(failure.ztunnel.node);
  // A right that is missing is missing on living nodes too.
  if (since === undefined || failure.clusterRole !== undefined) return failure;
  return {
    ...failure,
    message: `${failure.message}; the node is dead: its Lease was last renewed at ${since}`,
    hint: `See the node with: kubectl describe node ${failure.ztunnel.node}`,
  };
}
