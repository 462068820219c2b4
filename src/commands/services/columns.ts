// The columns of `services`.

import type { ServiceItem } from '../../model/items.ts';
import { withoutNetwork } from '../../model/workloads/addressnames.ts';
import type { Cell } from '../../printers/printer.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';
import { ztunnelsColumn } from '../reports/held.ts';

/** `--sort-by` knows every column, shown or not. `dumps`: how many were compared. */
export function serviceColumns(dumps: number): readonly ColumnSpec<ServiceItem>[] {
  return [
    { header: 'NAMESPACE', fit: 'middle', cell: ({ service }) => plain(service.namespace) },
    { header: 'SERVICE', fit: 'middle', cell: ({ service }) => plain(service.name || service.hostname) },
    { header: 'VIPS', fit: 'middle', cell: ({ service }) => list(service.vips.map(withoutNetwork)) },
    { header: 'WAYPOINT', fit: 'middle', cell: (item) => plain(item.waypoint ?? 'None') },
    {
      header: 'ENDPOINTS',
      cell: endpointsCell,
      key: ({ service, healthyEndpoints }) => service.endpoints.length - healthyEndpoints,
    },
    ztunnelsColumn(dumps),
    { header: 'HOSTNAME', wide: true, cell: ({ service }) => plain(service.hostname || '-') },
    {
      header: 'PORTS',
      wide: true,
      cell: ({ service }) => list(service.ports.map(({ port, targetPort }) => `${port}:${targetPort}`)),
    },
    { header: 'SUBJECT ALT NAMES', wide: true, cell: ({ service }) => list(service.subjectAltNames) },
    { header: 'ZTUNNEL', wide: true, cell: (item) => list(item.ztunnels.map(displayRef)) },
  ];
}

/** Healthy of all. Without any, traffic has nowhere to go; none at all may be meant so. */
function endpointsCell({ service, healthyEndpoints }: ServiceItem): Cell {
  const all = service.endpoints.length;
  const text = `${healthyEndpoints}/${all}`;
  return { text, tone: all === 0 ? 'dim' : healthyEndpoints < all ? 'warning' : 'plain' };
}

function list(texts: readonly string[]): Cell {
  return plain(texts.join(',') || '-');
}
