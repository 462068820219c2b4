// Which kinds of reason ztunnel gives for having no certificate, and what figures stand in them.

import { formatDuration } from '../../base/duration.ts';
import type { CertificateItem } from '../items.ts';

/** One kind of reason, by ztunnel's own words (its texts around the gRPC code's). */
interface ReasonKind {
  readonly is: (reason: string) => boolean;
}

const starts = (text: string) => (reason: string) => reason.startsWith(text);
const grpc = (text: string) => starts(`signing gRPC error (${text}`);
const isUnauthenticated = grpc('The request does not have valid authentication credentials');

// istiod refuses what it is asked for, it does not shorten it.
const TTL = /requested TTL ([\dhms.µ]+) is greater than the max allowed TTL ([\dhms.µ]+)/;

/** The first that applies counts; what none knows is `other`. */
const REASON_KINDS = {
  notNeeded: { is: (reason) => reason === 'the identity is no longer needed' },
  // istiod says so of tokens that it does take: it does not want to tell more to whom it refuses.
  notTrusted: {
    is: (reason) => isUnauthenticated(reason) && /request impersonation authentication failure/.test(reason),
  },
  notAuthenticated: { is: isUnauthenticated },
  permissionDenied: { is: grpc('The caller does not have permission') },
  ttlRefused: { is: (reason) => TTL.test(reason) },
  notReady: { is: (reason) => grpc('')(reason) && /\b(?:is )?not ready\b/.test(reason) },
  unreachable: {
    // `Unknown error` is what a connection that never came about ends as: refused, reset, TLS that fails.
    is: (reason) =>
      grpc('The service is currently unavailable')(reason) ||
      grpc('Deadline expired')(reason) ||
      /^signing gRPC error \(Unknown error\): (?:client|transport) error/.test(reason),
  },
  unexpectedSan: { is: starts('did not find expected SAN') },
  emptyChain: { is: starts('chain returned from CA is empty') },
  // Its name is misleading: ztunnel says so of roots and certificates that it can't parse, too.
  unreadable: { is: starts('failed to create CSR') },
  workloadUnknown: {
    is: (reason) => starts('workload is unknown')(reason) || starts('BUG: identity requested')(reason),
  },
  other: { is: () => true },
} as const satisfies Record<string, ReasonKind>;

export type ReasonKindName = keyof typeof REASON_KINDS;

/** The kind of an `Unavailable` reason; null is a state without one. */
export function classifyReason(reason: string | null): ReasonKindName {
  const kinds = Object.entries(REASON_KINDS) as readonly (readonly [ReasonKindName, ReasonKind])[];
  return kinds.find(([, { is }]) => is(reason ?? ''))?.[0] ?? 'other';
}

/** The nodes on which a certificate that is needed could not be fetched, because the CA can't be reached. */
export function findOutages(
  items: readonly Pick<CertificateItem, 'status' | 'reason' | 'node' | 'use'>[],
): ReadonlySet<string | null> {
  return new Set(
    items
      .filter(({ status, use }) => status === 'UNAVAILABLE' && use.state !== 'unused')
      .filter(({ reason }) => classifyReason(reason) === 'unreachable')
      .map(({ node }) => node),
  );
}

/** What was asked for and what is allowed, of a lifetime that is refused; undefined of other reasons. */
export function findTtls(reason: string): { readonly asked: string; readonly allowed: string } | undefined {
  const [, asked, allowed] = TTL.exec(reason) ?? [];
  if (asked === undefined || allowed === undefined) return undefined;
  return { asked: shorten(asked), allowed: shorten(allowed) };
}

/** Go writes hours as the largest unit, and all units below: `8760h0m0s` is 365 days. */
function shorten(text: string): string {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)(?:\.\d+)?s)?$/.exec(text) ?? [];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total === 0 ? text : formatDuration(total);
}
