// What `check` says of the roots and intermediates that sign: whether they last as long as what they sign.

import { formatRelative, type WarnWithin } from '../../base/duration.ts';
import { compareText } from '../../base/order.ts';
import type { CertificateItem, Owners, X509Facts } from '../items.ts';
import { groupByOwner } from '../owners/owners.ts';
import { renewalDue } from '../renewal.ts';
import { concernCertificate } from './certificates.ts';
import { type Concerned, type Finder, found, UNKNOWN_HITS } from './finding.ts';

/** An authority in use, with the certificates that it signed. */
export interface Authority {
  readonly facts: X509Facts;
  readonly part: 'root' | 'intermediate';
  readonly items: readonly CertificateItem[];
}

/** The intermediates of chains and the roots that they lead to, each once, by subject and fingerprint. */
export function listAuthorities(items: readonly CertificateItem[]): readonly Authority[] {
  const known = new Map<string, { facts: X509Facts; part: Authority['part']; items: CertificateItem[] }>();
  for (const item of items) {
    for (const { facts, part } of issuersOf(item)) {
      const authority = known.get(facts.fingerprintSHA256);
      if (authority) authority.items.push(item);
      else known.set(facts.fingerprintSHA256, { facts, part, items: [item] });
    }
  }
  return [...known.values()].toSorted(
    (a, b) =>
      compareText(a.facts.subject, b.facts.subject) ||
      compareText(a.facts.fingerprintSHA256, b.facts.fingerprintSHA256),
  );
}

function issuersOf({ issuers, anchor }: CertificateItem): readonly Omit<Authority, 'items'>[] {
  return [
    ...issuers.map((facts) => ({ facts, part: 'intermediate' as const })),
    ...(anchor === null ? [] : [{ facts: anchor, part: 'root' as const }]),
  ];
}

/**
 * A leaf that ends after the first of its issuers. It matters if an intermediate ends before ztunnel renews the leaf: from
 * then on handshakes fail, though the leaf looks valid.
 */
export const leafsOutlive: Finder = ({ needed }) =>
  found(
    needed.flatMap((item) => {
      const [begin, end] = [Date.parse(item.notBefore ?? ''), Date.parse(item.notAfter ?? '')];
      const [short] = issuersOf(item)
        .filter(({ facts }) => Date.parse(facts.notAfter) < end)
        .toSorted((a, b) => compareText(a.part, b.part) || compareText(a.facts.notAfter, b.facts.notAfter));
      if (short === undefined) return [];
      const { facts, part } = short;
      const detail = `${part} ${facts.subject} ends at ${facts.notAfter}, the leaf at ${item.notAfter}`;
      const isRenewedBefore = part === 'root' || renewalDue(begin, end) <= Date.parse(facts.notAfter);
      const concerned = concernCertificate(item, detail);
      return [isRenewedBefore ? { ...concerned, severity: 'information' as const } : concerned];
    }),
  );

/** Roots that have ended: no matter to ztunnel, but to other clients. */
export const expiredRoots: Finder = ({ needed, reference }) =>
  found(
    listAuthorities(needed).flatMap((authority) => {
      const left = Date.parse(authority.facts.notAfter) - reference.getTime();
      return authority.part === 'root' && left <= 0 ? [concernAuthority(authority, left / 1000)] : [];
    }),
  );

/** One that ends soon: see `warningTime`. What has ended already shows in the certificates' own status. */
export const authoritiesExpiring: Finder = ({ needed, reference, warnWithin }) =>
  found(
    listAuthorities(needed).flatMap((authority) => {
      const left = Date.parse(authority.facts.notAfter) - reference.getTime();
      const isNear = left > 0 && left < warningTime(authority, warnWithin);
      return isNear ? [concernAuthority(authority, left / 1000)] : [];
    }),
  );

// A tenth of a root's ten years would be a warning for a whole year.
const LONGEST_SHARE = 30 * 86_400_000;

/**
 * In ms: as long as the leafs it signs live, since one that is issued now would outlive it; and no less than
 * `--warn-within` says, of which a share counts for at most 30 days.
 */
function warningTime({ facts, items }: Authority, warnWithin: WarnWithin): number {
  const leafs = items.flatMap(({ notBefore, notAfter }) =>
    notBefore === null || notAfter === null ? [] : [Date.parse(notAfter) - Date.parse(notBefore)],
  );
  const longestLeaf = leafs.reduce((a, b) => Math.max(a, b), 0);
  const lifetime = Date.parse(facts.notAfter) - Date.parse(facts.notBefore);
  const wanted =
    'percent' in warnWithin
      ? Math.min((lifetime * warnWithin.percent) / 100, LONGEST_SHARE)
      : warnWithin.seconds * 1000;
  return Math.max(longestLeaf, wanted);
}

function concernAuthority({ facts, part, items }: Authority, left: number): Concerned {
  return {
    kind: 'Authority',
    namespace: null,
    name: `${part} ${facts.subject}`,
    node: null,
    ztunnel: null,
    detail: `${facts.fingerprintSHA256.slice(0, 12)} ${left > 0 ? 'ends' : 'ended'} ${formatRelative(left)}, at ${facts.notAfter}`,
    hits: mergeHits(items.map(({ owners }) => owners)),
  };
}

/** All owners together; unknown only where nothing is known. */
export function mergeHits(all: readonly Owners[]): Owners {
  const known = all.flatMap((owners) => (owners.known ? owners.owners : []));
  if (known.length === 0) return all.find((owners) => !owners.known) ?? { known: true, owners: [] };
  const pods = known.flatMap(({ pods: names, ...owner }) => names.map((name) => ({ name, owner })));
  return pods.length === 0 ? UNKNOWN_HITS : { known: true, owners: groupByOwner(pods) };
}
