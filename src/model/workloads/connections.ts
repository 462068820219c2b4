// How the open connections in dumps become rows, with the names and owners of addresses.

import ipaddr from 'ipaddr.js';
import { compareBy, compareText } from '../../base/order.ts';
import { type CapturedPod, type ConfigDump, type Connection, DIRECTIONS, type Direction } from '../dump.ts';
import type { ConnectionItem } from '../items.ts';
import type { Pod } from '../kubernetes.ts';
import type { PodSources } from '../owners/pods.ts';
import { refOf } from '../ztunnels/ztunnels.ts';
import { createWorkloadOwnerLookup } from './workloads.ts';

/** One row for each connection: by namespace and name of the pod, inbound first, then by its ends. */
export function joinConnections(input: PodSources): readonly ConnectionItem[] {
  const { pods } = input.inventory;
  const byUid = new Map(pods.known ? pods.items.map((pod) => [pod.metadata.uid, pod]) : []);
  const ownerOf = createWorkloadOwnerLookup(input);
  return input.answers
    .flatMap((answer) => {
      const namer = createNamer(answer.dump);
      return answer.dump.capturedPods.flatMap((captured) => {
        const pod = identifyPod(captured, byUid);
        const common = {
          ztunnel: refOf(answer),
          pod,
          owner:
            pod.name === null
              ? ({ known: false, why: 'unknown' } as const)
              : ownerOf({ cluster: '', kind: 'Pod', namespace: pod.namespace ?? '', name: pod.name }, true),
        };
        return connectionsOf(captured).map(([direction, connection]) => ({
          ...common,
          ...describeConnection(direction, connection, namer),
        }));
      });
    })
    .toSorted(compareConnections);
}

/** All connections of a pod, inbound first, in the order sent. */
export function connectionsOf({ connections }: CapturedPod): readonly (readonly [Direction, Connection])[] {
  return DIRECTIONS.flatMap((direction) =>
    connections[direction].map((connection) => [direction, connection] as const),
  );
}

/** Seen from the pod: what it sends from or receives at, who is at the other end, and where the client meant to go. */
export function endsOf(direction: Direction, { source, actualDestination }: Connection) {
  return direction === 'inbound'
    ? { local: actualDestination, remote: source }
    : { local: source, remote: actualDestination };
}

/** `workloadState` is keyed by the pod's UID; its own `info` is optional before 1.23. */
function identifyPod(
  { uid, namespace, name }: CapturedPod,
  byUid: ReadonlyMap<string | undefined, Pod>,
): ConnectionItem['pod'] {
  const metadata = byUid.get(uid)?.metadata;
  return {
    uid,
    namespace: namespace ?? metadata?.namespace ?? null,
    name: name ?? metadata?.name ?? null,
  };
}

type Described = Pick<ConnectionItem, 'direction' | 'local' | 'remote' | 'target' | 'protocol' | 'raw'>;

function describeConnection(direction: Direction, connection: Connection, namer: Namer): Described {
  const { local, remote } = endsOf(direction, connection);
  const end = (address: string) => ({ address, name: namer(address) });
  const { originalDestination, protocol, raw } = connection;
  return {
    direction,
    local: end(local),
    remote: end(remote),
    target: originalDestination === '' ? null : end(originalDestination),
    protocol,
    raw,
  };
}

const compareConnections = compareBy<ConnectionItem>(
  (a, b) => compareText(a.pod.namespace ?? '', b.pod.namespace ?? ''),
  (a, b) => compareText(a.pod.name ?? '', b.pod.name ?? ''),
  (a, b) => compareText(a.pod.uid, b.pod.uid),
  (a, b) => compareText(a.direction, b.direction),
  (a, b) => compareText(a.local.address, b.local.address),
  (a, b) => compareText(a.remote.address, b.remote.address),
  (a, b) => compareText(a.target?.address ?? '', b.target?.address ?? ''),
  (a, b) => compareText(a.ztunnel.name, b.ztunnel.name),
);

/** `ip:port` with the IP's name in its place, or the text as it is. */
export type Namer = (address: string) => string;

/**
 * Names by every address of every service (its hostname) and workload (`name.namespace`) of the dump. Workloads on
 * their node's network share its address and name nothing.
 */
export function createNamer(dump: ConfigDump): Namer {
  const names = new Map<string, string>();
  for (const { name, namespace, addresses, networkMode } of dump.workloads) {
    if (networkMode === 'HostNetwork') continue;
    for (const address of addresses) names.set(normalize(address), `${name}.${namespace}`);
  }
  for (const { hostname, vips } of dump.services) {
    if (hostname === '') continue;
    for (const vip of vips) names.set(normalize(withoutNetwork(vip)), hostname);
  }
  return (address) => replaceIp(address, (ip) => names.get(normalize(ip)));
}

/** As istioctl does it: by the first address of a service or workload only, and letter by letter. */
export function createShortNamer(dump: ConfigDump): Namer {
  const names = new Map<string, string>();
  for (const { name, namespace, addresses } of dump.workloads) {
    if (addresses[0] !== undefined) names.set(addresses[0], `${name}.${namespace}`);
  }
  for (const { hostname, vips } of dump.services) {
    if (vips[0] !== undefined) names.set(withoutNetwork(vips[0]), hostname);
  }
  return (address) => replaceIp(address, (ip) => names.get(ip));
}

/** A service's address without the `network/` in front of it. */
export function withoutNetwork(vip: string): string {
  return vip.slice(vip.indexOf('/') + 1);
}

const IP_AND_PORT = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/;

function replaceIp(address: string, nameOf: (ip: string) => string | undefined): string {
  const [, bracketed, bare, port] = IP_AND_PORT.exec(address) ?? [];
  const ip = bracketed ?? bare;
  const name = ip === undefined ? undefined : nameOf(ip);
  return name === undefined ? address : `${name}:${port}`;
}

/** IPv6 in its one short form; other text as it is. */
function normalize(ip: string): string {
  return ip.includes(':') && ipaddr.IPv6.isValid(ip) ? ipaddr.IPv6.parse(ip).toString() : ip;
}
