// How istioctl names the waypoint of a workload or service.

import type { ConfigDump } from '../../model/types.ts';
import type { Waypointed } from '../../model/waypoint.ts';

/** The name of the service that a destination is an address of; `NA` if the dump has no such service. */
export type WaypointNames = (destination: string) => string;

export function createWaypointNames(dump: ConfigDump): WaypointNames {
  const names = new Map<string, string>();
  for (const service of dump.services) {
    names.set(`${service.namespace}/${service.hostname}`, service.name);
    for (const vip of service.vips) names.set(vip, service.name);
  }
  return (destination) => names.get(destination) ?? 'NA';
}

export function shortWaypoint({ waypoint }: Waypointed, nameOf: WaypointNames): string {
  return waypoint === undefined ? 'None' : nameOf(waypoint.destination);
}
