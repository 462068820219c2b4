// What SRC and DST mean: the workloads, services and addresses that are asked for, and the nodes that they are on.

import { AbsentTargetError, UsageError, UserError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Lookup } from '../../mesh/scope/lookup.ts';
import type { Service, Workload } from '../../model/dump.ts';
import {
  type End,
  findServices,
  isHostname,
  listByIdentity,
  type WrittenDestination,
  workloadOfPod,
} from '../../model/reach/ends.ts';
import type { ReachSource } from '../../model/reach/start.ts';
import type { Destination } from '../../model/reach/targets.ts';
import type { ReachWorld } from '../../model/reach/world.ts';
import type { FoundTarget } from '../../model/targets/findtarget.ts';
import { keyOfZtunnel } from '../../model/ztunnels/ztunnels.ts';

/** As far as they are known before a dump is read. Throws as Lookup.find does. */
export function nodesOfSource(source: End, lookup: Lookup): ReadonlySet<string> {
  if (source.kind !== 'target') return new Set();
  const found = lookup.find(source.target);
  if (found.what === 'node') return new Set([found.node]);
  if (found.what === 'ztunnels') {
    const those = lookup.ztunnels.filter((each) => found.keys.has(keyOfZtunnel(each)));
    return new Set(those.flatMap(({ node }) => node ?? []));
  }
  return new Set('pods' in found ? found.pods.flatMap(({ node }) => node ?? []) : []);
}

/** Whose ztunnels decide: those of the sources, and of all that the destinations lead to. */
export function nodesOfEnds(
  world: ReachWorld,
  sources: readonly ReachSource[],
  destinations: readonly Destination[],
): ReadonlySet<string> {
  const ofService = ({ endpoints }: Service) =>
    endpoints.flatMap(({ workloadUid }) => world.findByUid(workloadUid)?.node ?? []);
  const ofDestination = (destination: Destination): readonly string[] => {
    if (destination.kind === 'workload') return [destination.workload.node];
    if (destination.kind === 'service') return ofService(destination.service);
    const found = world.findAddress(networkOf(world), destination.address.text);
    return found === undefined ? [] : 'endpoints' in found ? ofService(found) : [found.node];
  };
  const ofSources = sources.flatMap((source) => (source.kind === 'workload' ? [source.workload.node] : []));
  return new Set([...ofSources, ...destinations.flatMap(ofDestination)]);
}

function networkOf({ views }: ReachWorld): string {
  return views[0]?.network ?? '';
}

/** At least one. Throws UserError. */
export function findSources(source: End, world: ReachWorld, lookup: Lookup): readonly ReachSource[] {
  if (source.kind === 'service') {
    throw new UsageError(
      `service ${source.name} is no source: services don't connect, pods do`,
      'Name a pod, or what owns pods, as in deployment/web.',
    );
  }
  if (source.kind === 'address') {
    const { text } = source.address;
    const found = world.findAddress(networkOf(world), text);
    if (found === undefined) return [{ kind: 'outsider', address: source.address }];
    if (!('endpoints' in found)) return [{ kind: 'workload', workload: found }];
    throw new UsageError(`${text} is a service's address, which is no source`, 'Name a pod, or its address.');
  }
  const found = lookup.find(source.target);
  if (found.what === 'node') return [{ kind: 'kubelet', node: found.node }];
  const workloads = workloadsOf(found, world, lookup);
  if (workloads.length === 0) throw unknownPods(source.text);
  return workloads.map((workload) => ({ kind: 'workload', workload }));
}

/** At least one. Throws UserError. */
export function findDestinations(
  { end, port }: WrittenDestination,
  world: ReachWorld,
  lookup: Lookup,
): readonly Destination[] {
  if (end.kind === 'address') return [{ kind: 'address', address: end.address, port }];
  const toServices = (services: readonly Service[]) =>
    services.map((service): Destination => ({ kind: 'service', service, port }));
  if (end.kind === 'service') return toServices(findNamed(end.name, world, lookup));
  const { text, target } = end;
  const hosts = text.includes('/') ? [] : findServices(world, (service) => isHostname(text, service));
  if (hosts.length > 0) return toServices(hosts);
  const found = findOrSuggest(text, target, world, lookup);
  if (found.what === 'node' || found.what === 'ztunnels') {
    const what = found.what === 'node' ? 'a node' : 'a ztunnel';
    throw new UsageError(
      `${text} is ${what}, which is no destination`,
      'Name a pod, a service or an address.',
    );
  }
  const workloads = workloadsOf(found, world, lookup);
  if (workloads.length === 0) throw unknownPods(text);
  return workloads.map((workload) => ({ kind: 'workload', workload, port }));
}

