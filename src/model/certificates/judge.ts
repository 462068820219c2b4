// How good a certificate is at a given time: the table of statuses.

import { formatDuration, formatTime, type WarnWithin } from '../../base/duration.ts';
import type { Status } from '../items.ts';
import { renewalDue } from '../renewal.ts';
import type { Severity } from '../types.ts';
import type { Chain } from './chain.ts';
import type { Trust, Validity } from './choice.ts';
import type { Use } from './use.ts';

/** One identity's certificate and all that the rules ask about it. */
export interface Subject {
  readonly identity: string;
  /** ztunnel's own text. */
  readonly state: string;
  readonly chain: Chain;
  readonly trust: Trust;
  readonly use: Use;
  /** The reference time in ms since 1970. */
  readonly at: number;
  readonly warnWithin: WarnWithin;
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

// Clocks differ a little, and a CA that does not date back issues what begins this very second.
const EARLY_TOLERANCE = 30_000;
// ztunnel renews exactly at half of the lifetime; a few retries may pass before it counts as overdue.
const RENEWAL_GRACE = 5 * 60_000;
const RENEWAL_GRACE_SHARE = 0.05;

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
    apply: ({ trust: { validity }, at }) =>
      validity && at < validity.from - EARLY_TOLERANCE
        ? nameOther(validity.fromBy, `is not valid before ${formatTime(validity.from)}`)
        : undefined,
  },
  {
    status: 'EXPIRED',
    severity: 'critical',
    apply: ({ trust: { validity }, at }) =>
      validity && at >= validity.to
        ? nameOther(validity.toBy, `expired at ${formatTime(validity.to)}`)
        : undefined,
  },
  { status: 'UNKNOWN', severity: 'warning', apply: findUntold },
  { status: 'UNTRUSTED', severity: 'critical', apply: ({ trust }) => trust.problem?.text },
  {
    status: 'EXPIRING',
    severity: 'warning',
    apply: ({ trust: { validity }, at, warnWithin }) =>
      validity && validity.to - at < warningTime(validity, warnWithin)
        ? nameOther(validity.toBy, `expires at ${formatTime(validity.to)}`)
        : undefined,
  },
  { status: 'RENEWAL-OVERDUE', severity: 'warning', apply: findOverdue },
  { status: 'OK', severity: 'ok', apply: () => null },
];

// The pod that needed the identity has just left: nothing to do, and ztunnel forgets the entry soon.
const NO_LONGER_NEEDED = 'the identity is no longer needed';

/** Judges one certificate by the first rule that applies, and by who needs it. */
export function judgeCertificate(subject: Subject): Verdict {
  for (const { status, severity, apply } of RULES) {
    const reason = apply(subject);
    if (reason === undefined) continue;
    const verdict = { status, severity, reason };
    if (status === 'UNAVAILABLE' && reason === NO_LONGER_NEEDED)
      return { ...verdict, severity: 'information' };
    return status === 'UNAVAILABLE' || status === 'INITIALIZING' ? weighByAge(verdict, subject.use) : verdict;
  }
  return { status: 'OK', severity: 'ok', reason: null };
}

/** A pod that has just started is still getting its certificate; one that has run for long ought to have it. */
export function weighByAge(verdict: Verdict, use: Use): Verdict {
  if (use.state === 'unused' || use.settled === undefined) return verdict;
  if (use.settled && verdict.status !== 'INITIALIZING') return { ...verdict, severity: 'critical' };
  const since =
    use.oldestSeconds === undefined
      ? 'no pod that needs it is running yet'
      : `its pod started ${formatDuration(Math.max(use.oldestSeconds, 0))} ago`;
  const reason = verdict.reason === null ? since : `${verdict.reason}; ${since}`;
  return { ...verdict, severity: use.settled ? 'critical' : 'warning', reason };
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

/** Before 1.24.6 ztunnel shows one root of each certificate, which need not be the one that it leads to. */
function findUntold({ chain: { rootsShown }, trust: { problem } }: Subject): string | undefined {
  if (rootsShown === 'all' || !problem?.isUnreached) return undefined;
  return `${problem.text}; this ztunnel shows only the first of its roots`;
}

// A leaf of a stranger may carry thousands of names.
const NAMES_SHOWN = 3;

function findMismatch({ identity, trust: { validity } }: Subject): string | undefined {
  if (!validity || validity.leaf.uris.includes(identity)) return undefined;
  const { uris } = validity.leaf;
  if (uris.length === 0) return 'the certificate names no identity';
  const more = uris.length > NAMES_SHOWN ? ` and ${uris.length - NAMES_SHOWN} more` : '';
  return `the certificate is for ${uris.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}

function findOverdue({ trust: { validity }, at }: Subject): string | undefined {
  if (!validity) return undefined;
  const due = renewalDue(validity.leaf.notBefore, validity.leaf.notAfter);
  const grace = Math.min(RENEWAL_GRACE, validity.lifetime * RENEWAL_GRACE_SHARE);
  return at > due + grace ? `renewal was due at ${formatTime(due)}` : undefined;
}

function warningTime({ lifetime }: Validity, warnWithin: WarnWithin): number {
  return 'percent' in warnWithin ? (lifetime * warnWithin.percent) / 100 : warnWithin.seconds * 1000;
}

/** The status itself speaks for the leaf; another certificate has to be named. */
function nameOther(by: string | undefined, what: string): string | null {
  return by === undefined ? null : `${by} ${what}`;
}
