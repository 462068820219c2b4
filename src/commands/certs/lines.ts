// Certificates as lines: SPIFFE ids, and PEM text.

import type { CertificateItem, X509Facts } from '../../model/items.ts';
import { displayRef } from '../reports/certificatecolumns.ts';

/** Each identity once, in the order of the items. */
export function certificateNames(items: readonly CertificateItem[]): Iterable<string> {
  return new Set(items.map((item) => item.identity));
}

/** Chain and roots of every item, each certificate preceded by a `#` line that says what it is. */
export function* certificatePems(items: readonly CertificateItem[]): Iterable<string> {
  for (const item of items) {
    for (const [index, certificate] of item.chain.entries()) {
      yield* pemLines(item, index === 0 ? 'leaf' : 'intermediate', certificate);
    }
    for (const certificate of item.roots) yield* pemLines(item, 'root', certificate);
  }
}

function* pemLines(item: CertificateItem, role: string, certificate: X509Facts): Iterable<string> {
  const where = `${displayRef(item.ztunnel)}${item.cluster === undefined ? '' : ` in ${item.cluster}`}`;
  yield `# ${item.identity} ${role} from ${where}, valid until ${certificate.notAfter}`;
  // Line by line: a line break within a line would be shown, not made.
  yield* certificate.pem.trimEnd().split('\n');
}
