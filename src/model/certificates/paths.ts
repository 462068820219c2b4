// Which ways lead from a leaf to the roots that somebody trusts, by rustls-webpki's rules, whatever the time.

import type { ParsedCertificate } from '../x509.ts';
import {
  type CryptoProvider,
  isKeyAccepted,
  isOfKind,
  isSignatureAccepted,
} from './algorithms.ts';
import { findExcluded } from './constraints.ts';

/** What is presented in a handshake. */
export interface PresentedChain {
  readonly leaf: ParsedCertificate;
  /** In any order. */
  readonly intermediates: readonly ParsedCertificate[];
}

/** A server's certificate is verified by clients, a client's by servers. */
export const USAGES = ['serverAuth', 'clientAuth'] as const;

export type Usage = (typeof USAGES)[number];

/** One way from the leaf to a root. */
export interface Path {
  /** The intermediates on it, from the leaf up. */
  readonly issuers: readonly ParsedCertificate[];
  readonly anchor: ParsedCertificate;
  /** Which of its certificates does not allow a use, as a phrase; undefined where all do. */
  readonly refusals: Readonly<Record<Usage, string | undefined>>;
}

/** All the ways that were found, and what stands in the other ones. */
export interface PathSearch {
  readonly paths: readonly Path[];
  /** What is wrong, as a phrase that names certificate and rule; undefined if there is a path. */
  readonly problem: Problem | undefined;
}

export interface Problem {
  readonly text: string;
  /** No root of those trusted has signed it: others may trust it, and so may a root that is not shown. */
  readonly isUnreached: boolean;
}

export type SearchPaths = (
  chain: PresentedChain,
  roots: readonly ParsedCertificate[],
  provider: CryptoProvider,
) => PathSearch;

// webpki goes 6 intermediates deep. It stops after 100 signatures; here what is stopped at is how often a path is made longer.
const MOST_INTERMEDIATES = 6;
const MOST_STEPS = 300;
/** Real ones have one or two; no more are needed to know when the last of them ends. */
const MOST_PATHS = 16;

interface Step {
  readonly certificate: ParsedCertificate;
  readonly label: string;
}

interface Found {
  readonly text: string;
  readonly rank: Rank;
}

/** What tells most, last: the same order in which webpki chooses among what it met on several ways. */
const RANKS = [
  'unlisted',
  'namesake',
  'depth',
  'defect',
  'algorithm',
  'authority',
  'pathLength',
  'names',
] as const;
type Rank = (typeof RANKS)[number];

interface Search {
  readonly roots: readonly ParsedCertificate[];
  readonly intermediates: readonly Step[];
  readonly provider: CryptoProvider;
  readonly paths: Path[];
  steps: number;
  worst: (Found & { readonly depth: number }) | undefined;
}

/** Looks for them depth first, roots before intermediates, as webpki does. */
export const searchPaths: SearchPaths = ({ leaf, intermediates }, roots, provider) => {
  const search: Search = {
    roots,
    intermediates: intermediates.map((certificate, index) => ({
      certificate,
      label: labelIntermediate(certificate, index),
    })),
    provider,
    paths: [],
    steps: 0,
    worst: undefined,
  };
  const first: Step = { certificate: leaf, label: 'the leaf' };
  const flaw = findLeafFlaw(first, provider);
  if (flaw !== undefined) return { paths: [], problem: { text: flaw, isUnreached: false } };
  follow([first], search);
  if (search.paths.length > 0) return { paths: search.paths, problem: undefined };
  const { text, rank } = search.worst ?? TOO_MANY;
  return { paths: [], problem: { text, isUnreached: rank === 'unlisted' || rank === 'namesake' } };
};

const TOO_MANY: Found = { text: 'too many certificates to follow', rank: 'depth' };

/** How a certificate is named in a reason: `intermediate 1 (CN=…)`. */
export function labelIntermediate(certificate: ParsedCertificate, index: number): string {
  return `intermediate ${index + 1} (${certificate.facts.subject})`;
}

