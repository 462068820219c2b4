// istioctl's workload table: one line per workload of a dump.

import { compareBy, compareText } from '../../model/order.ts';
import type { Answer, ConfigDump, Workload } from '../../model/types.ts';
import type { ShortTable } from '../../printers/printer.ts';
import { displayRef } from './certificates.ts';

const header = ['NAMESPACE', 'POD NAME', 'ADDRESS', 'NODE', 'WAYPOINT', 'PROTOCOL'] as const;

/** Byte for byte what istioctl prints for one ztunnel; for several, the same rows and a last column ZTUNNEL. */
export function shortWorkloads(
  answers: readonly Answer[],
  isWanted: (workload: Workload) => boolean,
): ShortTable {
  const several = answers.length > 1;
  const rows = answers.flatMap(({ ztunnel, dump }) => {
    const waypointName = waypointNames(dump);
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

function shortRow(workload: Workload, waypointName: (destination: string) => string): readonly string[] {
  return [
    workload.namespace,
    workload.name,
    workload.addresses.length > 0 ? workload.addresses.join(',') : workload.hostname,
    workload.node,
    workload.waypoint === undefined ? 'None' : waypointName(workload.waypoint.destination),
    workload.protocol,
  ];
}

/** A waypoint is shown as the name of the service it is the address of; `NA` if the dump has no such service. */
function waypointNames(dump: ConfigDump): (destination: string) => string {
  const names = new Map<string, string>();
  for (const service of dump.services) {
    names.set(`${service.namespace}/${service.hostname}`, service.name);
    for (const vip of service.vips) names.set(vip, service.name);
  }
  return (destination) => names.get(destination) ?? 'NA';
}

/** istioctl sorts by `namespace.name` as one text, then by node. Equal ones stay in the order of the dump. */
const byNameThenNode = compareBy<Workload>(
  (a, b) => compareText(`${a.namespace}.${a.name}`, `${b.namespace}.${b.name}`),
  (a, b) => compareText(a.node, b.node),
);
