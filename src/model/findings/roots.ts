// What `check` says of single chains: certificates that are in them twice.

import type { DumpCertificate } from '../dump.ts';
import type { CertificateItem } from '../items.ts';
import { concernCertificate } from './certificates.ts';
import { type Finder, found } from './finding.ts';

// What `check` says of single chains: certificates that stand in them twice.

/** One certificate that stands twice in a chain, as listed. */
export const chainDuplicates: Finder = ({ needed, unused }) =>
  found(
    [...needed, ...unused].flatMap((item) => {
      const prints = item.entry?.chain.map(printOf).filter((print) => print !== '') ?? [];
      const twice = prints.find((print, at) => prints.indexOf(print) !== at);
      return twice === undefined ? [] : [concernCertificate(item, describeTwice(item, twice))];
    }),
  );

/** What tells a certificate of a dump apart; '' for one that can't be read. */
function printOf({ pem, facts }: DumpCertificate): string {
  return facts?.fingerprintSHA256 ?? pem;
}

function describeTwice({ chain, roots }: CertificateItem, print: string): string {
  const body = print.replaceAll(/\s/g, '');
  const facts = [...chain, ...roots].find(
    ({ pem, fingerprintSHA256 }) => fingerprintSHA256 === print || pem.replaceAll(/\s/g, '') === body,
  );
  return `${facts?.subject || 'a certificate'} stands more than once in the chain`;
}
