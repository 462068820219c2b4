// istioctl's workload table: one line per workload of a dump.

import { compareBy, compareText } from '../../base/order.ts';
import type { Workload } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import type { ShortTable } from '../../printers/printer.ts';
import { displayRef } from '../reports/certificatecolumns.ts';
import { createWaypointNames, shortWaypoint, type WaypointNames } from '../reports/columns.ts';

const header = ['NAMESPACE', 'POD NAME', 'ADDRESS', 'NODE', 'WAYPOINT', 'PROTOCOL'] as const;

/** Byte for byte what istioctl prints for one ztunnel; for several, the same rows and a last column ZTUNNEL. */
export function shortWorkloads(
  answers: readonly Answer[],
  isWanted: (workload: Workload) => boolean,
): ShortTable {
  const several = answers.length > 1;
  const rows = answers.flatMap(({ ztunnel, dump }) => {
    const waypointName = createWaypointNames(dump);
    return dump.workloads.filter(isWanted).map((workload) => ({
      workload,
      row: [...shortRow(workload, waypointName), ...(several ? [displayRef(ztunnel)] : [])],
    }));
  });
  return {
    header: several ? [...header, 'ZTUNNEL'] : header,
    rows: rows.sort((a, b) => byNameThenNode(a.workload, b.workload)).map(({ row }) => row),
    padding: 1,
  };
}

function shortRow(workload: Workload, waypointName: WaypointNames): readonly string[] {
  return [
    workload.namespace,
    workload.name,
    workload.addresses.length > 0 ? workload.addresses.join(',') : workload.hostname,
    workload.node,
    shortWaypoint(workload, waypointName),
    workload.protocol,
  ];
}

/** istioctl sorts by `namespace.name` as one text, then by node. Equal ones stay in the order of the dump. */
const byNameThenNode = compareBy<Workload>(
  (a, b) => compareText(`${a.namespace}.${a.name}`, `${b.namespace}.${b.name}`),
  (a, b) => compareText(a.node, b.node),
);
