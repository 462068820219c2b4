// Whether a chain of certificates verifies to one of its trust anchors.

import { createMemo } from '../../base/cache.ts';
import { formatTime } from '../../base/duration.ts';
import type { Chain } from './chain.ts';
import type { ParsedCertificate } from './x509.ts';

/** What following a chain came to. */
export interface Trust {
  /** The root it verifies to, one that is valid at the time if there is any; undefined when it reaches none. */
  readonly root: ParsedCertificate | undefined;
  /** The broken link, as a phrase; undefined when the root is good. */
  readonly problem: string | undefined;
}

/** at: milliseconds since 1970. The validity of leaf and intermediates is not looked at: others judge it. */
export type ChainVerifier = (chain: Chain, at: number) => Trust;

// Links that are tried for one chain. Real ones need a handful; thousands of namesakes must not take minutes.
const MOST_LINKS = 200;
const REMEMBERED = 2_000;

interface Node {
  readonly certificate: ParsedCertificate;
  readonly label: string;
  readonly isRoot: boolean;
}

/** A verifier that checks each signature between the same two certificates once. */
export function createChainVerifier(): ChainVerifier {
  const memo = createMemo<string, Flaw | undefined>(REMEMBERED);
  const findFlaw: FlawFinder = (subject, issuer) =>
    memo(`${fingerprint(subject)} ${fingerprint(issuer)} ${issuer.isRoot}`, () => checkLink(subject, issuer));
  return (chain, at) => followChain(chain, at, findFlaw);
}

/** How a certificate is named in a reason: `the leaf`, `intermediate 1 (CN=…)`. */
export function labelIntermediate(certificate: ParsedCertificate, index: number): string {
  return `intermediate ${index + 1} (${certificate.facts.subject})`;
}

/** What can be wrong with a link, in words. */
const FLAWS = {
  noAuthority: (subject: string, issuer: string) => `${subject} is issued by ${issuer}, which is not a CA`,
  otherIssuer: (subject: string, issuer: string) =>
    `${subject} is not issued by ${issuer}: key identifier or key usage differ`,
  badSignature: (subject: string, issuer: string) => `${subject} is not signed with the key of ${issuer}`,
} as const;
type Flaw = keyof typeof FLAWS;
type FlawFinder = (subject: Node, issuer: Node) => Flaw | undefined;

/** Breadth first from the leaf, so that order does not matter and each certificate is visited once. */
function followChain(chain: Chain, at: number, findFlaw: FlawFinder): Trust {
  if (!chain.leaf) return { root: undefined, problem: 'the leaf can not be read' };
  const issuers = listIssuers(chain);
  const queue: Node[] = [{ certificate: chain.leaf, label: 'the leaf', isRoot: false }];
  const seen = new Set<string>([fingerprint(queue[0]!)]);
  let outdated: Trust | undefined;
  let broken = '';
  let links = 0;
  for (const subject of queue) {
    const flaws: string[] = [];
    for (const issuer of issuers) {
      if (!mayIssue(subject, issuer)) continue;
      if (++links > MOST_LINKS) return { root: undefined, problem: 'too many certificates to follow' };
      const flaw = findFlaw(subject, issuer);
      if (flaw !== undefined) flaws.push(FLAWS[flaw](subject.label, issuer.label));
      else if (issuer.isRoot) {
        const trust = judgeRoot(issuer.certificate, at);
        if (trust.problem === undefined) return trust;
        outdated ??= trust;
      } else if (!seen.has(fingerprint(issuer))) {
        seen.add(fingerprint(issuer));
        queue.push(issuer);
      }
    }
    broken = flaws[0] ?? describeDeadEnd(subject);
  }
  return outdated ?? { root: undefined, problem: broken };
}

function listIssuers(chain: Chain): readonly Node[] {
  const intermediates = chain.intermediates.flatMap((certificate, index) =>
    certificate ? [{ certificate, label: labelIntermediate(certificate, index), isRoot: false }] : [],
  );
  const roots = chain.roots.map((certificate) => ({
    certificate,
    label: `root ${certificate.facts.subject}`,
    isRoot: true,
  }));
  return [...roots, ...intermediates];
}

/** By name only: what else is wrong with the link is worth a reason of its own. */
function mayIssue(subject: Node, issuer: Node): boolean {
  const isItself = !issuer.isRoot && fingerprint(subject) === fingerprint(issuer);
  return !isItself && subject.certificate.facts.issuer === issuer.certificate.facts.subject;
}

function checkLink(subject: Node, issuer: Node): Flaw | undefined {
  // A root is trusted because it is listed; ztunnel's TLS library does not ask it for CA:TRUE either.
  if (!issuer.isRoot && !issuer.certificate.isAuthority) return 'noAuthority';
  return subject.certificate.findFlaw(issuer.certificate);
}

/** ztunnel takes a root whatever its dates, but its peers need not: product rule is valid at the time. */
function judgeRoot(root: ParsedCertificate, at: number): Trust {
  const { subject } = root.facts;
  if (at < root.notBefore) {
    return { root, problem: `root ${subject} is not valid before ${formatTime(root.notBefore)}` };
  }
  if (at >= root.notAfter)
    return { root, problem: `root ${subject} expired at ${formatTime(root.notAfter)}` };
  return { root, problem: undefined };
}

function describeDeadEnd({ certificate, label }: Node): string {
  const { issuer, subject } = certificate.facts;
  if (issuer === subject) return `${label} is self-signed and no listed root`;
  return `${label} is issued by ${issuer}, which is not listed`;
}

function fingerprint({ certificate }: Node): string {
  return certificate.facts.fingerprintSHA256;
}
