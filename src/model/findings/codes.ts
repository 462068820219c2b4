// The codes of what check can find, in the order in which they are listed.

/**
 * Those of one cluster. Within a severity, findings are shown in this order. Codes are what users write into
 * monitors: a new one may come, none changes its meaning (findings.ts says it).
 */
export const FINDING_CODES = [
  'CA-UNREACHABLE',
  'CA-UNAUTHENTICATED',
  'CA-NOT-TRUSTED',
  'CA-DENIED',
  'CA-TTL-REFUSED',
  'CA-NOT-READY',
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
  'TRUST-BROKEN',
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
  'ROOT-EXPIRED',
  'AUTHORITY-EXPIRING',
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
  'NEVER-PRESENTED',
  'SAN-NO-ENDPOINTS',
  'CHAIN-DUPLICATE',
  'DEFAULT-SERVICE-ACCOUNT',
  'VERSIONS-DIFFER',
  'OLDER-ROOT',
  'ROOTS-DIFFER',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** Those of several clusters together: with --contexts only. TRUST-BROKEN is looked for in each of them as well. */
export const ACROSS_CODES = ['TRUST-BROKEN', 'CLUSTERS-APART'] as const;

export type AcrossCode = (typeof ACROSS_CODES)[number];

export type AnyCode = FindingCode | AcrossCode;

/** What --only and --ignore take; within a severity, those of several clusters alone come last. */
export const ALL_CODES: readonly AnyCode[] = [...new Set<AnyCode>([...FINDING_CODES, ...ACROSS_CODES])];

/** Those that one cluster alone can't have. */
export const ONLY_ACROSS: readonly AnyCode[] = ALL_CODES.filter(
  (code) => !(FINDING_CODES as readonly AnyCode[]).includes(code),
);
