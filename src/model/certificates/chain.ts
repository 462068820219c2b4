// Which certificates of a dump's entry are leaf, intermediates, trust anchors.

import type { CertificateEntry } from '../dump.ts';
import type { CertificateReader, ParsedCertificate } from './x509.ts';

/** An entry's certificates by their part; undefined stands for one that could not be read. */
export interface Chain {
  /** How many certificates the entry's chain has, roots in it included. */
  readonly length: number;
  readonly leaf: ParsedCertificate | undefined;
  /** In the order sent, each once, without the roots. */
  readonly intermediates: readonly (ParsedCertificate | undefined)[];
  /** The readable trust anchors, each once. */
  readonly roots: readonly ParsedCertificate[];
  /** How many trust anchors were listed, unreadable ones included. */
  readonly rootsListed: number;
  /** `first`: of several only one is shown (dumps without `rootCerts`). */
  readonly rootsShown: 'all' | 'first';
}

/**
 * Splits an entry by what its certificates say, never by their place alone: `rootCerts` are the roots where the
 * dump has them (1.24.6+, 1.25.3+, 1.26+); before, the chain's last element was the root, self-signed or, when
 * another authority has signed it too, at least CA:TRUE.
 */
export function splitChain(entry: CertificateEntry, read: CertificateReader): Chain {
  const [leaf, ...rest] = entry.chain.map((certificate) => read(certificate));
  const listed = entry.roots?.map((certificate) => read(certificate));
  const anchors = listed ?? findTrailingRoot(rest);
  const roots = fold(anchors.filter((root) => root !== undefined));
  const rootPrints = new Set(roots.map(fingerprint));
  return {
    length: entry.chain.length,
    leaf,
    intermediates: fold(rest).filter((element) => !element || !rootPrints.has(fingerprint(element))),
    roots,
    rootsListed: anchors.length,
    rootsShown: listed === undefined ? 'first' : 'all',
  };
}

function findTrailingRoot(rest: readonly (ParsedCertificate | undefined)[]): readonly ParsedCertificate[] {
  const last = rest.at(-1);
  return last && (last.tls.issuerName === last.tls.subjectName || last.tls.isAuthority) ? [last] : [];
}

function fingerprint(certificate: ParsedCertificate): string {
  return certificate.facts.fingerprintSHA256;
}

/** Each certificate once; unreadable ones all stay, since nothing tells them apart. */
function fold<T extends ParsedCertificate | undefined>(certificates: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return certificates.filter((certificate) => {
    if (!certificate) return true;
    const isNew = !seen.has(fingerprint(certificate));
    seen.add(fingerprint(certificate));
    return isNew;
  });
}
