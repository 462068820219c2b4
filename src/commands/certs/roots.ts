// `certs --group-by trusts`: who presents and who trusts each root, and what may be done with it.

import { formatTime } from '../../base/duration.ts';
import { rootUseDocument } from '../../model/documents/trust.ts';
import { examplesOf, shortenPrint } from '../../model/findings/trust.ts';
import type { RootUse, RootUsers } from '../../model/trust/roots.ts';
import type { Event, Table } from '../../printers/printer.ts';
import { plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, renderTable } from '../reports/columns.ts';
import { count } from '../reports/sentences.ts';

/** TRUST DOMAIN is a column only where there is more than one. */
export function rootTable(uses: readonly RootUse[], wide: boolean): Table {
  const several = new Set(uses.map(({ trustDomain }) => trustDomain)).size > 1;
  const shown = columns.filter(({ header }) => several || header !== 'TRUST DOMAIN');
  return renderTable(shown, uses, wide);
}

const columns: readonly ColumnSpec<RootUse>[] = [
  {
    header: 'ROOT',
    cell: ({ root }, wide) => plain(wide ? root.fingerprintSHA256 : shortenPrint(root)),
  },
  { header: 'TRUST DOMAIN', fit: 'middle', cell: ({ trustDomain }) => plain(trustDomain) },
  { header: 'PRESENTED BY', cell: (use) => plain(shareOf(use.presentedBy, use)) },
  { header: 'TRUSTED BY', cell: (use) => plain(shareOf(use.trustedBy, use)) },
  { header: 'CERTIFICATES', wide: true, cell: (use) => plain(certificateShare(use)) },
  { header: 'NEWEST', cell: ({ isNewest }) => plain(isNewest ? 'yes' : 'no') },
  { header: 'NOT BEFORE', wide: true, cell: ({ root }) => plain(root.notBefore) },
  { header: 'NOT AFTER', cell: ({ root }) => plain(root.notAfter) },
  { header: 'SUBJECT', fit: 'middle', cell: ({ root }) => plain(root.subject) },
];

/** `4 of 6` that trust it. */
function certificateShare(use: RootUse): string {
  return `${use.trustedBy.counts.certificates} of ${certificatesOf(use)}`;
}

/** `2 of 4`: identities. */
function shareOf({ counts }: RootUsers, use: RootUse): string {
  return `${counts.identities} of ${totalOf(use)}`;
}

/** All identities in use of its trust domain; one that is on several nodes may stand on both sides. */
function totalOf({ trustedBy, untrustedBy, unknownTo }: RootUse): number {
  const members = [trustedBy, untrustedBy, unknownTo].flatMap((users) => users.members);
  return new Set(members.map(({ cluster = '', identity }) => `${cluster} ${identity}`)).size;
}

/**
 * Of each root whether a CA may sign with it and whether it may be dropped, or who is still in the way; without what nobody would do:
 * go back to an older one, or drop one that is to come.
 */
export function rootSentences(uses: readonly RootUse[]): readonly string[] {
  return [...Map.groupBy(uses, ({ trustDomain }) => trustDomain).values()].flatMap((own) => {
    const presented = own.filter((use) => !use.mayDrop);
    // The newest comes first.
    const current = presented[0]?.root.notBefore ?? '';
    return own.flatMap((use) => {
      const { notBefore } = use.root;
      const isOnly = own.length === 1;
      const isEverywhere = use.presentedBy.counts.certificates === certificatesOf(use);
      return [
        ...(isOnly || (notBefore >= current && !isEverywhere) ? [signSentence(use)] : []),
        ...(isOnly || (notBefore <= current && !(isEverywhere && use.isNewest)) ? [dropSentence(use)] : []),
      ];
    });
  });
}

function certificatesOf({ trustedBy, untrustedBy, unknownTo }: RootUse): number {
  return [trustedBy, untrustedBy, unknownTo].reduce((sum, { counts }) => sum + counts.certificates, 0);
}

const SHOWN = 2;

function signSentence({ root, maySign, trustedBy, untrustedBy, unknownTo }: RootUse): string {
  const name = shortenPrint(root);
  if (maySign === true) return `May sign with ${name} now: all ${identities(trustedBy)} trust it.`;
  const [users, what] =
    maySign === false ? [untrustedBy, 'do not trust it'] : [unknownTo, 'may not trust it'];
  return `May not sign with ${name} yet: ${identities(users)} ${what} (${examplesOf(users.members, SHOWN)}).`;
}

function dropSentence({ root, mayDrop, presentedBy }: RootUse): string {
  const name = shortenPrint(root);
  if (mayDrop) return `May drop ${name} now: none presents it.`;
  return `May not drop ${name} yet: ${identities(presentedBy)} present it (${examplesOf(presentedBy.members, SHOWN)}).`;
}

function identities({ counts }: RootUsers): string {
  return count(counts.identities, 'identity', 'identities');
}

/** `2026-11-29T22:03:52Z root 0a1b2c3d4e5f: presented by 0, trusted by 2 of 4 identities`. */
export function rootEvent(use: RootUse, time: Date): Event {
  const { root, presentedBy, trustedBy, maySign } = use;
  const at = formatTime(time.getTime());
  const counts = `presented by ${presentedBy.counts.identities}, trusted by ${shareOf(trustedBy, use)} identities`;
  return {
    text: `${at} root ${shortenPrint(root)}: ${counts}`,
    tone: maySign === true ? 'ok' : 'plain',
    document: { apiVersion: 'ztunnel.kubectl/v1', kind: 'RootUseEvent', time: at, use: rootUseDocument(use) },
  };
}
