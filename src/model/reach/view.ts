// What one ztunnel knows of workloads, services, policies, certificates and pods, indexed as it looks them up itself.

import ipaddr from 'ipaddr.js';
import type {
  CapturedPod,
  CertificateEntry,
  ConfigDump,
  GatewayAddress,
  Section,
  Service,
  Workload,
} from '../dump.ts';
import {
  type Address,
  type AddressRange,
  holdsAddress,
  parseAddress,
  parseRange,
} from '../policies/addresses.ts';
import { createPolicyIndex, type PolicyIndex } from '../policies/evaluate.ts';
import type { Answer, ZtunnelRef } from '../types.ts';
import { refOf } from '../ztunnels/ztunnels.ts';

/** One ztunnel's knowledge. Nothing is indexed before it is asked for: a dump has up to 100,000 workloads. */
export interface ReachView {
  readonly dump: ConfigDump;
  readonly ref: ZtunnelRef;
  /** Its own; '' for the default one. */
  readonly network: string;
  /** False for one that has neither workloads nor certificates: it never had its configuration. */
  readonly isConfigured: boolean;
  /** Whether the dump has the section, and all of it could be read. */
  readonly knows: (section: Section) => boolean;
  readonly workloadByUid: (uid: string) => Workload | undefined;
  readonly workloadByName: (namespace: string, name: string) => Workload | undefined;
  /** Of several with one address, pods go first, then those that speak HBONE. None is on its node's network. */
  readonly workloadAt: (network: string, address: string) => Workload | undefined;
  /** By hostname, services first. */
  readonly byHost: (namespace: string, hostname: string) => Service | Workload | undefined;
  /** All that have the address, whoever may use them. */
  readonly servicesAt: (network: string, address: string) => readonly Service[];
  /** The one that a client of the namespace gets. */
  readonly serviceAt: (network: string, address: string, namespace: string) => Service | undefined;
  readonly serviceByName: (namespace: string, name: string) => Service | undefined;
  /** The workload's ports that services lead to; undefined for one that is behind none. */
  readonly portsOf: (uid: string) => readonly number[] | undefined;
  readonly policies: PolicyIndex;
  readonly entryOf: (identity: string) => CertificateEntry | undefined;
  readonly podOf: (namespace: string, name: string) => CapturedPod | undefined;
}

export function createView(answer: Answer): ReachView {
  const { dump } = answer;
  const { workloads, services } = dump;
  const byUid = lazily(() => indexFirst(workloads, ({ uid }) => [uid]));
  const byName = lazily(() => indexFirst(workloads, ({ namespace, name }) => [`${namespace}/${name}`]));
  const byAddress = lazily(() => indexAddresses(workloads));
  const byHostname = lazily(() =>
    indexFirst(
      workloads.filter(({ hostname }) => hostname !== ''),
      ({ namespace, hostname }) => [`${namespace}/${hostname}`],
    ),
  );
  const serviceByHost = lazily(() =>
    indexFirst(services, ({ namespace, hostname }) => [`${namespace}/${hostname}`]),
  );
  const serviceNames = lazily(() => indexFirst(services, ({ namespace, name }) => [`${namespace}/${name}`]));
  const byVip = lazily(() => indexVips(services));
  const ranges = lazily(() => listRanges(services));
  const ports = lazily(() => indexPorts(services));
  const entries = lazily(() => indexFirst(dump.certificates, ({ identity }) => [identity]));
  const pods = lazily(() =>
    indexFirst(dump.capturedPods, ({ namespace, name }) =>
      name === undefined ? [] : [`${namespace}/${name}`],
    ),
  );
  const policies = lazily(() => createPolicyIndex(dump.policies));
  const servicesAt = (network: string, address: string) => byVip().get(addressKey(network, address)) ?? [];
  return {
    dump,
    ref: refOf(answer),
    network: dump.config.network ?? '',
    isConfigured: workloads.length > 0 || dump.certificates.length > 0,
    knows: (section) =>
      dump.sections.has(section) && dump.problems.every((problem) => problem.section !== section),
    workloadByUid: (uid) => byUid().get(uid),
    workloadByName: (namespace, name) => byName().get(`${namespace}/${name}`),
    workloadAt: (network, address) => byAddress().get(addressKey(network, address)),
    byHost: (namespace, hostname) =>
      serviceByHost().get(`${namespace}/${hostname}`) ?? byHostname().get(`${namespace}/${hostname}`),
    servicesAt,
    serviceAt: (network, address, namespace) =>
      chooseService(servicesAt(network, address), namespace) ??
      chooseRange(ranges(), network, address, namespace),
    serviceByName: (namespace, name) =>
      serviceNames().get(`${namespace}/${name}`) ?? serviceByHost().get(`${namespace}/${name}`),
    portsOf: (uid) => ports().get(uid),
    get policies() {
      return policies();
    },
    entryOf: (identity) => entries().get(identity),
    podOf: (namespace, name) => pods().get(`${namespace}/${name}`),
  };
}

