// Which service the waypoint of a workload or service is.

import ipaddr from 'ipaddr.js';
import type { GatewayAddress, Service } from '../dump.ts';

/** What has a waypoint. */
export interface Waypointed {
  readonly namespace: string;
  readonly waypoint: GatewayAddress | undefined;
}

/**
 * A function that names the waypoint of a workload or service: `name`, `namespace/name` when it is in another namespace, null for
 * none, and the destination as it stands when no service has it.
 */
export function createWaypointLookup(services: readonly Service[]): (of: Waypointed) => string | null {
  const byHost = new Map(services.map((service) => [`${service.namespace}/${service.hostname}`, service]));
  const byVip = new Map(
    services.flatMap((service) => service.vips.map((vip) => [normalizeVip(vip), service])),
  );
  return ({ namespace, waypoint }) => {
    if (!waypoint?.destination) return null;
    const { destination } = waypoint;
    // `network/ip` or `namespace/hostname`: only what follows the first slash tells them apart.
    const service = byVip.get(normalizeVip(destination)) ?? byHost.get(destination);
    if (!service) return destination;
    return service.namespace === namespace ? service.name : `${service.namespace}/${service.name}`;
  };
}

/** `network/ip` with the address in its one short form; other text as it is. The network may be ''. */
function normalizeVip(text: string): string {
  const slash = text.indexOf('/');
  const address = text.slice(slash + 1);
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? `${text.slice(0, slash + 1)}${ipaddr.parse(address).toString()}` : text;
}
