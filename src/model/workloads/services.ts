// How services of dumps become the rows of `services`, with the health of what is behind them.

import type { ConfigDump, Service } from '../dump.ts';
import type { ServiceItem } from '../items.ts';
import { compareBy, compareText } from '../order.ts';
import type { Answer } from '../types.ts';
import { joinHeld } from './compare.ts';
import { createWaypointLookup } from './waypoint.ts';

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
