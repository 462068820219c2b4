// Which of a certificate's ways to a root counts at a time, and from when to when it is valid.

import { compareBy, compareText } from '../../base/order.ts';
import type { Chain } from './chain.ts';
import { labelIntermediate } from './flaws.ts';
import { type Path, type PathSearch, type Problem, USAGES } from './paths.ts';
import type { ParsedCertificate } from './x509.ts';

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

/** What verifying a certificate with the roots that came with it came to. */
export interface Trust {
  /** The root of the way that counts; undefined if there is none. Its dates count for nothing. */
  readonly anchor: ParsedCertificate | undefined;
  /** The intermediates on that way; without one, all that are readable. */
  readonly issuers: readonly ParsedCertificate[];
  /** undefined without a readable leaf. */
  readonly validity: Validity | undefined;
  /** What peers refuse it for, its dates apart; undefined if they take it. */
  readonly problem: Problem | undefined;
}

/** at: ms since 1970. Other ways may be open for longer, or to more uses: the best one counts. */
export function chooseTrust(chain: Chain, search: PathSearch, at: number): Trust {
  const { paths, problem } = search;
  const [best] = paths.toSorted(compareAt(at));
  const issuers = best?.issuers ?? chain.intermediates.filter((each) => each !== undefined);
  return {
    anchor: best?.anchor,
    issuers,
    validity: findValidity(chain, issuers),
    problem: problem ?? findRefusal(paths, at),
  };
}

/** Whether all intermediates of a way are valid at a time. */
export function isOpenAt(path: Path, at: number): boolean {
  return path.issuers.every(({ notBefore, notAfter }) => notBefore <= at && at < notAfter);
}

/** Open ones first, of these those that all peers take, then the one that is open longest, under the newest root. */
function compareAt(at: number): (a: Path, b: Path) => number {
  return compareBy<Path>(
    (a, b) => Number(isOpenAt(b, at)) - Number(isOpenAt(a, at)),
    (a, b) => countRefusals(a) - countRefusals(b),
    (a, b) => compareEnds(endOf(b), endOf(a)),
    (a, b) => b.anchor.notBefore - a.anchor.notBefore,
    (a, b) => compareText(a.anchor.facts.fingerprintSHA256, b.anchor.facts.fingerprintSHA256),
  );
}

function countRefusals({ refusals }: Path): number {
  return USAGES.filter((usage) => refusals[usage] !== undefined).length;
}

/** Infinity without intermediates. */
function endOf({ issuers }: Path): number {
  return issuers.reduce((end, { notAfter }) => Math.min(end, notAfter), Number.POSITIVE_INFINITY);
}

function compareEnds(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** A use that no way allows; ways that are not open count only if none is. */
function findRefusal(paths: readonly Path[], at: number): Problem | undefined {
  const open = paths.filter((path) => isOpenAt(path, at));
  const asked = open.length > 0 ? open : paths;
  if (asked.length === 0) return undefined;
  const texts = USAGES.flatMap((usage) =>
    asked.every(({ refusals }) => refusals[usage] !== undefined) ? asked[0]!.refusals[usage]! : [],
  );
  return texts.length === 0 ? undefined : { text: texts.join('; '), isUnreached: false };
}

function findValidity(
  { leaf, intermediates }: Chain,
  issuers: readonly ParsedCertificate[],
): Validity | undefined {
  if (!leaf) return undefined;
  let validity: Validity = {
    leaf,
    lifetime: leaf.notAfter - leaf.notBefore,
    from: leaf.notBefore,
    fromBy: undefined,
    to: leaf.notAfter,
    toBy: undefined,
  };
  for (const issuer of issuers) {
    const by = labelIntermediate(
      issuer,
      intermediates.findIndex((each) => isSame(each, issuer)),
    );
    if (issuer.notBefore > validity.from) validity = { ...validity, from: issuer.notBefore, fromBy: by };
    if (issuer.notAfter < validity.to) validity = { ...validity, to: issuer.notAfter, toBy: by };
  }
  return validity;
}

/** The way may be one that was found for another certificate with the same intermediates. */
function isSame(one: ParsedCertificate | undefined, { facts }: ParsedCertificate): boolean {
  return one?.facts.fingerprintSHA256 === facts.fingerprintSHA256;
}
