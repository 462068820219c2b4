// Which certificates in use no peer tells apart: the trust classes of a mesh.

import { compareBy, compareText } from '../../base/order.ts';
import { type Path, USAGES, type Usage } from '../certificates/paths.ts';
import { compareNewest } from '../certificates/rotation.ts';
import type { Presented, Verification, Verifier } from '../certificates/verification.ts';
import type { CertificateItem, X509Facts } from '../items.ts';
import { SIDES, verifySide } from './matrix.ts';

/** Certificates that present chains of the same anchor for the same uses, trust the same roots, in one trust domain. */
export interface TrustClass {
  /** Tells it from all others, in any cluster. */
  readonly key: string;
  /** The root that its chains end in: one of its own roots, else one that others trust; null where nobody does. */
  readonly anchor: X509Facts | null;
  /** What its chains may be used for, as extended key usages say. */
  readonly usages: Readonly<Record<Usage, boolean>>;
  /** Newest first. */
  readonly roots: readonly X509Facts[];
  /** False where its ztunnels show one of several roots only. */
  readonly complete: boolean;
  readonly trustDomain: string;
  /** In the order of the table of certificates; at least one. */
  readonly members: readonly CertificateItem[];
  readonly counts: MemberCounts;
  /** Verified by the same as all that its members present. */
  readonly presented: Presented;
  readonly verifier: Verifier;
}

export interface MemberCounts {
  readonly certificates: number;
  /** Distinct SPIFFE ids. */
  readonly identities: number;
  readonly nodes: number;
  /** null where not all are known. */
  readonly pods: number | null;
}

/** Whether a certificate is one that a workload presents and verifies with today. */
export function isInUse({ peering, use, trustDomain }: CertificateItem): boolean {
  return peering !== null && trustDomain !== null && (use.state === 'used' || use.state === 'unknown');
}

/** The classes of what is in use, the largest first. Linear in certificates. `at`: ms since 1970. */
export function groupByTrust(
  items: readonly CertificateItem[],
  { verify }: Pick<Verification, 'verify'>,
  at: number,
): readonly TrustClass[] {
  const used = items.filter(isInUse);
  const verifiers = distinct(used.map(({ peering }) => peering!.verifier));
  const profiles = new Map(
    distinct(used.map(({ peering }) => peering!.presented)).map((presented) => [
      presented.key,
      describePresented(presented, verifiers, verify, at),
    ]),
  );
  // Keys are long, and many certificates have the same ones.
  const numberOf = createNumbering();
  const keyOfItem = ({ peering, trustDomain }: CertificateItem) => {
    const profile = profiles.get(peering!.presented.key)!;
    return `${numberOf(profile.key)} ${numberOf(peering!.verifier.key)} ${trustDomain}`;
  };
  return [...Map.groupBy(used, keyOfItem)]
    .map(([key, members]) => createClass(key, members, profiles))
    .toSorted(compareClasses);
}

/** What tells one presented chain from others: who takes it, and for what. */
interface Profile {
  readonly key: string;
  /** By a verifier that takes it, whoever that is. */
  readonly anchor: X509Facts | null;
  readonly usages: TrustClass['usages'];
}

function describePresented(
  presented: Presented,
  verifiers: readonly Verifier[],
  verify: Verification['verify'],
  at: number,
): Profile {
  const searches = verifiers.map((verifier) => verify(presented, verifier));
  const anchors = searches.map(
    ({ paths }) => paths.map(({ anchor }) => anchor.facts).toSorted(compareNewest)[0],
  );
  const usages = usagesOf(searches.flatMap(({ paths }) => paths));
  const verdicts = verifiers.map((verifier) =>
    SIDES.flatMap((side) =>
      verifySide(side, presented, verifier, verify, at).map(({ outcome }) => outcome),
    ).join(),
  );
  return {
    // Intermediates may differ, as long as all that is known takes the one as the other today.
    key: JSON.stringify([usages, verdicts, anchors.map((anchor) => anchor?.fingerprintSHA256)]),
    anchor: anchors.find((anchor) => anchor !== undefined) ?? null,
    usages,
  };
}

/** What some way allows; all, where there is no way. */
function usagesOf(paths: readonly Path[]): TrustClass['usages'] {
  const allows = (usage: Usage) =>
    paths.length === 0 || paths.some(({ refusals }) => refusals[usage] === undefined);
  return Object.fromEntries(USAGES.map((usage) => [usage, allows(usage)])) as Record<Usage, boolean>;
}

function createClass(
  key: string,
  members: readonly CertificateItem[],
  profiles: ReadonlyMap<string, Profile>,
): TrustClass {
  const { presented, verifier } = members[0]!.peering!;
  const { anchor, usages } = profiles.get(presented.key)!;
  return {
    key,
    anchor: members[0]!.anchor ?? anchor,
    usages,
    roots: verifier.roots.map(({ facts }) => facts).toSorted(compareNewest),
    complete: verifier.complete,
    trustDomain: members[0]!.trustDomain!,
    members,
    counts: countMembers(members),
    presented,
    verifier,
  };
}

/** How many certificates, identities, nodes and pods there are, those of each cluster by themselves. */
export function countMembers(members: readonly CertificateItem[]): MemberCounts {
  const isKnown = members.every(({ owners }) => owners.known);
  const pods = members.flatMap(({ cluster = '', owners }) =>
    owners.known
      ? owners.owners.flatMap(({ namespace, pods: names }) =>
          names.map((name) => `${cluster}/${namespace}/${name}`),
        )
      : [],
  );
  return {
    certificates: members.length,
    identities: new Set(members.map(({ cluster = '', identity }) => `${cluster} ${identity}`)).size,
    nodes: new Set(members.map(({ cluster = '', node }) => `${cluster} ${node}`)).size,
    pods: isKnown ? new Set(pods).size : null,
  };
}

const compareClasses = compareBy<TrustClass>(
  (a, b) => b.members.length - a.members.length,
  (a, b) => compareText(a.trustDomain, b.trustDomain),
  (a, b) => compareText(a.anchor?.subject ?? '', b.anchor?.subject ?? ''),
  // Who is in it comes before what is made anew in each mesh.
  (a, b) => compareText(placeOf(a), placeOf(b)),
  (a, b) => compareText(a.key, b.key),
);

function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

function placeOf({ members }: TrustClass): string {
  const [{ cluster = '', node, identity }] = members as readonly [CertificateItem];
  return `${cluster} ${node} ${identity}`;
}

function distinct<T extends { readonly key: string }>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [value.key, value])).values()];
}
