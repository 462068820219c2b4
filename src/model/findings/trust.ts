// What `check` says of who can verify whom: pairs of trust classes that can't, and how far a rotation of roots is.

import { compareNewest } from '../certificates/rotation.ts';
import type { CertificateItem, Status, X509Facts } from '../items.ts';
import type { TrustClass } from '../trust/classes.ts';
import { type BrokenPair, listBrokenPairs, type RuleOutcome, type TrustMatrix } from '../trust/matrix.ts';
import { listRootUses } from '../trust/roots.ts';
import { mergeHits } from './authorities.ts';
import { concernCertificate } from './certificates.ts';
import { type Concerned, type Finder, found, notEvaluated } from './finding.ts';
import type { Situation } from './situation.ts';

/** Two classes in use of which one refuses the other, once per pair. */
export const trustBroken: Finder = ({ trust }) => {
  const matrix = trust();
  const objects = listSeparated(matrix).map((pair) => concernPair(pair));
  const isUntold = matrix.pairs.some((row) => row.some(({ works }) => works === undefined));
  return isUntold
    ? notEvaluated('for ztunnels that show only one of several roots (before 1.24.6 and 1.25.3)', objects)
    : found(objects);
};

/** Statuses of which peers may still take a certificate: with the others, their own finding says what fails. */
const PRESENTABLE: ReadonlySet<Status> = new Set([
  'OK',
  'EXPIRING',
  'RENEWAL-OVERDUE',
  'UNTRUSTED',
  'UNKNOWN',
]);

/** Pairs that fail for what is between them: not because of a certificate that nobody takes anyway. */
export function listSeparated(matrix: TrustMatrix): readonly BrokenPair[] {
  const taken = new Set(matrix.classes.filter((one, at) => isPresentable(one) && isTaken(at, matrix)));
  return listBrokenPairs(matrix).filter(
    (pair) => pair.classes.every((one) => taken.has(one)) && listRefusals(pair).length > 0,
  );
}

function isPresentable({ members }: TrustClass): boolean {
  return members.some(({ status }) => PRESENTABLE.has(status));
}

/** Whether anybody's roots verify it, its own included. */
function isTaken(at: number, { pairs }: TrustMatrix): boolean {
  return pairs.some((row) =>
    row[at]!.outcomes.some(
      ({ side, rule, outcome }) => side === 'client' && rule === 'chain' && outcome === 'holds',
    ),
  );
}

/** Who of a pair refuses whom: what a client refuses in one direction its server side refuses in the other. */
export function listRefusals({ classes, directions }: BrokenPair): readonly Refusal[] {
  const of = (by: 0 | 1): readonly Refusal[] => {
    const outcome = directions[by].outcomes.find((each) => each.side === 'client' && isBetween(each));
    return outcome === undefined ? [] : [{ by: classes[by], of: classes[by === 0 ? 1 : 0], outcome }];
  };
  const domain = directions[0].outcomes.find(({ rule, outcome }) => rule === 'domain' && outcome === 'fails');
  return [
    ...of(0),
    ...of(1),
    ...(domain === undefined ? [] : [{ by: classes[1], of: classes[0], outcome: domain }]),
  ];
}

interface Refusal {
  readonly by: TrustClass;
  readonly of: TrustClass;
  readonly outcome: RuleOutcome;
}

function isBetween({ rule, outcome }: RuleOutcome): boolean {
  return outcome === 'fails' && (rule === 'chain' || rule === 'dates');
}

/** One object for both classes. */
export function concernPair(pair: BrokenPair): Concerned {
  const [one, other] = pair.classes;
  return {
    kind: 'Trust',
    namespace: null,
    name: `${nameClass(one, other)} / ${nameClass(other, one)}`,
    node: null,
    ztunnel: null,
    detail: describePair(pair),
    hits: mergeHits([...one.members, ...other.members].map(({ owners }) => owners)),
  };
}

/** By what tells the two apart, so that it stays the same while members come and go. */
export function nameClass(one: TrustClass, other: TrustClass): string {
  if (one.trustDomain !== other.trustDomain) return `trust domain ${one.trustDomain}`;
  const root = `root ${one.anchor === null ? 'unknown' : shortenPrint(one.anchor)}`;
  const isSame = one.anchor?.fingerprintSHA256 === other.anchor?.fingerprintSHA256;
  return isSame ? `${root}, trusting ${describeRoots(one.roots)}` : root;
}

/** Both sides, and who refuses whom for what. */
export function describePair(pair: BrokenPair): string {
  const [one, other] = pair.classes;
  const refusals = listRefusals(pair).map(describeRefusal(one));
  return `A: ${describeClass(one)}; B: ${describeClass(other)}. ${describeDirections(pair)}: ${refusals.join('; ')}`;
}

function describeDirections({ directions: [there, back] }: BrokenPair): string {
  if (there.works === false && back.works === false) return 'No connection in either direction';
  return there.works === false ? 'No connection from A to B' : 'No connection from B to A';
}

