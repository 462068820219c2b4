// Which ways lead from a leaf to the roots that somebody trusts, by rustls-webpki's rules, whatever the time.

import type { CryptoProvider } from './algorithms.ts';
import {
  describeDeadEnd,
  type Flaw,
  findIssuerFlaw,
  findLeafFlaw,
  findLinkFlaw,
  findNameFlaw,
  findRootFlaw,
  labelIntermediate,
  labelRoot,
  RANKS,
  type Step,
} from './flaws.ts';
import type { ParsedCertificate } from './x509.ts';

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

/** Signatures that are checked for one chain: real ones need a handful, and webpki stops after 100 of them. */
const MOST_LINKS = 200;
/** Real ones have one or two; no more are needed to know when the last of them ends. */
const MOST_PATHS = 16;

interface Search {
  readonly roots: readonly ParsedCertificate[];
  readonly intermediates: readonly Step[];
  readonly provider: CryptoProvider;
  readonly paths: Path[];
  links: number;
  worst: (Flaw & { readonly depth: number }) | undefined;
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
    links: 0,
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

const TOO_MANY: Flaw = { text: 'too many certificates to follow', rank: 'limit' };

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
    if (!mayCheck(path, search)) break;
    const flaw =
      findRootFlaw(anchor) ??
      findLinkFlaw(head, { certificate: anchor, label: labelRoot(anchor) }, search.provider);
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
    if (!mayCheck(path, search)) break;
    const flaw = findIssuerFlaw(path, head, issuer, search.provider);
    if (flaw !== undefined) note(flaw, path, search);
    else if (search.paths.length < MOST_PATHS) follow([...path, issuer], search);
  }
  return isNamed;
}

/** Thousands of namesakes must not take minutes. */
function mayCheck(path: readonly Step[], search: Search): boolean {
  search.links += 1;
  if (search.links === MOST_LINKS + 1) note(TOO_MANY, path, search);
  return search.links <= MOST_LINKS;
}

/** A name with a key that was gone through already leads in circles. */
function isOn(path: readonly Step[], { certificate }: Step): boolean {
  return path.some(
    ({ certificate: { tls } }) =>
      tls.key === certificate.tls.key && tls.subjectName === certificate.tls.subjectName,
  );
}

function createPath(path: readonly Step[], anchor: ParsedCertificate): Path {
  const refusalOf = (usage: Usage) =>
    path.map((step) => describeRefusal(step, usage)).find((one) => one !== undefined);
  return {
    issuers: path.slice(1).map(({ certificate }) => certificate),
    anchor,
    refusals: { serverAuth: refusalOf('serverAuth'), clientAuth: refusalOf('clientAuth') },
  };
}

const USAGE_IDS = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const satisfies Record<Usage, string>;

/** Who does not take it, and for what. */
const REFUSERS = {
  serverAuth: 'clients refuse it as a server',
  clientAuth: 'servers refuse it as a client',
} as const satisfies Record<Usage, string>;

function describeRefusal({ certificate, label }: Step, usage: Usage): string | undefined {
  const { usages } = certificate.tls;
  if (usages === null || usages.includes(USAGE_IDS[usage])) return undefined;
  const why =
    usages.length === 0 ? 'has an empty extended key usage' : `does not allow ${usage} (extended key usage)`;
  return `${label} ${why}: ${REFUSERS[usage]}`;
}

/** The highest rank counts, of equals the one that is furthest from the leaf, of these the first. */
function note(found: Flaw, path: readonly Step[], search: Search): void {
  const { worst } = search;
  const depth = path.length;
  const order =
    worst === undefined ? 1 : RANKS.indexOf(found.rank) - RANKS.indexOf(worst.rank) || depth - worst.depth;
  if (order > 0) search.worst = { ...found, depth };
}
