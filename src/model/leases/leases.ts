// When a Lease runs out, and whether somebody holds it.

import { KINDS } from '../kinds.ts';
import type { Lease } from '../kubernetes.ts';

/** `released`: nobody holds it; `expired`: its holder has stopped renewing it. */
export const LEASE_STATUSES = ['expired', 'held', 'released'] as const;
export type LeaseStatus = (typeof LEASE_STATUSES)[number];

/** Where the kubelets keep their nodes' Leases, each under its node's name. */
export const NODE_LEASE_NAMESPACE = KINDS.leases.usualNamespace;

/** The moment (ms since 1970) from which a Lease is not held any more: renewTime + leaseDurationSeconds; undefined without both. */
export function findLeaseEnd({ spec }: Lease): number | undefined {
  const renewed = findRenewal({ spec });
  const { leaseDurationSeconds } = spec ?? {};
  if (renewed === undefined || leaseDurationSeconds === undefined) return undefined;
  return renewed + leaseDurationSeconds * 1000;
}

/** When it was last renewed, in ms since 1970; undefined for none and for what is no time. */
export function findRenewal({ spec }: Pick<Lease, 'spec'>): number | undefined {
  const renewed = Date.parse(spec?.renewTime ?? '');
  return Number.isNaN(renewed) ? undefined : renewed;
}

/** A renewal after `at` (ms since 1970) counts. One that says neither when nor for how long is not held. */
export function judgeLease(lease: Lease, at: number): LeaseStatus {
  // client-go's leader election gives up a Lease by emptying its holder.
  if (!lease.spec?.holderIdentity) return 'released';
  const end = findLeaseEnd(lease);
  return end !== undefined && at < end ? 'held' : 'expired';
}
