// How certificates would be taken that do not exist yet: renewed under an authority that is given.

import { splitChain } from '../certificates/chain.ts';
import { createCertificateReader, type ParsedCertificate } from '../certificates/x509.ts';
import type { CertificateEntry } from '../dump.ts';
import type { Acceptance, Verification } from '../reach/verification.ts';

/** The certificates that come with an authority: the one that signs first, then those that lead to its root. */
export interface Authority {
  readonly certificates: readonly ParsedCertificate[];
}

/** Reads the certificates of a PEM file, in its order; undefined for one that has none, or one that can't be read. */
export function readAuthority(pem: string): Authority | undefined {
  const read = createCertificateReader();
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  const certificates = texts.map((text) =>
    read({ pem: text, serialNumber: '', validFrom: '', expirationTime: '' }),
  );
  if (certificates.length === 0 || certificates.includes(undefined)) return undefined;
  return { certificates: certificates as readonly ParsedCertificate[] };
}

/** What is renewed is good in itself; whoever trusts a root of its authority takes it. */
export function createRenewedVerification(
  base: Verification,
  authorities: ReadonlyMap<CertificateEntry, Authority>,
): Verification {
  const read = createCertificateReader();
  const rootsOf = (entry: CertificateEntry) => splitChain(entry, read).roots;
  return {
    stateOf: (entry) =>
      authorities.has(entry) ? { state: 'usable', until: Number.POSITIVE_INFINITY } : base.stateOf(entry),
    accepts: (verifier, presented, as) => {
      const authority = authorities.get(presented);
      return authority === undefined
        ? base.accepts(verifier, presented, as)
        : followAuthority(authority, rootsOf(verifier));
    },
    classOf: (entry) => {
      const authority = authorities.get(entry);
      if (authority === undefined) return base.classOf(entry);
      const roots = rootsOf(entry).map(printOf).toSorted();
      return `renewed under ${authority.certificates.map(printOf).join()} trusting ${roots.join()}`;
    },
  };
}

function printOf({ facts }: ParsedCertificate): string {
  return facts.fingerprintSHA256;
}

/** From the certificate that signs to the first root that is the next one's issuer, or is one of them. */
function followAuthority({ certificates }: Authority, roots: readonly ParsedCertificate[]): Acceptance {
  const prints = new Set(roots.map(printOf));
  const seen = new Set<ParsedCertificate>();
  let current = certificates[0];
  while (current !== undefined && !seen.has(current)) {
    const subject = current;
    seen.add(subject);
    if (prints.has(printOf(subject))) return { accepted: true, root: printOf(subject) };
    const root = roots.find((each) => issues(each, subject));
    if (root !== undefined) return { accepted: true, root: printOf(root) };
    current = certificates.find((each) => each !== subject && issues(each, subject));
  }
  const name = certificates[0]?.facts.subject ?? '';
  return {
    accepted: false,
    why: `${name}, under which it would be renewed, leads to no root that is trusted`,
  };
}

function issues(issuer: ParsedCertificate, subject: ParsedCertificate): boolean {
  return subject.facts.issuer === issuer.facts.subject && subject.findFlaw(issuer) === undefined;
}
