// The codes of what check can find, in the order in which they are listed.

/**
 * Those of one cluster. Within a severity, findings are shown in this order. Codes are what users write into
 * monitors: a new one may come, none changes its meaning (findings.ts says it).
 */
export const FINDING_CODES = [
  'CA-UNREACHABLE',
  'CA-UNAUTHENTICATED',
  'CA-DENIED',
  'CA-UNEXPECTED-SAN',
  'CA-EMPTY-CHAIN',
  'CA-UNREADABLE',
  'WORKLOAD-UNKNOWN',
  'UNAVAILABLE',
  'MISMATCH',
  'NOT-YET-VALID',
  'EXPIRED',
  'UNTRUSTED',
  'MISSING',
  'ZTUNNEL-EMPTY',
  'NOT-ENROLLED',
  'PROXY-PENDING',
  'ENROLLED-OTHERWISE',
  'PROTOCOL-DIFFERS',
  'STALE-CONFIG',
  'CAPTURE-PENDING',
  'NODE-WITHOUT-ZTUNNEL',
  'STATEFULSET-SHORTFALL',
  'ROOTS-DISJOINT',
  'LEAF-OUTLIVES-ISSUER',
  'SAN-REFUSED',
  'FAKE-CA',
  'INITIALIZING',
  'UNKNOWN',
  'EXPIRING',
  'RENEWAL-OVERDUE',
  'CA-LAST-ISSUED',
  'UNCAPTURED',
  'ZTUNNEL-NOT-READY',
  'ZTUNNEL-UNREACHABLE',
  'NODE-DEAD',
  'ROOTS-DIFFER',
  'AUTHORITY-EXPIRING',
  'TRUST-DOMAINS-DIFFER',
  'TRUST-DOMAIN-MISMATCH',
  'LIFETIME-FAR-OFF',
  'SAN-TLS-DISABLED',
  'SAN-NOT-SPIFFE',
  'SAN-UNKNOWN-DOMAIN',
  'SAN-UNMATCHED',
  'POLICY-UNMATCHED',
  'CLOCK-SKEW',
  'IDENTITY-NOT-NEEDED',
  'ORPHAN',
  'CAPTURED-UNASKED',
  'POLICY-ALLOWS-NOTHING',
  'POLICY-SELECTS-NOTHING',
  'SAN-NO-ENDPOINTS',
  'CHAIN-DUPLICATE',
  'DEFAULT-SERVICE-ACCOUNT',
  'VERSIONS-DIFFER',
  'OLDER-ROOT',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** Those of several clusters together: with --contexts only. */
export const ACROSS_CODES = [
  'CLUSTER-ROOTS-DISJOINT',
  'CLUSTER-ROOTS-DIFFER',
  'CLUSTER-DOMAINS-DIFFER',
] as const;

export type AcrossCode = (typeof ACROSS_CODES)[number];

export type AnyCode = FindingCode | AcrossCode;

/** What --only and --ignore take; within a severity, those of several clusters come last. */
export const ALL_CODES: readonly AnyCode[] = [...FINDING_CODES, ...ACROSS_CODES];
