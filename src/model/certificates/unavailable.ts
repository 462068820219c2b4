// Which kinds of reason ztunnel gives for having no certificate.

/** One kind of reason, by ztunnel's own words (its texts around the gRPC code's). */
interface ReasonKind {
  readonly is: (reason: string) => boolean;
}

const starts = (text: string) => (reason: string) => reason.startsWith(text);
const grpc = (text: string) => (reason: string) => reason.startsWith(`signing gRPC error (${text}`);

/** The first that applies counts; what none knows is `other`. */
const REASON_KINDS = {
  notNeeded: { is: (reason) => reason === 'the identity is no longer needed' },
  notAuthenticated: { is: grpc('The request does not have valid authentication credentials') },
  permissionDenied: { is: grpc('The caller does not have permission') },
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
