// Which trust classes can verify which: for each ordered pair whether a connection comes about, and what stands in its way.

import { formatTime } from '../../base/duration.ts';
import { isOpenAt } from '../certificates/choice.ts';
import { labelIntermediate } from '../certificates/flaws.ts';
import type { Usage } from '../certificates/paths.ts';
import type { Presented, Verification, Verifier } from '../certificates/verification.ts';
import type { ParsedCertificate } from '../certificates/x509.ts';
import type { TrustClass } from './classes.ts';

export const SIDES = ['client', 'server'] as const;

/** Which side of a connection refuses the other one. */
export type Side = (typeof SIDES)[number];

/** What one side asks of the other. */
export type TrustRule = 'chain' | 'dates' | 'usage' | 'domain';

/** One thing that holds, does not, or can't be known; the text is a phrase about what is verified. */
export interface RuleOutcome {
  readonly rule: TrustRule;
  readonly side: Side;
  readonly outcome: 'holds' | 'fails' | 'unknown';
  readonly text: string;
}

/** Of an ordered pair: whether new connections from the one to the other come about. */
export interface PairTrust {
  /** undefined where something can't be known and nothing known fails. */
  readonly works: boolean | undefined;
  /** In the order in which a handshake asks: first the client's questions, then the server's. */
  readonly outcomes: readonly RuleOutcome[];
}

export interface TrustMatrix {
  readonly classes: readonly TrustClass[];
  /** By source and destination, both indexes of `classes`. */
  readonly pairs: readonly (readonly PairTrust[])[];
}

/** Both ways of a pair of classes, of which one at least fails. */
export interface BrokenPair {
  readonly classes: readonly [TrustClass, TrustClass];
  /** From the first to the second, and back. */
  readonly directions: readonly [PairTrust, PairTrust];
}

/** Quadratic in classes, of which a mesh of any size has tens. `at`: ms since 1970. */
export function judgeMatrix(
  classes: readonly TrustClass[],
  verification: Pick<Verification, 'verify'>,
  at: number,
): TrustMatrix {
  const pairs = classes.map((source) =>
    classes.map((destination) => judgePair(source, destination, verification, at)),
  );
  return { classes, pairs };
}

/** What is asked in a connection from one class to another. */
export function judgePair(
  source: Pick<TrustClass, 'presented' | 'verifier' | 'trustDomain'>,
  destination: Pick<TrustClass, 'presented' | 'verifier' | 'trustDomain'>,
  { verify }: Pick<Verification, 'verify'>,
  at: number,
): PairTrust {
  const outcomes: readonly RuleOutcome[] = [
    ...verifySide('client', destination.presented, source.verifier, verify, at),
    ...verifySide('server', source.presented, destination.verifier, verify, at),
    judgeDomain(source.trustDomain, destination.trustDomain),
  ];
  return { works: sumUp(outcomes), outcomes };
}

/** Fails if anything does; can't be known if anything can't. */
export function sumUp(outcomes: readonly Pick<RuleOutcome, 'outcome'>[]): boolean | undefined {
  if (outcomes.some(({ outcome }) => outcome === 'fails')) return false;
  return outcomes.some(({ outcome }) => outcome === 'unknown') ? undefined : true;
}

const USAGE_OF = { client: 'serverAuth', server: 'clientAuth' } as const satisfies Record<Side, Usage>;

/** One side verifies what the other one presents: three questions, the later ones only of chains that lead somewhere. */
export function verifySide(
  side: Side,
  presented: Presented,
  verifier: Verifier,
  verify: Verification['verify'],
  at: number,
): readonly RuleOutcome[] {
  const { paths, problem } = verify(presented, verifier);
  if (problem !== undefined) {
    const isUntold = problem.isUnreached && !verifier.complete;
    const outcome = isUntold ? ('unknown' as const) : ('fails' as const);
    return [{ rule: 'chain', side, outcome, text: isUntold ? `${problem.text}${UNTOLD}` : problem.text }];
  }
  const usage = USAGE_OF[side];
  const open = paths.filter((path) => isOpenAt(path, at));
  const asked = open.length > 0 ? open : paths;
  const [best = asked[0]!] = asked.filter(({ refusals }) => refusals[usage] === undefined);
  const { anchor, refusals, issuers } = best;
  const refusal = refusals[usage];
  return [
    { rule: 'chain', side, outcome: 'holds', text: `the chain leads to root ${anchor.facts.subject}` },
    open.length > 0
      ? { rule: 'dates', side, outcome: 'holds', text: 'its intermediates are valid now' }
      : { rule: 'dates', side, outcome: 'fails', text: describeClosed(issuers, presented, at) },
    refusal === undefined
      ? { rule: 'usage', side, outcome: 'holds', text: `it allows ${usage}` }
      : { rule: 'usage', side, outcome: 'fails', text: refusal },
  ];
}

const UNTOLD = '; of several roots its ztunnel shows only the first';

function describeClosed(issuers: readonly ParsedCertificate[], { chain }: Presented, at: number): string {
  const closed = issuers.find(({ notBefore, notAfter }) => at < notBefore || at >= notAfter)!;
  const label = labelIntermediate(closed, chain.intermediates.indexOf(closed));
  return at < closed.notBefore
    ? `${label} is not valid before ${formatTime(closed.notBefore)}`
    : `${label} expired at ${formatTime(closed.notAfter)}`;
}

/** Only servers ask, and only for their own: aliases play no part in ztunnel. */
function judgeDomain(source: string, destination: string): RuleOutcome {
  return source === destination
    ? { rule: 'domain', side: 'server', outcome: 'holds', text: `both are in trust domain ${source}` }
    : {
        rule: 'domain',
        side: 'server',
        outcome: 'fails',
        text: `the client is in trust domain ${source}, the server in ${destination}`,
      };
}

/** Each pair of classes once, in the classes' order, of which a direction fails; a class with itself is none. */
export function listBrokenPairs({ classes, pairs }: TrustMatrix): readonly BrokenPair[] {
  return classes.flatMap((one, at) =>
    classes.slice(at + 1).flatMap((other, offset): readonly BrokenPair[] => {
      const there = pairs[at]![at + 1 + offset]!;
      const back = pairs[at + 1 + offset]![at]!;
      return there.works === false || back.works === false
        ? [{ classes: [one, other], directions: [there, back] }]
        : [];
    }),
  );
}
