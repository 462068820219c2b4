// How good a certificate is at a given time: the table of statuses.

import { formatTime, type WarnWithin } from '../../base/duration.ts';
import type { Status } from '../items.ts';
import type { Severity } from '../types.ts';
import type { Chain } from './chain.ts';
import { labelIntermediate, type Trust } from './verify.ts';
import type { ParsedCertificate } from './x509.ts';

/** One identity's certificate and all that the rules ask about it. */
export interface Subject {
  readonly identity: string;
  /** ztunnel's own text. */
  readonly state: string;
  readonly chain: Chain;
  /** undefined without a readable leaf. */
  readonly validity: Validity | undefined;
  readonly trust: Trust;
  /** The reference time in ms since 1970. */
  readonly at: number;
  readonly warnWithin: WarnWithin;
}

/** From when to when leaf and intermediates are all valid, and which of them says so. Times in ms since 1970. */
export interface Validity {
  readonly leaf: ParsedCertificate;
  /** Of the leaf alone: notAfter − notBefore, in ms. */
  readonly lifetime: number;
  readonly from: number;
  /** undefined when it is the leaf. */
  readonly fromBy: string | undefined;
  /** The effective expiry. */
  readonly to: number;
  readonly toBy: string | undefined;
}

export interface Verdict {
  readonly status: Status;
  readonly severity: Severity;
  readonly reason: string | null;
}

interface Rule {
  readonly status: Status;
  readonly severity: Severity;
  /** The reason, null for none worth a word, undefined when the rule does not apply. */
  readonly apply: (subject: Subject) => string | null | undefined;
}

// ztunnel renews exactly at half of the lifetime; a few retries may pass before it counts as overdue.
const RENEWAL_GRACE = 5 * 60_000;

/** The STATUS table: the first rule that applies decides. MISSING is not here, because no entry stands behind it. */
export const RULES: readonly Rule[] = [
  { status: 'UNAVAILABLE', severity: 'critical', apply: findUnavailable },
  {
    status: 'INITIALIZING',
    severity: 'warning',
    apply: ({ state }) => (state === 'Initializing' ? null : undefined),
  },
  { status: 'UNKNOWN', severity: 'warning', apply: findUnknown },
  { status: 'MISMATCH', severity: 'critical', apply: findMismatch },
  {
    status: 'NOT-YET-VALID',
    severity: 'critical',
    apply: ({ validity, at }) =>
      validity && at < validity.from
        ? nameOther(validity.fromBy, `is not valid before ${formatTime(validity.from)}`)
        : undefined,
  },
  {
    status: 'EXPIRED',
    severity: 'critical',
    apply: ({ validity, at }) =>
      validity && at >= validity.to
        ? nameOther(validity.toBy, `expired at ${formatTime(validity.to)}`)
        : undefined,
  },
  { status: 'UNTRUSTED', severity: 'critical', apply: ({ trust }) => trust.problem },
  {
    status: 'EXPIRING',
    severity: 'warning',
    apply: ({ validity, at, warnWithin }) =>
      validity && validity.to - at < warningTime(validity, warnWithin)
        ? nameOther(validity.toBy, `expires at ${formatTime(validity.to)}`)
        : undefined,
  },
  { status: 'RENEWAL-OVERDUE', severity: 'warning', apply: findOverdue },
  { status: 'OK', severity: 'ok', apply: () => null },
];

// The pod that needed the identity has just left: nothing to do, and ztunnel forgets the entry soon.
const NO_LONGER_NEEDED = 'the identity is no longer needed';

/** Judges one certificate by the first rule that applies. */
export function judgeCertificate(subject: Subject): Verdict {
  for (const { status, severity, apply } of RULES) {
    const reason = apply(subject);
    if (reason === undefined) continue;
    const isCalm = status === 'UNAVAILABLE' && reason === NO_LONGER_NEEDED;
    return { status, severity: isCalm ? 'information' : severity, reason };
  }
  return { status: 'OK', severity: 'ok', reason: null };
}

/** The time in which leaf and intermediates are all valid; undefined without a readable leaf. */
export function findValidity({ leaf, intermediates }: Chain): Validity | undefined {
  if (!leaf) return undefined;
  let validity: Validity = {
    leaf,
    lifetime: leaf.notAfter - leaf.notBefore,
    from: leaf.notBefore,
    fromBy: undefined,
    to: leaf.notAfter,
    toBy: undefined,
  };
  for (const [index, element] of intermediates.entries()) {
    if (!element) continue;
    const by = labelIntermediate(element, index);
    if (element.notBefore > validity.from) validity = { ...validity, from: element.notBefore, fromBy: by };
    if (element.notAfter < validity.to) validity = { ...validity, to: element.notAfter, toBy: by };
  }
  return validity;
}

function findUnavailable({ state }: Subject): string | null | undefined {
  if (!state.startsWith('Unavailable')) return undefined;
  return state.slice('Unavailable'.length).replace(/^: ?/, '') || null;
}

function findUnknown({ state, chain }: Subject): string | undefined {
  if (state !== 'Available') return state === '' ? 'ztunnel gives no state' : `unknown state: ${state}`;
  if (chain.length === 0) return 'the certificate chain is empty';
  if (!chain.leaf) return 'the leaf certificate can not be read';
  const unreadable = chain.intermediates.indexOf(undefined);
  if (unreadable !== -1) return `intermediate ${unreadable + 1} can not be read`;
  if (chain.roots.length > 0) return undefined;
  return chain.rootsListed === 0 ? 'no root certificate is listed' : 'no root certificate can be read';
}

// A leaf of a stranger may carry thousands of names.
const NAMES_SHOWN = 3;

function findMismatch({ identity, validity }: Subject): string | undefined {
  if (!validity || validity.leaf.uris.includes(identity)) return undefined;
  const { uris } = validity.leaf;
  if (uris.length === 0) return 'the certificate names no identity';
  const more = uris.length > NAMES_SHOWN ? ` and ${uris.length - NAMES_SHOWN} more` : '';
  return `the certificate is for ${uris.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}

function findOverdue({ validity, at }: Subject): string | undefined {
  if (!validity) return undefined;
  const due = validity.leaf.notBefore + validity.lifetime / 2;
  return at > due + RENEWAL_GRACE ? `renewal was due at ${formatTime(due)}` : undefined;
}

function warningTime({ lifetime }: Validity, warnWithin: WarnWithin): number {
  return 'percent' in warnWithin ? (lifetime * warnWithin.percent) / 100 : warnWithin.seconds * 1000;
}

/** The status itself speaks for the leaf; another certificate has to be named. */
function nameOther(by: string | undefined, what: string): string | null {
  return by === undefined ? null : `${by} ${what}`;
}
