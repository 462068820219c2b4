// What has become of the certificates of a mesh between two looks.

import type { JsonObject } from '../../base/json.ts';
import { type Comparator, compareBy, compareText } from '../../base/order.ts';
import type { Change, Difference } from '../difference.ts';
import type { CertificateItem } from '../items.ts';
import { compareGravity } from '../order.ts';
import { keyOfNode } from '../ztunnels/ztunnels.ts';

/**
 * Certificates by identity and node, whatever ztunnel holds them: a ztunnel that is replaced takes over its node's
 * identities. `isComparable`: nodes of which both looks know all.
 */
export function diffCertificates(
  before: readonly CertificateItem[],
  after: readonly CertificateItem[],
  isComparable: (node: string | null) => boolean,
): readonly Difference[] {
  const [old, now] = [indexCertificates(before, isComparable), indexCertificates(after, isComparable)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].flatMap((key) => compare(old.get(key), now.get(key)) ?? []);
}

/** One text for each identity on each node. */
export function keyOfCertificate({
  cluster,
  identity,
  node,
}: Pick<CertificateItem, 'cluster' | 'identity' | 'node'>): string {
  return `${keyOfNode({ cluster, node }) ?? ''} ${identity}`;
}

function indexCertificates(
  items: readonly CertificateItem[],
  isComparable: (node: string | null) => boolean,
): ReadonlyMap<string, CertificateItem> {
  const groups = Map.groupBy(
    items.filter(({ node }) => isComparable(node)),
    keyOfCertificate,
  );
  return new Map([...groups].map(([key, members]) => [key, members.toSorted(compareTelling)[0]!]));
}

/** Of two ztunnels of a node the one with the graver certificate, then with the newer one. */
const compareTelling: Comparator<CertificateItem> = compareBy<CertificateItem>(
  compareGravity,
  (a, b) => compareText(b.notBefore ?? '', a.notBefore ?? ''),
  (a, b) => compareText(a.fingerprintSHA256 ?? '', b.fingerprintSHA256 ?? ''),
);

function compare(old: CertificateItem | undefined, now: CertificateItem | undefined): Difference | undefined {
  const some = now ?? old!;
  const differing = FACTS.filter(({ of }) => old === undefined || now === undefined || of(old) !== of(now));
  const changes = changesOf(old, now, differing);
  if (changes.length === 0) return undefined;
  return {
    ...(some.cluster !== undefined && { cluster: some.cluster }),
    kind: 'Certificate',
    namespace: some.namespace,
    name: some.serviceAccount ?? some.identity,
    node: some.node,
    id: some.identity,
    changes,
    severity: now === undefined ? 'information' : now.severity,
    detail: detailOf(old, now, differing),
    before: old === undefined ? null : documentOf(old),
    after: now === undefined ? null : documentOf(now),
  };
}

interface Fact {
  readonly change: Change;
  readonly of: (item: CertificateItem) => string | null;
  readonly label: string;
  /** How it is shown, if not as it is. */
  readonly show?: (text: string) => string;
}

const FINGERPRINT_DIGITS = 12;

/** What is compared, in the order in which it is told. */
const FACTS: readonly Fact[] = [
  { change: 'status', label: '', of: ({ status }) => status },
  {
    change: 'root',
    label: 'root ',
    of: ({ anchor }) => anchor?.fingerprintSHA256 ?? null,
    show: (text) => text.slice(0, FINGERPRINT_DIGITS),
  },
  { change: 'renewed', label: 'serial ', of: ({ serialNumber }) => serialNumber?.hex ?? null },
  { change: 'renewed', label: 'until ', of: ({ notAfter }) => notAfter },
];

/** A certificate that is gone or there again has another root and serial number, but was not renewed. */
function changesOf(
  old: CertificateItem | undefined,
  now: CertificateItem | undefined,
  differing: readonly Fact[],
): readonly Change[] {
  if (old === undefined) return ['added'];
  if (now === undefined) return ['removed'];
  const hasBoth = (fact: Fact) => fact.of(old) !== null && fact.of(now) !== null;
  const told = differing.filter((fact) => fact.change === 'status' || hasBoth(fact));
  return [...new Set(told.map(({ change }) => change))];
}

function detailOf(
  old: CertificateItem | undefined,
  now: CertificateItem | undefined,
  differing: readonly Fact[],
): string {
  return differing
    .flatMap((fact) => {
      const { label, of, show = String } = fact;
      const [was, is] = [old && of(old), now && of(now)].map((text) => text && show(text));
      if (!was && !is) return [];
      if (old === undefined || now === undefined) return [`${label}${is || was}`];
      return [`${label}${was || '-'} → ${is || '-'}`];
    })
    .join(', ');
}

function documentOf(item: CertificateItem): JsonObject {
  return {
    status: item.status,
    reason: item.reason,
    serialNumber: item.serialNumber && { ...item.serialNumber },
    notBefore: item.notBefore,
    notAfter: item.notAfter,
    root: item.anchor?.fingerprintSHA256 ?? null,
    ztunnel: item.ztunnel && { ...item.ztunnel },
  };
}