function labelRoot({ facts }: ParsedCertificate): string {
  return `root ${facts.subject}`;
}

/** What a leaf must not be, whoever has signed it. */
function findLeafFlaw({ certificate, label }: Step, provider: CryptoProvider): string | undefined {
  const { defect, isAuthority, keyName } = certificate.tls;
  if (defect !== null) return `${label} ${defect}`;
  if (isAuthority) return `${label} is a CA (basic constraints), which no peer takes for a workload`;
  return isKeyAccepted(keyName, provider) ? undefined : describeKey(label, keyName, provider);
}

/** The last of the path is looked at; what is before it is good. */
function follow(path: readonly Step[], search: Search): void {
  const head = path.at(-1)!;
  const named = [reachRoots(path, head, search), reachIntermediates(path, head, search)];
  if (!named.includes(true)) note({ text: describeDeadEnd(head), rank: 'unlisted' }, path, search);
}

/** Whether a root has the issuer's name. */
function reachRoots(path: readonly Step[], head: Step, search: Search): boolean {
  const named = search.roots.filter(({ tls }) => tls.subjectName === head.certificate.tls.issuerName);
  for (const anchor of named) {
    const flaw =
      findRootFlaw(anchor) ?? findLinkFlaw(head, { certificate: anchor, label: labelRoot(anchor) }, search);
    const found = flaw ?? findNameFlaw(path, anchor);
    if (found !== undefined) note(found, path, search);
    else if (search.paths.length < MOST_PATHS) search.paths.push(createPath(path, anchor));
  }
  return named.length > 0;
}

/** Whether an intermediate has the issuer's name. */
function reachIntermediates(path: readonly Step[], head: Step, search: Search): boolean {
  let isNamed = false;
  for (const issuer of search.intermediates) {
    const { tls } = issuer.certificate;
    if (tls.subjectName !== head.certificate.tls.issuerName || isOn(path, issuer)) continue;
    isNamed = true;
    const flaw = findIssuerFlaw(path, head, issuer, search);
    if (flaw !== undefined) note(flaw, path, search);
    else if (search.paths.length < MOST_PATHS && search.steps < MOST_STEPS) {
      search.steps += 1;
      if (search.steps === MOST_STEPS) note(TOO_MANY, path, search);
      follow([...path, issuer], search);
    }
  }
  return isNamed;
}

/** A name with a key that was gone through already leads in circles. */
function isOn(path: readonly Step[], { certificate }: Step): boolean {
  return path.some(
    ({ certificate: { tls } }) =>
      tls.key === certificate.tls.key && tls.subjectName === certificate.tls.subjectName,
  );
}

/** A root is a name and a key: webpki only has to be able to read these. */
function findRootFlaw(root: ParsedCertificate): Found | undefined {
  const { anchorDefect } = root.tls;
  return anchorDefect === null ? undefined : { text: `${labelRoot(root)} ${anchorDefect}`, rank: 'defect' };
}

function findIssuerFlaw(
  path: readonly Step[],
  head: Step,
  issuer: Step,
  search: Search,
): Found | undefined {
  const { defect, isAuthority, pathLength } = issuer.certificate.tls;
  const { label } = issuer;
  if (path.length > MOST_INTERMEDIATES) {
    return { text: `${label} is one intermediate more than the ${MOST_INTERMEDIATES} that rustls follows`, rank: 'depth' };
  }
  if (defect !== null) return { text: `${label} ${defect}`, rank: 'defect' };
  const link = findLinkFlaw(head, issuer, search);
  if (link !== undefined) return link;
  if (!isAuthority) {
    return { text: `${head.label} is issued by ${label}, which is not a CA`, rank: 'authority' };
  }
  // The intermediates that stand between it and the leaf.
  const below = path.length - 1;
  return pathLength !== null && below > pathLength
    ? {
        text: `${label} allows ${pathLength} further CAs below it (path length), and there are ${below}`,
        rank: 'pathLength',
      }
    : undefined;
}

