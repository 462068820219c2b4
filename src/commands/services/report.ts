// What `services` shows: its columns, and istioctl's table.

import type { Service } from '../../model/dump.ts';
import type { ServiceItem } from '../../model/items.ts';
import type { Answer } from '../../model/types.ts';
import { withoutNetwork } from '../../model/workloads/connections.ts';
import { compareServices, createHealthCounter } from '../../model/workloads/services.ts';
import type { Cell, ShortTable } from '../../printers/printer.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, createWaypointNames, shortWaypoint } from '../reports/columns.ts';
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

const header = ['NAMESPACE', 'SERVICE NAME', 'SERVICE VIP', 'WAYPOINT', 'ENDPOINTS'] as const;

/** Byte for byte what istioctl prints for one ztunnel; for several, the same rows and a last column ZTUNNEL. */
export function shortServices(
  answers: readonly Answer[],
  isWanted: (service: Service) => boolean,
): ShortTable {
  const several = answers.length > 1;
  const rows = answers.flatMap(({ ztunnel, dump }) => {
    const waypointName = createWaypointNames(dump);
    const countHealthy = createHealthCounter(dump);
    return dump.services.filter(isWanted).map((service) => ({
      service,
      row: [
        service.namespace,
        service.name,
        service.vips.map(withoutNetwork).join(','),
        shortWaypoint(service, waypointName),
        `${countHealthy(service)}/${service.endpoints.length}`,
        ...(several ? [displayRef(ztunnel)] : []),
      ],
    }));
  });
  return {
    header: several ? [...header, 'ZTUNNEL'] : header,
    rows: rows.sort((a, b) => compareServices(a.service, b.service)).map(({ row }) => row),
    padding: 1,
  };
}
