// What is said of where a connection is going to, and why there is no way to it.

import type { Service } from '../dump.ts';
import type { ReachFact } from './facts.ts';
import { nameOf, type Step } from './inbound.ts';
import type { Meant, Plan, Target } from './outbound.ts';

export function nameOfService({ name, namespace, hostname }: Service): string {
  return name === '' ? hostname || 'without a name' : `${name}.${namespace}`;
}

export function noteShared(meant: Meant): readonly ReachFact[] {
  if (meant.what !== 'service' || meant.others.length === 0) return [];
  return [
    { fact: 'sharedAddress', service: nameOfService(meant.service), others: meant.others.map(nameOfService) },
  ];
}

/** Why there is no way to it. */
export function factOfNoWay(
  { meant, why, choice }: Extract<Plan, { way: 'none' }>,
  { port }: Target,
): ReachFact {
  if (meant.what === 'workload') {
    const { workload } = meant;
    return why === 'otherNetwork'
      ? { fact: 'otherNetwork', workload: nameOf(workload), network: workload.network }
      : { fact: 'nowhere', destination: nameOf(workload) };
  }
  if (meant.what !== 'service') return { fact: 'nowhere', destination: 'it' };
  const service = nameOfService(meant.service);
  if (why === 'noPort' || port === undefined || choice === undefined) {
    return {
      fact: 'noPort',
      service,
      port: port ?? null,
      ports: meant.service.ports.map((each) => each.port),
    };
  }
  const { endpoints, unfit } = choice;
  return { fact: 'noEndpoint', service, port, endpoints, unfit: Object.fromEntries(unfit) };
}

export function describeDestination(plan: Plan, { address, port }: Target, hasWaypoint: boolean): Step {
  const { meant } = plan;
  const ok = (fact: ReachFact): Step => ({ step: 'destination', result: 'ok', fact });
  if (meant.what === 'service' && port !== undefined) {
    const { service } = meant;
    const hops = plan.way === 'direct' ? plan.hops : [];
    const targets = new Set(hops.flatMap((hop) => hop.port ?? []));
    return ok({
      fact: 'toService',
      service: nameOfService(service),
      port,
      targets: [...targets].sort((a, b) => a - b),
      endpoints: service.endpoints.length,
      fitting: hops.length,
      waypoint: hasWaypoint ? (service.waypoint?.destination ?? 'by weight') : null,
    });
  }
  const workload = meant.what === 'workload' ? nameOf(meant.workload) : address.text;
  return ok({ fact: 'toWorkload', workload, address: address.text, port: port ?? null });
}
