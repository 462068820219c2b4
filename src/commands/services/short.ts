// istioctl's service table: one line per service of a dump.

import type { Service } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import { withoutNetwork } from '../../model/workloads/addressnames.ts';
import { compareServices, createHealthCounter } from '../../model/workloads/services.ts';
import type { ShortTable } from '../../printers/printer.ts';
import { displayRef } from '../reports/certificatecolumns.ts';
import { createWaypointNames, shortWaypoint } from '../reports/waypointshort.ts';

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
