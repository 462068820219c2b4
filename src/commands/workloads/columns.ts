// The columns of `workloads`.

import { type CaptureState, STATUSES, type WorkloadItem } from '../../model/items.ts';
import { SEVERITIES } from '../../model/order.ts';
import type { Tone } from '../../printers/printer.ts';
import { displayRef, ownersCell, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';
import { withoutAgreement, ztunnelsColumn } from '../reports/held.ts';

/** ZTUNNELS is a column only when several dumps are compared and differ. */
export function workloadColumns(
  items: readonly WorkloadItem[],
  dumps: number,
): readonly ColumnSpec<WorkloadItem>[] {
  return withoutAgreement(columns(dumps), items, dumps);
}

/** `--sort-by` knows every column, shown or not. */
export function columns(dumps: number): readonly ColumnSpec<WorkloadItem>[] {
  return [
    { header: 'NAMESPACE', fit: 'middle', cell: (item) => plain(item.workload.namespace) },
    { header: 'POD NAME', fit: 'middle', cell: (item) => plain(item.workload.name) },
    {
      header: 'CERTIFICATE',
      cell: (item) => ({
        text: item.certificate,
        tone: statuses.has(item.certificate) ? item.severity : 'dim',
      }),
      key: (item) => SEVERITIES.indexOf(item.severity) * 100 + STATUSES.indexOf(item.certificate as never),
    },
    {
      header: 'CAPTURE',
      cell: ({ capture }) => ({ text: capture, tone: CAPTURE_TONES[capture] }),
    },
    { header: 'NODE', fit: 'node', cell: (item) => plain(item.workload.node || '-') },
    { header: 'WAYPOINT', fit: 'middle', cell: (item) => plain(item.waypoint ?? 'None') },
    { header: 'PROTOCOL', cell: (item) => plain(item.workload.protocol) },
    ztunnelsColumn(dumps),
    { header: 'ADDRESS', wide: true, cell: (item) => plain(displayAddress(item)) },
    { header: 'IDENTITY', wide: true, cell: (item) => plain(item.identity) },
    { header: 'SERVICES', wide: true, cell: (item) => plain(item.workload.services.join(',') || '-') },
    { header: 'STATE', wide: true, cell: (item) => plain(item.workload.status || '-') },
    { header: 'ZTUNNEL', wide: true, cell: (item) => plain(item.ztunnels.map(displayRef).join(',') || '-') },
    { header: 'OWNER', fit: 'middle', cell: (item, wide) => ownersCell(item.owner, wide) },
  ];
}

const CAPTURE_TONES = {
  yes: 'ok',
  pending: 'warning',
  'not enrolled': 'critical',
  no: 'dim',
  none: 'dim',
  '-': 'dim',
} satisfies Record<CaptureState, Tone>;

const statuses: ReadonlySet<string> = new Set(STATUSES);

/** All addresses; a workload without any is reached by its hostname. */
function displayAddress({ workload }: Pick<WorkloadItem, 'workload'>): string {
  return workload.addresses.length > 0 ? workload.addresses.join(',') : workload.hostname || '-';
}
