// Whether a connection from one pod's certificate to another's comes about, step by step.

import type { Verification } from '../certificates/verification.ts';
import type { CertificateItem, Status } from '../items.ts';
import { judgePair, type Side, sumUp, type TrustRule } from './matrix.ts';

/** One end of a connection. */
export interface PairEnd {
  /** What its node's ztunnel lists for it; undefined if that lists nothing. */
  readonly item: CertificateItem | undefined;
  /** Why the pod has no part in the mesh, so that nothing of this is asked of it; undefined for one that is captured. */
  readonly uncaptured?: string | undefined;
  /**
   * Whether that ztunnel has taken the pod over (`workloadState`); undefined where it does not say. `otherwise`: under an
   * account that istiod does not know it by, so that ztunnel waits for a workload that never comes.
   */
  readonly enrolled?: boolean | 'otherwise' | undefined;
  /** The identity that istiod gives the workload, which clients ask servers for; undefined where it is not known. */
  readonly expected?: string | undefined;
}

/** What is asked, in the order in which a connection asks it. */
export type StepRule = 'captured' | 'enrolled' | 'certificate' | 'valid' | 'name' | TrustRule;

export interface Step {
  /** Whose certificate or pod it is about. */
  readonly about: 'source' | 'destination';
  /** Who refuses if it does not hold; undefined where the connection does not get so far. */
  readonly side: Side | undefined;
  readonly rule: StepRule;
  readonly outcome: 'holds' | 'fails' | 'unknown';
  readonly text: string;
}

export interface PairVerdict {
  /** undefined where something can't be known and nothing known fails. */
  readonly works: boolean | undefined;
  readonly steps: readonly Step[];
  /** The first that fails, else the first that can't be known; undefined if all hold. */
  readonly decisive: Step | undefined;
}

/** `at`: ms since 1970. Policies are not asked: a connection that comes about may still be denied. */
export function explainPair(
  source: PairEnd,
  destination: PairEnd,
  verification: Pick<Verification, 'verify'>,
  at: number,
): PairVerdict {
  const steps: readonly Step[] = [
    ...endSteps('source', source),
    ...endSteps('destination', destination),
    ...nameSteps(destination),
    ...trustSteps(source, destination, verification, at),
  ];
  const decisive =
    steps.find(({ outcome }) => outcome === 'fails') ?? steps.find(({ outcome }) => outcome === 'unknown');
  return { works: sumUp(steps), steps, decisive };
}

/** What of a certificate alone keeps it from working with anybody, or from being judged; undefined for nothing. */
export function findOwnFlaw(item: CertificateItem): Step | undefined {
  return [...endSteps('source', { item }), ...nameSteps({ item })].find(({ outcome }) => outcome !== 'holds');
}

type Outcome = Pick<Step, 'outcome' | 'text'>;

const DATES: ReadonlySet<Status> = new Set(['NOT-YET-VALID', 'EXPIRED']);

function endSteps(about: Step['about'], { item, enrolled, uncaptured }: PairEnd): readonly Step[] {
  if (uncaptured !== undefined) {
    return [{ about, side: undefined, rule: 'captured', outcome: 'unknown', text: uncaptured }];
  }
  const refuses: Side = about === 'source' ? 'server' : 'client';
  return [
    ...(enrolled === undefined
      ? []
      : [{ about, side: undefined, rule: 'enrolled' as const, ...describeEnrolled(enrolled) }]),
    { about, side: undefined, rule: 'certificate', ...describeCertificate(item) },
    ...(!item?.peering ? [] : [{ about, side: refuses, rule: 'valid' as const, ...describeDates(item) }]),
  ];
}

function describeEnrolled(enrolled: boolean | 'otherwise'): Outcome {
  if (enrolled === 'otherwise') {
    return {
      outcome: 'fails',
      text: 'istiod knows the pod under another service account than ztunnel has taken it over with',
    };
  }
  return enrolled
    ? { outcome: 'holds', text: "the node's ztunnel has taken the pod over" }
    : { outcome: 'fails', text: "the node's ztunnel has not taken the pod over (workloadState)" };
}

function describeCertificate(item: CertificateItem | undefined): Outcome {
  if (item === undefined)
    return { outcome: 'unknown', text: 'no ztunnel of the node lists a certificate for it' };
  const { status, reason, peering, use } = item;
  if (use.state === 'unused' && use.why === 'waypoint') return { outcome: 'unknown', text: use.detail };
  if (peering !== null) return { outcome: 'holds', text: 'ztunnel has a certificate for it' };
  return {
    outcome: status === 'UNAVAILABLE' ? 'fails' : 'unknown',
    text: reason === null ? status : `${status}: ${reason}`,
  };
}

function describeDates({ status, reason, notBefore, notAfter }: CertificateItem): Outcome {
  if (!DATES.has(status)) return { outcome: 'holds', text: `valid until ${notAfter}` };
  return {
    outcome: 'fails',
    text: reason ?? (status === 'EXPIRED' ? `expired at ${notAfter}` : `not valid before ${notBefore}`),
  };
}

/** Only clients ask for a name. */
function nameSteps({ item, expected, uncaptured }: PairEnd): readonly Step[] {
  if (!item?.peering || uncaptured !== undefined) return [];
  return [{ about: 'destination', side: 'client', rule: 'name', ...describeName(item, expected) }];
}

function describeName({ identity, status, reason }: CertificateItem, expected: string | undefined): Outcome {
  if (status === 'MISMATCH')
    return { outcome: 'fails', text: reason ?? 'the certificate names another identity' };
  if (expected !== undefined && expected !== identity) {
    return { outcome: 'fails', text: `clients ask for ${expected}, and it names ${identity}` };
  }
  return { outcome: 'holds', text: `it names ${identity}` };
}

function trustSteps(
  { item: source, uncaptured: apart }: PairEnd,
  { item: destination, uncaptured: outside }: PairEnd,
  verification: Pick<Verification, 'verify'>,
  at: number,
): readonly Step[] {
  if (!source?.peering || !destination?.peering || (apart ?? outside) !== undefined) return [];
  const pair = judgePair(
    { ...source.peering, trustDomain: source.trustDomain ?? '' },
    { ...destination.peering, trustDomain: destination.trustDomain ?? '' },
    verification,
    at,
  );
  return pair.outcomes.map(({ rule, side, outcome, text }) => ({
    about: side === 'client' ? 'destination' : 'source',
    side,
    rule,
    outcome,
    text,
  }));
}
