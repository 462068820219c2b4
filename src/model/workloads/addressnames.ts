// Which service or workload an address in a connection belongs to.

import ipaddr from 'ipaddr.js';
import type { ConfigDump } from '../dump.ts';

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