function describeRefusal(first: TrustClass): (refusal: Refusal) => string {
  const name = (one: TrustClass) => (one === first ? 'A' : 'B');
  return ({ by, of, outcome: { rule, text } }) => {
    if (rule === 'domain')
      return `each is refused as a client by the other, whose trust domain is not its own`;
    const isUntrusted = rule === 'chain' && of.anchor !== null && !holdsRoot(by, of.anchor);
    return `${name(by)} refuses ${name(of)}: ${isUntrusted ? `it does not trust root ${nameRoot(of.anchor!)}` : text}`;
  };
}

function holdsRoot({ roots }: TrustClass, { fingerprintSHA256 }: X509Facts): boolean {
  return roots.some((root) => root.fingerprintSHA256 === fingerprintSHA256);
}

const EXAMPLES_SHOWN = 2;

/** `2 identities (3 pods) such as shop/web on node-a, under root 1336c9ba…, trusting …`. */
export function describeClass({ members, counts, anchor, roots, trustDomain }: TrustClass): string {
  const { identities, pods } = counts;
  const many = `${identities} ${identities === 1 ? 'identity' : 'identities'}`;
  const who = pods === null ? many : `${many} of ${pods} ${pods === 1 ? 'pod' : 'pods'}`;
  const examples = examplesOf(members, EXAMPLES_SHOWN);
  const root = anchor === null ? 'an unknown root' : `root ${shortenPrint(anchor)}`;
  const domain = `in trust domain ${trustDomain}`;
  return `${who} ${domain} (${examples}) under ${root}, trusting ${describeRoots(roots)}`;
}

/** `shop/web on node-a, …`. */
export function examplesOf(members: readonly CertificateItem[], most: number): string {
  return `${members.slice(0, most).map(displayMember).join(', ')}${members.length > most ? ', …' : ''}`;
}

/** `shop/web on node-a in east`. */
function displayMember({ identity, namespace, serviceAccount, node, cluster }: CertificateItem): string {
  const name = namespace === null ? identity : `${namespace}/${serviceAccount}`;
  const place = node === null ? '' : ` on ${node}`;
  return `${name}${place}${cluster === undefined ? '' : ` in ${cluster}`}`;
}

// A mesh has one or two roots; a dump may name thousands.
const ROOTS_SHOWN = 4;

/** The newest, and how many more. */
export function describeRoots(roots: readonly X509Facts[]): string {
  const more = roots.length > ROOTS_SHOWN ? ` and ${roots.length - ROOTS_SHOWN} more` : '';
  return `${roots.slice(0, ROOTS_SHOWN).map(shortenPrint).join(' ') || 'none'}${more}`;
}

function nameRoot(root: X509Facts): string {
  return `${shortenPrint(root)} (${root.subject})`;
}

/** Enough of a fingerprint for a person. */
export function shortenPrint({ fingerprintSHA256 }: X509Facts): string {
  return fingerprintSHA256.slice(0, 12);
}

/** Trust domains in which pairs are broken: there the rotation is no rotation any more. */
function brokenDomains({ trust }: Situation): ReadonlySet<string | null> {
  return new Set(
    listSeparated(trust()).flatMap(({ classes }) => classes.map(({ trustDomain }) => trustDomain)),
  );
}

/** Certificates that lead to another root than the newest in use, within each trust domain where all can verify each other. */
export const olderRoots: Finder = (situation) => {
  const broken = brokenDomains(situation);
  const anchored = situation
    .trust()
    .classes.filter(({ trustDomain }) => !broken.has(trustDomain))
    .flatMap(({ members, anchor, trustDomain }) =>
      anchor === null ? [] : members.map((item) => ({ item, anchor, trustDomain })),
    );
  return found(
    [...Map.groupBy(anchored, ({ trustDomain }) => trustDomain).values()].flatMap((members) => {
      const newest = members.map(({ anchor }) => anchor).toSorted(compareNewest)[0]!;
      return members
        .filter(({ anchor }) => anchor.fingerprintSHA256 !== newest.fingerprintSHA256)
        .map(({ item, anchor }) =>
          concernCertificate(item, `root ${nameRoot(anchor)}, the newest is ${nameRoot(newest)}`),
        );
    }),
  );
};

/** Roots that some certificates trust and others don't, while all can verify each other. */
export const rootsDiffer: Finder = (situation) => {
  const broken = brokenDomains(situation);
  return found(
    listRootUses(situation.trust().classes)
      .filter(({ trustDomain, untrustedBy }) => !broken.has(trustDomain) && untrustedBy.members.length > 0)
      .map(({ root, trustedBy, untrustedBy }) => ({
        kind: 'Authority' as const,
        namespace: null,
        name: `root ${root.subject}`,
        node: null,
        ztunnel: null,
        detail: `${shortenPrint(root)} is trusted by ${trustedBy.members.length} of ${trustedBy.members.length + untrustedBy.members.length} certificates, not by ${examplesOf(untrustedBy.members, EXAMPLES_SHOWN)}`,
        hits: mergeHits(untrustedBy.members.map(({ owners }) => owners)),
      })),
  );
};