/** As it is found; of what is absent, a service of that name is what was likely meant. */
function findOrSuggest(
  text: string,
  target: Extract<End, { kind: 'target' }>['target'],
  world: ReachWorld,
  lookup: Lookup,
): FoundTarget {
  try {
    return lookup.find(target);
  } catch (error) {
    if (!(error instanceof AbsentTargetError) || text.includes('/')) throw error;
    const [service] = readNames(text).flatMap(({ name, namespace }) =>
      findServices(world, (each) => each.name === name && (!namespace || each.namespace === namespace)),
    );
    if (service === undefined) throw error;
    const meant = `service/${service.name}.${service.namespace}`;
    throw new AbsentTargetError(error.message, `Did you mean ${meant}?`, { cause: error });
  }
}

function unknownPods(text: string): UserError {
  return new UserError(
    `no ztunnel that answered knows a pod of ${text}`,
    'The command workloads shows what ztunnels know.',
  );
}

function workloadsOf(found: FoundTarget, world: ReachWorld, lookup: Lookup): readonly Workload[] {
  if (found.what === 'identity') return listByIdentity(world, found.identity);
  const names =
    found.what === 'ztunnels'
      ? [...found.keys].map((key) => key.split('/') as [string, string])
      : found.what === 'pods'
        ? found.pods.map(({ namespace, name }): [string, string] => [namespace, name])
        : [];
  return names.flatMap(([namespace, name]) => {
    const known = world.findWorkload(namespace, name);
    const pod = lookup.pods.get(`${namespace}/${name}`);
    return known ?? (pod === undefined ? [] : workloadOfPod(pod, networkOf(world)));
  });
}

interface Name {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Whole, then with its last part as the namespace. */
function readNames(text: string): readonly Name[] {
  const dot = text.lastIndexOf('.');
  const whole = { name: text, namespace: undefined };
  return dot < 1 ? [whole] : [whole, { name: text.slice(0, dot), namespace: text.slice(dot + 1) }];
}

/** Those of one namespace that go by the name: a ServiceEntry has one for each of its hosts. */
function findNamed(text: string, world: ReachWorld, { places }: Lookup): readonly Service[] {
  for (const { name, namespace } of readNames(text)) {
    const called = findServices(
      world,
      (service) => service.name === name || service.hostname === name || isHostname(name, service),
    );
    const inPlaces = namespace === undefined ? [places.given ?? places.context, places.given] : [namespace];
    for (const place of inPlaces) {
      const there = called.filter((service) => place === undefined || service.namespace === place);
      const namespaces = [...new Set(there.map((service) => service.namespace))].sort();
      if (namespaces.length > 1) {
        throw new UserError(
          `service/${name} is in ${namespaces.length} namespaces: ${namespaces.slice(0, 10).join(', ')}`,
          `Write service/${name}.${namespaces[0]}, or name one with -n.`,
        );
      }
      if (there.length > 0) return there;
    }
  }
  const all = findServices(world, () => true);
  const names = all.map(({ name, namespace }) => `${name}.${namespace}`);
  const alike = nearest(
    text.split('.', 1)[0]!,
    all.map(({ name }) => name),
  );
  const guess =
    names.find((each) => each.startsWith(`${text.split('.', 1)[0]}.`)) ??
    nearest(text, names) ??
    names.find((each) => alike !== undefined && each.startsWith(`${alike}.`));
  throw new AbsentTargetError(
    `no ztunnel that answered knows service ${text}`,
    guess === undefined
      ? 'The command services shows those that there are.'
      : `Did you mean service/${guess}?`,
  );
}
