// The columns of `leases`.

import { formatDuration, formatRelative } from '../../base/duration.ts';
import type { LeaseItem } from '../../model/leases/leaseitems.ts';
import { LEASE_STATUSES, type LeaseStatus } from '../../model/leases/leases.ts';
import type { Tone } from '../../printers/printer.ts';
import { ownersCell, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';

const tones = { held: 'ok', expired: 'warning', released: 'dim' } satisfies Record<LeaseStatus, Tone>;

export const leaseColumns: readonly ColumnSpec<LeaseItem>[] = [
  { header: 'NAMESPACE', fit: 'middle', cell: ({ lease }) => plain(lease.metadata.namespace ?? '-') },
  { header: 'NAME', fit: 'middle', cell: ({ lease }) => plain(lease.metadata.name) },
  { header: 'HOLDER', fit: 'middle', cell: (item) => plain(displayHolder(item)) },
  { header: 'OWNER', fit: 'middle', cell: ({ owner }, wide) => ownersCell(owner, wide) },
  {
    header: 'STATUS',
    cell: ({ status }) => ({ text: status, tone: tones[status] }),
    key: ({ status }) => LEASE_STATUSES.indexOf(status),
  },
  {
    header: 'RENEWED',
    cell: ({ renewedSeconds: seconds }) => plain(seconds === null ? '-' : formatRelative(seconds)),
    key: ({ renewedSeconds }) => renewedSeconds ?? undefined,
  },
  {
    header: 'DURATION',
    cell: ({ lease }) => plain(displaySeconds(lease.spec?.leaseDurationSeconds)),
    key: ({ lease }) => lease.spec?.leaseDurationSeconds,
  },
  {
    header: 'TRANSITIONS',
    cell: ({ lease }) => plain(String(lease.spec?.leaseTransitions ?? '-')),
    key: ({ lease }) => lease.spec?.leaseTransitions,
  },
  { header: 'NODE', wide: true, cell: (item) => plain(nodeOfHolder(item) ?? '-') },
  { header: 'SPIFFE ID', wide: true, cell: ({ certificate }) => plain(certificate?.identity ?? '-') },
  { header: 'CERTIFICATE', wide: true, cell: ({ certificate }) => plain(certificate?.status ?? '-') },
  { header: 'HOLDER IDENTITY', wide: true, cell: ({ lease }) => plain(lease.spec?.holderIdentity || '-') },
];

/** The pod, with its namespace if that is another one; the node; or the text as it stands. */
function displayHolder({ holder, lease }: LeaseItem): string {
  if (holder.kind === 'none') return '-';
  if (holder.kind === 'text') return holder.text;
  if (holder.kind === 'node') return holder.name;
  const { namespace, name } = holder.pod.metadata;
  return namespace === lease.metadata.namespace ? name : `${namespace}/${name}`;
}

/** Where the holder runs; null where that is not known. */
export function nodeOfHolder({ holder }: LeaseItem): string | null {
  if (holder.kind === 'node') return holder.name;
  return holder.kind === 'pod' ? (holder.pod.spec?.nodeName ?? null) : null;
}

function displaySeconds(seconds: number | undefined): string {
  return seconds === undefined ? '-' : formatDuration(seconds);
}