/** Makes it when it is first asked for. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function indexFirst<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): ReadonlyMap<string, T> {
  const index = new Map<string, T>();
  for (const item of items) for (const key of keysOf(item)) if (!index.has(key)) index.set(key, item);
  return index;
}

/** IPv6 in its one short form, as ztunnel writes it. */
function addressKey(network: string, address: string): string {
  const isLong = address.includes(':') && ipaddr.IPv6.isValid(address);
  return `${network}/${isLong ? ipaddr.IPv6.parse(address).toString() : address}`;
}

function indexAddresses(workloads: readonly Workload[]): ReadonlyMap<string, Workload> {
  const index = new Map<string, Workload>();
  for (const workload of workloads) {
    if (workload.networkMode === 'HostNetwork') continue;
    for (const address of workload.addresses) {
      const key = addressKey(workload.network, address);
      const known = index.get(key);
      if (known === undefined || rankOf(workload) >= rankOf(known)) index.set(key, workload);
    }
  }
  return index;
}

function rankOf({ uid, protocol }: Workload): number {
  return (uid.includes('//Pod/') ? 2 : 0) + (protocol === 'HBONE' ? 1 : 0);
}

function indexVips(services: readonly Service[]): ReadonlyMap<string, readonly Service[]> {
  const index = new Map<string, Service[]>();
  for (const service of services) {
    for (const vip of service.vips) {
      const { network, address } = splitNetwork(vip);
      const key = addressKey(network, address);
      const known = index.get(key);
      if (known === undefined) index.set(key, [service]);
      else known.push(service);
    }
  }
  return index;
}

function indexPorts(services: readonly Service[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const service of services) {
    for (const { workloadUid, ports } of service.endpoints) {
      const own = new Map([...service.ports, ...ports].map(({ port, targetPort }) => [port, targetPort]));
      const targets = [...own.values()].filter((port) => port > 0);
      const known = index.get(workloadUid);
      if (known === undefined) index.set(workloadUid, targets);
      else known.push(...targets);
    }
  }
  return index;
}

/** `network/ip`, `network/ip/length` or `namespace/hostname`, at its first slash. */
export function splitNetwork(text: string): { readonly network: string; readonly address: string } {
  const slash = text.indexOf('/');
  return { network: text.slice(0, Math.max(0, slash)), address: text.slice(slash + 1) };
}

function isVisible({ visibility, namespace }: Service, client: string): boolean {
  return visibility !== 'Namespace' || namespace === client;
}

/** That of the client's namespace, else the last canonical one, else the first. */
export function chooseService(services: readonly Service[], client: string): Service | undefined {
  const visible = services.filter((service) => isVisible(service, client));
  return (
    visible.find(({ namespace }) => namespace === client) ??
    visible.findLast(({ canonical }) => canonical) ??
    visible[0]
  );
}

interface ServiceRange {
  readonly service: Service;
  readonly network: string;
  readonly range: AddressRange;
}

function listRanges(services: readonly Service[]): readonly ServiceRange[] {
  return services.flatMap((service) =>
    service.cidrVips.flatMap((vip) => {
      const { network, address } = splitNetwork(vip);
      const range = parseRange(address);
      return range === undefined ? [] : [{ service, network, range }];
    }),
  );
}

/** That of the client's namespace, then the narrower one, then the canonical one. */
function chooseRange(
  ranges: readonly ServiceRange[],
  network: string,
  address: string,
  client: string,
): Service | undefined {
  if (ranges.length === 0) return undefined;
  const parsed = parseAddress(address);
  const fitting = ranges.filter(
    (each) =>
      each.network === network &&
      parsed !== undefined &&
      holdsAddress(each.range, parsed) &&
      isVisible(each.service, client),
  );
  const rank = ({ service, range }: ServiceRange) =>
    (service.namespace === client ? 1_000 : 0) + range.length * 2 + (service.canonical ? 1 : 0);
  return fitting.toSorted((a, b) => rank(b) - rank(a))[0]?.service;
}

/** What a waypoint or network gateway is given by: an address of a network, or a hostname of a namespace. */
export function readGateway({
  destination,
}: GatewayAddress):
  | { readonly network: string; readonly address: Address }
  | { readonly namespace: string; readonly hostname: string } {
  const { network, address } = splitNetwork(destination);
  const parsed = parseAddress(address);
  return parsed === undefined ? { namespace: network, hostname: address } : { network, address: parsed };
}