/** What is wrong between a certificate and one that has its issuer's name. */
function findLinkFlaw(subject: Step, issuer: Step, { provider }: Search): Found | undefined {
  const { signature } = subject.certificate.tls;
  const { keyName } = issuer.certificate.tls;
  if (!isSignatureAccepted(signature, provider)) {
    const text = `${subject.label} is signed with ${signature}, which rustls (${nameProvider(provider)}) does not accept`;
    return { text, rank: 'algorithm' };
  }
  const isOther = !isOfKind(signature, keyName);
  if (!isOther && !isKeyAccepted(keyName, provider)) {
    return { text: describeKey(issuer.label, keyName, provider), rank: 'algorithm' };
  }
  if (!isOther && subject.certificate.isSignedBy(issuer.certificate)) return undefined;
  return { text: `${subject.label} is not signed with the key of ${issuer.label}`, rank: 'namesake' };
}

/** Names are checked once the whole way is known: each authority's constraints hold for all that is below it. */
function findNameFlaw(path: readonly Step[], anchor: ParsedCertificate): Found | undefined {
  const authorities = [...path.slice(1), { certificate: anchor, label: labelRoot(anchor) }];
  for (const [at, { certificate, label }] of authorities.entries()) {
    const { constraints } = certificate.tls;
    if (constraints === null) continue;
    for (const below of path.slice(0, at + 1)) {
      const name = findExcluded(below.certificate.tls.names, constraints);
      if (name !== undefined) {
        return { text: `${label} may not sign for ${name} of ${below.label} (name constraints)`, rank: 'names' };
      }
    }
  }
  return undefined;
}

function createPath(path: readonly Step[], anchor: ParsedCertificate): Path {
  const refusalOf = (usage: Usage) => path.map((step) => describeRefusal(step, usage)).find((one) => one !== undefined);
  return {
    issuers: path.slice(1).map(({ certificate }) => certificate),
    anchor,
    refusals: { serverAuth: refusalOf('serverAuth'), clientAuth: refusalOf('clientAuth') },
  };
}

const USAGE_IDS = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' } as const satisfies Record<
  Usage,
  string
>;

/** Who does not take it, and for what. */
const REFUSERS = {
  serverAuth: 'clients refuse it as a server',
  clientAuth: 'servers refuse it as a client',
} as const satisfies Record<Usage, string>;

function describeRefusal({ certificate, label }: Step, usage: Usage): string | undefined {
  const { usages } = certificate.tls;
  if (usages === null || usages.includes(USAGE_IDS[usage])) return undefined;
  const why =
    usages.length === 0
      ? 'has an empty extended key usage'
      : `does not allow ${usage} (extended key usage)`;
  return `${label} ${why}: ${REFUSERS[usage]}`;
}

function describeDeadEnd({ certificate, label }: Step): string {
  const { tls, facts } = certificate;
  if (tls.issuerName === tls.subjectName) return `${label} is self-signed and no listed root`;
  return `${label} is issued by ${facts.issuer}, which is not listed`;
}

function describeKey(label: string, keyName: string, provider: CryptoProvider): string {
  return `${label} has a key (${keyName}) that rustls (${nameProvider(provider)}) does not accept`;
}

function nameProvider(provider: CryptoProvider): string {
  return provider === 'tls-ring' ? 'ring' : 'aws-lc';
}

/** The highest rank counts, of equals the one that is furthest from the leaf, of these the first. */
function note(found: Found, path: readonly Step[], search: Search): void {
  const { worst } = search;
  const depth = path.length;
  const order = worst === undefined ? 1 : RANKS.indexOf(found.rank) - RANKS.indexOf(worst.rank) || depth - worst.depth;
  if (order > 0) search.worst = { ...found, depth };
}
