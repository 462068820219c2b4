// Whether the node of a ztunnel that failed is dead, as its Lease tells.

import type { Lease } from '../model/kubernetes.ts';
import { findLeaseEnd } from '../model/leases/leases.ts';
import type { Failure } from '../model/types.ts';
import { listNodeLeases, noLeases } from './lists.ts';
import type { Mesh } from './mesh.ts';

/** Reading Leases only explains a failure, so it must not hold up the answer. */
const LEASE_TIMEOUT_MS = 800;

/** Adds `node dead since …` to failures whose node stopped renewing its Lease. Never fails itself. */
export async function withDeadNodes(failures: readonly Failure[], mesh: Mesh): Promise<readonly Failure[]> {
  const nodes = new Set(failures.flatMap((failure) => failure.ztunnel.node ?? []));
  if (mesh.cluster.source !== 'live' || nodes.size === 0) return failures;
  const { leases } = await Promise.race([listNodeLeases(mesh), timeUp(mesh.signal)]);
  if (!leases.known) return failures;
  const { time } = await mesh.reference();
  const deadSince = new Map(leases.items.flatMap((lease) => lapsed(lease, time)));
  return failures.map((failure) => explain(failure, deadSince));
}

async function timeUp(signal: AbortSignal): Promise<typeof noLeases> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LEASE_TIMEOUT_MS)]);
  if (!limit.aborted) {
    await new Promise((resolve) => limit.addEventListener('abort', resolve, { once: true }));
  }
  signal.throwIfAborted();
  return noLeases;
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
