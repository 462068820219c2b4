// What `check` says of trust anchors: which nodes hold which, and which identities still use an older one.

import { compareText } from '../../base/order.ts';
import { compareNewest } from '../certificates/rotation.ts';
import type { DumpCertificate } from '../dump.ts';
import type { CertificateItem, X509Facts } from '../items.ts';
import type { ZtunnelRef } from '../types.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import { concernCertificate } from './certificates.ts';
import { type Concerned, type Finder, found } from './finding.ts';
import type { Situation } from './situation.ts';

/** The roots that a ztunnel's certificates list, together. */
interface RootSet {
  readonly ztunnel: ZtunnelRef;
  /** Fingerprints, sorted. */
  readonly roots: readonly string[];
  /** False for dumps from before `rootCerts`, which give only the first root of each certificate. */
  readonly complete: boolean;
}

/** Ztunnels that have no root in common with some other one: their pods can't speak to each other. */
export const rootsDisjoint: Finder = (situation) => {
  const { distinct, unusual } = compareRootSets(situation);
  return found(
    unusual.flatMap((set) => {
      const stranger = distinct.find((other) => isDisjoint(set, other));
      return stranger === undefined ? [] : [concernSet(set, stranger, 'none of', situation)];
    }),
  );
};

/** Ztunnels whose roots are others than what most hold, with some in common with each. */
export const rootsDiffer: Finder = (situation) => {
  const { usual, distinct, unusual } = compareRootSets(situation);
  return found(
    unusual
      .filter((set) => set.complete && usual!.complete && !distinct.some((other) => isDisjoint(set, other)))
      .map((set) => concernSet(set, usual!, 'most have', situation)),
  );
};

/** Certificates that lead to another root than the newest in use, within each trust domain. */
export const olderRoots: Finder = ({ needed }) => {
  const anchored = needed.flatMap((item) => (item.anchor === null ? [] : [{ item, anchor: item.anchor }]));
  const domains = Map.groupBy(anchored, ({ item }) => item.trustDomain);
  return found(
    [...domains.values()].flatMap((members) => {
      const newest = members.map(({ anchor }) => anchor).toSorted(compareNewest)[0]!;
      return members
        .filter(({ anchor }) => anchor.fingerprintSHA256 !== newest.fingerprintSHA256)
        .map(({ item, anchor }) =>
          concernCertificate(item, `root ${nameRoot(anchor)}, the newest is ${nameRoot(newest)}`),
        );
    }),
  );
};

/** One certificate that stands twice in a chain, as listed. */
export const chainDuplicates: Finder = ({ needed, orphaned }) =>
  found(
    [...needed, ...orphaned].flatMap((item) => {
      const prints = item.entry?.chain.map(printOf).filter((print) => print !== '') ?? [];
      const twice = prints.find((print, at) => prints.indexOf(print) !== at);
      return twice === undefined ? [] : [concernCertificate(item, describeTwice(item, twice))];
    }),
  );

/** What tells a certificate of a dump apart; '' for one that can't be read. */
function printOf({ pem, facts }: DumpCertificate): string {
  return facts?.fingerprintSHA256 ?? pem;
}

function describeTwice({ chain, roots }: CertificateItem, print: string): string {
  const body = print.replaceAll(/\s/g, '');
  const facts = [...chain, ...roots].find(
    ({ pem, fingerprintSHA256 }) => fingerprintSHA256 === print || pem.replaceAll(/\s/g, '') === body,
  );
  return `${facts?.subject || 'a certificate'} stands more than once in the chain`;
}

function listRootSets({ needed }: Situation): readonly RootSet[] {
  const withRoots = needed.filter(({ ztunnel, roots }) => ztunnel !== null && roots.length > 0);
  return [...Map.groupBy(withRoots, ({ ztunnel }) => keyOfZtunnel(ztunnel!)).values()].map((items) => ({
    ztunnel: items[0]!.ztunnel!,
    roots: [
      ...new Set(items.flatMap(({ roots }) => roots.map(({ fingerprintSHA256 }) => fingerprintSHA256))),
    ].toSorted(compareText),
    complete: items.every(({ entry }) => entry?.roots !== undefined),
  }));
}

interface RootSets {
  /** What most ztunnels have; undefined if none lists a root. */
  readonly usual: RootSet | undefined;
  /** One of each, the usual one first. */
  readonly distinct: readonly RootSet[];
  /** All that differ from the usual one. */
  readonly unusual: readonly RootSet[];
}

/** By how many ztunnels have a set, then by its fingerprints. */
function compareRootSets(situation: Situation): RootSets {
  const groups = [...Map.groupBy(listRootSets(situation), ({ roots }) => roots.join())].toSorted(
    ([a, of], [b, others]) => others.length - of.length || compareText(a, b),
  );
  const distinct = groups.map(([, members]) => members[0]!);
  return { usual: distinct[0], distinct, unusual: groups.slice(1).flatMap(([, members]) => members) };
}

function isDisjoint(some: RootSet, others: RootSet): boolean {
  const known = new Set(others.roots);
  return !some.roots.some((root) => known.has(root));
}

function concernSet(
  { ztunnel, roots }: RootSet,
  other: RootSet,
  relation: 'none of' | 'most have',
  situation: Situation,
): Concerned {
  return {
    kind: 'Ztunnel',
    ...ztunnel,
    ztunnel,
    detail: `has ${shortenRoots(roots)}, ${relation} ${shortenRoots(other.roots)}`,
    hits: situation.hitsOn(ztunnel.node),
  };
}

// A mesh has one or two roots; a dump may name thousands.
const ROOTS_SHOWN = 4;

/** Their first digits, and how many more there are. */
export function shortenRoots(fingerprints: readonly string[]): string {
  const more = fingerprints.length > ROOTS_SHOWN ? ` and ${fingerprints.length - ROOTS_SHOWN} more` : '';
  return `${fingerprints
    .slice(0, ROOTS_SHOWN)
    .map((print) => print.slice(0, 12))
    .join(' ')}${more}`;
}

function nameRoot({ subject, fingerprintSHA256 }: X509Facts): string {
  return `${fingerprintSHA256.slice(0, 12)} (${subject})`;
}
