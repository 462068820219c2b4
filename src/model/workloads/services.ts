// How services of dumps become rows, with the health of their endpoints and their waypoints.

import ipaddr from 'ipaddr.js';
import { compareBy, compareText } from '../../base/order.ts';
import type { ConfigDump, GatewayAddress, Service } from '../dump.ts';
import type { ServiceItem } from '../items.ts';
import type { Answer } from '../types.ts';
import { joinHeld } from './compare.ts';

/** One row for each service of the dumps, by namespace, name, hostname and addresses. */
export function joinServices(answers: readonly Answer[]): readonly ServiceItem[] {
  const lookups = new Map(
    answers.map(({ dump }) => [
      dump,
      { waypointOf: createWaypointLookup(dump.services), countHealthy: createHealthCounter(dump) },
    ]),
  );
  return joinHeld(answers, (dump) => dump.services, keyOfService)
    .map(({ item: service, first, ztunnels, differs }): ServiceItem => {
      const { waypointOf, countHealthy } = lookups.get(first.dump)!;
      return {
        service,
        healthyEndpoints: countHealthy(service),
        waypoint: waypointOf(service),
        ztunnels,
        differs,
      };
    })
    .toSorted((a, b) => compareServices(a.service, b.service));
}

/** A function that counts a service's endpoints whose workload the dump holds, with status Healthy. */
export function createHealthCounter({ workloads }: ConfigDump): (service: Service) => number {
  const healthy = new Set(workloads.filter(({ status }) => status === 'Healthy').map(({ uid }) => uid));
  return ({ endpoints }) => endpoints.filter(({ workloadUid }) => healthy.has(workloadUid)).length;
}

/** By namespace, name, hostname, as istioctl does; then by addresses. */
export const compareServices = compareBy<Service>(
  (a, b) => compareText(a.namespace, b.namespace),
  (a, b) => compareText(a.name, b.name),
  (a, b) => compareText(a.hostname, b.hostname),
  (a, b) => compareText(a.vips.join(), b.vips.join()),
);

/** Tells a service from all others; ztunnel 1.18 gave no names. */
export function keyOfService({ namespace, hostname, name, vips }: Service): string {
  return hostname === '' ? `${namespace}/${name}/${vips.join()}` : `${namespace}/${hostname}`;
}

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
