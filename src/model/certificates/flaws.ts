// What can be wrong with the certificates of a way to a root, one rule after the other, as rustls-webpki has them.

import { type CryptoProvider, isKeyAccepted, isOfKind, isSignatureAccepted } from './algorithms.ts';
import { findExcluded } from './constraints.ts';
import type { ParsedCertificate } from './x509.ts';

/** webpki goes no deeper. */
const MOST_INTERMEDIATES = 6;

/** A certificate on the way, and what it is called in a reason. */
export interface Step {
  readonly certificate: ParsedCertificate;
  readonly label: string;
}

/** What is wrong, as a phrase that names certificate and rule. */
export interface Flaw {
  readonly text: string;
  readonly rank: Rank;
}

/** What tells most, last: the same order in which webpki chooses among what it met on several ways. */
export const RANKS = [
  'unlisted',
  'namesake',
  'depth',
  'defect',
  'algorithm',
  'authority',
  'pathLength',
  'names',
  'limit',
] as const;
type Rank = (typeof RANKS)[number];

/** How a certificate is named in a reason: `intermediate 1 (CN=…)`. */
export function labelIntermediate(certificate: ParsedCertificate, index: number): string {
  return `intermediate ${index + 1} (${certificate.facts.subject})`;
}

export function labelRoot({ facts }: ParsedCertificate): string {
  return `root ${facts.subject}`;
}

/** What a leaf must not be, whoever has signed it. */
export function findLeafFlaw({ certificate, label }: Step, provider: CryptoProvider): string | undefined {
  const { defect, isAuthority, keyName } = certificate.tls;
  if (defect !== null) return `${label} ${defect}`;
  if (isAuthority) return `${label} is a CA (basic constraints), which no peer takes for a workload`;
  return isKeyAccepted(keyName, provider) ? undefined : describeKey(label, keyName, provider);
}

/** A root is a name and a key: webpki only has to be able to read these. */
export function findRootFlaw(root: ParsedCertificate): Flaw | undefined {
  const { anchorDefect } = root.tls;
  return anchorDefect === null ? undefined : { text: `${labelRoot(root)} ${anchorDefect}`, rank: 'defect' };
}

export function findIssuerFlaw(
  path: readonly Step[],
  head: Step,
  issuer: Step,
  provider: CryptoProvider,
): Flaw | undefined {
  const { defect, isAuthority, pathLength } = issuer.certificate.tls;
  const { label } = issuer;
  if (path.length > MOST_INTERMEDIATES) {
    return {
      text: `${label} is one intermediate more than the ${MOST_INTERMEDIATES} that rustls follows`,
      rank: 'depth',
    };
  }
  if (defect !== null) return { text: `${label} ${defect}`, rank: 'defect' };
  const link = findLinkFlaw(head, issuer, provider);
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
export function findLinkFlaw(subject: Step, issuer: Step, provider: CryptoProvider): Flaw | undefined {
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
export function findNameFlaw(path: readonly Step[], anchor: ParsedCertificate): Flaw | undefined {
  const authorities = [...path.slice(1), { certificate: anchor, label: labelRoot(anchor) }];
  for (const [at, { certificate, label }] of authorities.entries()) {
    const { constraints } = certificate.tls;
    if (constraints === null) continue;
    for (const below of path.slice(0, at + 1)) {
      const name = findExcluded(below.certificate.tls.names, constraints);
      if (name !== undefined) {
        return {
          text: `${label} may not sign for ${name} of ${below.label} (name constraints)`,
          rank: 'names',
        };
      }
    }
  }
  return undefined;
}

export function describeDeadEnd({ certificate, label }: Step): string {
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
