// The columns of `certs`.

import { formatRelative } from '../../base/duration.ts';
import type { CertificateItem, Owner, Owners } from '../../model/items.ts';
import { STATUSES } from '../../model/items.ts';
import { SEVERITIES } from '../../model/order.ts';
import type { Cell, Tone } from '../../printers/printer.ts';
import { withCluster } from './clusters.ts';
import type { ColumnSpec } from './columns.ts';

/** TRUST DOMAIN is a column only when there is more than one to tell apart. */
export function certificateColumns(
  items: readonly CertificateItem[],
): readonly ColumnSpec<CertificateItem>[] {
  const several = new Set(items.map((item) => item.trustDomain)).size > 1;
  return columnsOver(items.some(({ cluster }) => cluster !== undefined)).filter(
    (column) => several || column.header !== 'TRUST DOMAIN',
  );
}

/** `--sort-by` knows every column, shown or not. */
export function columnsOver(severalClusters: boolean): readonly ColumnSpec<CertificateItem>[] {
  return withCluster(columns, severalClusters, ({ cluster }) => cluster);
}

const columns: readonly ColumnSpec<CertificateItem>[] = [
  {
    header: 'STATUS',
    cell: (item) => ({ text: item.status, tone: item.severity }),
    key: (item) => SEVERITIES.indexOf(item.severity) * 100 + STATUSES.indexOf(item.status),
  },
  { header: 'IDENTITY', fit: 'middle', cell: (item) => plain(displayIdentity(item)) },
  { header: 'TRUST DOMAIN', fit: 'middle', cell: (item) => plain(item.trustDomain ?? '-') },
  { header: 'NODE', fit: 'node', cell: (item) => plain(item.node ?? '-') },
  {
    header: 'EXPIRES',
    cell: (item) => ({ text: displayExpiry(item.remainingSeconds), tone: expiryTone(item) }),
    key: (item) => item.remainingSeconds ?? undefined,
  },
  { header: 'OWNER', fit: 'middle', cell: (item, wide) => ownersCell(item.owners, wide) },
  { header: 'SPIFFE ID', wide: true, cell: (item) => plain(item.identity) },
  { header: 'ZTUNNEL', wide: true, cell: (item) => plain(displayRef(item.ztunnel)) },
  { header: 'SERIAL', wide: true, cell: (item) => plain(item.serialNumber?.hex ?? '-') },
  { header: 'NOT BEFORE', wide: true, cell: (item) => plain(item.notBefore ?? '-') },
  { header: 'NOT AFTER', wide: true, cell: (item) => plain(item.notAfter ?? '-') },
  {
    header: 'LIFETIME USED',
    wide: true,
    cell: (item) => plain(item.lifetimePercent === null ? '-' : `${item.lifetimePercent}%`),
    key: (item) => item.lifetimePercent ?? undefined,
  },
  { header: 'ISSUER', wide: true, cell: (item) => plain(item.issuer ?? '-') },
  { header: 'ROOT', wide: true, cell: (item) => plain(rootFingerprints(item)) },
  { header: 'PODS', wide: true, cell: (item) => plain(podNames(item.owners)) },
  { header: 'REASON', fit: 'detail', cell: (item) => plain(item.reason ?? '') },
];

/** `namespace/serviceaccount`, or the whole text when it is no SPIFFE id of that form. */
export function displayIdentity(item: CertificateItem): string {
  return item.namespace === null ? item.identity : `${item.namespace}/${item.serviceAccount}`;
}

/** Owners as OWNER shows them: the first by name and how many more, or all of them. */
export function ownersCell(owners: Owners, all: boolean): Cell {
  if (!owners.known) return { text: owners.why === 'forbidden' ? '?' : '-', tone: 'dim' };
  const [first, ...others] = owners.owners;
  if (first === undefined) return { text: 'none', tone: 'dim' };
  if (all) return plain(owners.owners.map((owner) => displayOwner(owner, owner.kind)).join(','));
  const more = others.length === 0 ? '' : ` +${others.length}`;
  const short = SHORT_KINDS.get(first.kind);
  const text = displayOwner(first, first.kind) + more;
  return short === undefined ? { text } : { text, short: displayOwner(first, short) + more };
}

/** kubectl's own short names, for a screen that is too narrow for the kinds in full. */
const SHORT_KINDS: ReadonlyMap<string, string> = new Map([
  ['CronJob', 'cj'],
  ['DaemonSet', 'ds'],
  ['Deployment', 'deploy'],
  ['ReplicaSet', 'rs'],
  ['StatefulSet', 'sts'],
]);

/** `in 23h52m`, `1d0h ago`, or `-` for what has no date. */
export function displayExpiry(remainingSeconds: number | null): string {
  return remainingSeconds === null ? '-' : formatRelative(remainingSeconds);
}

export function displayRef(ref: { readonly namespace: string | null; readonly name: string } | null): string {
  if (ref === null) return '-';
  return ref.namespace === null ? ref.name : `${ref.namespace}/${ref.name}`;
}

export function plain(text: string): Cell {
  return { text };
}

function displayOwner(owner: Owner, kind: string): string {
  const replicas = owner.desired === null ? '' : ` ${owner.ready ?? 0}/${owner.desired}`;
  return `${kind}/${owner.name}${replicas}`;
}

function podNames(owners: Owners): string {
  if (!owners.known) return owners.why === 'forbidden' ? '?' : '-';
  const names = owners.owners.flatMap((owner) => owner.pods);
  return names.length === 0 ? 'none' : names.join(',');
}

/** The first 12 hex digits identify a root well enough for a person. */
function rootFingerprints(item: CertificateItem): string {
  const roots = item.roots.map((root) => root.fingerprintSHA256.slice(0, 12));
  return roots.length === 0 ? '-' : roots.join(',');
}

/** Time is coloured only where it is what the status is about. */
function expiryTone(item: CertificateItem): Tone {
  return ['EXPIRED', 'EXPIRING', 'RENEWAL-OVERDUE', 'NOT-YET-VALID'].includes(item.status)
    ? item.severity
    : 'plain';
}
