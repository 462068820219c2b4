// Which pairs of certificates have come to work, or to fail, between two states of a mesh.

import { keyOfCertificate } from '../certificates/diff.ts';
import type { Verification } from '../certificates/verification.ts';
import type { Difference } from '../difference.ts';
import type { CertificateItem } from '../items.ts';
import { groupByTrust, type TrustClass } from './classes.ts';
import { judgeMatrix, type PairTrust, type TrustMatrix } from './matrix.ts';

/** One of the two states, judged at its own time (ms since 1970). */
export interface TrustState {
  readonly items: readonly CertificateItem[];
  readonly verification: Pick<Verification, 'verify'>;
  readonly at: number;
}

/** Certificates that were alike, and are alike. */
interface Group {
  readonly before: number;
  readonly after: number;
  readonly members: readonly CertificateItem[];
}

/**
 * Of certificates that were in use and still are, by identity and node: each pair of groups once, whichever directions changed
 * in the same way. Quadratic in groups.
 */
export function diffTrust(
  before: TrustState,
  after: TrustState,
  isComparable: (node: string | null) => boolean,
  describeMembers: (members: readonly CertificateItem[]) => string,
): readonly Difference[] {
  const [was, is] = [before, after].map(matrixOf) as [TrustMatrix, TrustMatrix];
  const groups = groupsOf(was.classes, is.classes, isComparable);
  const change = (from: Group, to: Group) =>
    compare(was.pairs[from.before]![to.before]!, is.pairs[from.after]![to.after]!);
  return groups.flatMap((one, index) =>
    groups.slice(index).flatMap((other): readonly Difference[] => {
      const there = change(one, other);
      const back = one === other ? undefined : change(other, one);
      if (there !== undefined && there.change === back?.change) {
        return [differenceOf(there, `${describeMembers(one.members)} ↔ ${describeMembers(other.members)}`)];
      }
      return [
        ...(there === undefined
          ? []
          : [differenceOf(there, `${describeMembers(one.members)} → ${describeMembers(other.members)}`)]),
        ...(back === undefined
          ? []
          : [differenceOf(back, `${describeMembers(other.members)} → ${describeMembers(one.members)}`)]),
      ];
    }),
  );
}

function matrixOf({ items, verification, at }: TrustState): TrustMatrix {
  return judgeMatrix(groupByTrust(items, verification, at), verification, at);
}

function groupsOf(
  was: readonly TrustClass[],
  is: readonly TrustClass[],
  isComparable: (node: string | null) => boolean,
): readonly Group[] {
  const classOf = new Map(
    was.flatMap(({ members }, index) => members.map((item) => [keyOfCertificate(item), index] as const)),
  );
  const groups = new Map<string, { before: number; after: number; members: CertificateItem[] }>();
  for (const [after, { members }] of is.entries()) {
    for (const item of members) {
      const before = classOf.get(keyOfCertificate(item));
      if (before === undefined || !isComparable(item.node)) continue;
      const key = `${before} ${after}`;
      const known = groups.get(key);
      if (known) known.members.push(item);
      else groups.set(key, { before, after, members: [item] });
    }
  }
  return [...groups.values()];
}

interface Changed {
  readonly change: 'works' | 'fails';
  readonly why: string;
}

/** What can't be told of one of them is no change. */
function compare(was: PairTrust, is: PairTrust): Changed | undefined {
  if (was.works === undefined || is.works === undefined || was.works === is.works) return undefined;
  return is.works ? { change: 'works', why: whyNot(was) } : { change: 'fails', why: whyNot(is) };
}

function whyNot({ outcomes }: PairTrust): string {
  const { side, text } = outcomes.find(({ outcome }) => outcome === 'fails')!;
  return `the ${side} refuses: ${text}`;
}

function differenceOf({ change, why }: Changed, pair: string): Difference {
  const isBroken = change === 'fails';
  return {
    kind: 'Trust',
    namespace: null,
    name: pair,
    node: null,
    id: pair,
    changes: [change],
    severity: isBroken ? 'critical' : 'information',
    detail: isBroken ? why : `before, ${why}`,
    before: { works: isBroken, reason: isBroken ? null : why },
    after: { works: !isBroken, reason: isBroken ? why : null },
  };
}
