// The columns of `ztunnels`.

import { formatDuration } from '../../base/duration.ts';
import { STATUSES, type ZtunnelItem } from '../../model/items.ts';
import type { Cell } from '../../printers/printer.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';

/** `--sort-by` knows every column, shown or not. */
export const columns: readonly ColumnSpec<ZtunnelItem>[] = [
  { header: 'NODE', fit: 'node', cell: ({ ztunnel }) => plain(ztunnel.node ?? '-') },
  { header: 'ZTUNNEL', fit: 'middle', cell: ({ ztunnel }) => plain(displayRef(ztunnel)) },
  { header: 'VERSION', fit: 'middle', cell: ({ version }) => plain(version ?? '-') },
  { header: 'READY', cell: readyCell },
  {
    header: 'RESTARTS',
    cell: ({ restarts }) => plain(restarts === null ? '-' : String(restarts)),
    key: ({ restarts }) => restarts ?? undefined,
  },
  {
    header: 'AGE',
    cell: ({ ageSeconds }) => plain(ageSeconds === null ? '-' : formatDuration(Math.max(0, ageSeconds))),
    key: ({ ageSeconds }) => ageSeconds ?? undefined,
  },
  {
    header: 'ANSWERED',
    cell: ({ answered, severity }) => ({ text: answered ? 'yes' : 'no', tone: severity }),
  },
  { header: 'ENROLLED', cell: enrolledCell, key: ({ enrolled }) => enrolled ?? undefined },
  {
    header: 'PENDING',
    cell: ({ pending }) =>
      pending ? { text: String(pending), tone: 'warning' } : plain(String(pending ?? '-')),
    key: ({ pending }) => pending ?? undefined,
  },
  { header: 'CERTIFICATES', cell: ({ certificates }) => plain(displayCertificates(certificates)) },
  { header: 'PHASE', wide: true, cell: ({ phase }) => plain(phase ?? '-') },
  { header: 'CREATED', wide: true, cell: ({ createdAt }) => plain(createdAt ?? '-') },
  { header: 'REASON', fit: 'detail', cell: ({ reason }) => plain(reason ?? '') },
];

/** `2/3`: of three captured pods of its node it has two; `2` where pods are not known. */
function enrolledCell({ captured, enrolled }: ZtunnelItem): Cell {
  if (enrolled === null) return { text: '-', tone: 'dim' };
  if (captured === null) return plain(String(enrolled));
  const text = `${enrolled}/${captured}`;
  return enrolled < captured ? { text, tone: 'warning' } : plain(text);
}

function readyCell({ ready }: ZtunnelItem): Cell {
  if (ready === null) return { text: '-', tone: 'dim' };
  return ready ? plain('yes') : { text: 'no', tone: 'warning' };
}

/** `1 EXPIRED, 10 OK`, in the order of the STATUS table. */
function displayCertificates(counts: ZtunnelItem['certificates']): string {
  if (counts === null) return '-';
  const shown = STATUSES.flatMap((status) =>
    counts[status] === undefined ? [] : `${counts[status]} ${status}`,
  );
  return shown.join(', ') || 'none';
}
