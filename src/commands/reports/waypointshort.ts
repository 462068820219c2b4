// How istioctl names the waypoint of a workload or service.

import type { ConfigDump } from '../../model/dump.ts';
import type { Waypointed } from '../../model/workloads/waypoint.ts';

/** The name of the service that a destination is an address of; `NA` if the dump has no such service. */
export type WaypointNames = (destination: string) => string;

export function createWaypointNames(dump: ConfigDump): WaypointNames {
  const names = new Map<string, string>();
  for (const { namespace, hostname, vips, name } of dump.services) {
    // istioctl takes the first service that has the address, in the dump's order.
    for (const address of [`${namespace}/${hostname}`, ...vips]) {
      if (!names.has(address)) names.set(address, name);
    }
  }
  return (destination) => names.get(destination) ?? 'NA';
}

export function shortWaypoint({ waypoint }: Waypointed, nameOf: WaypointNames): string {
  return waypoint === undefined ? 'None' : nameOf(waypoint.destination);
}
