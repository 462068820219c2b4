// What the words for the two ends of a connection mean in a mesh: workloads, services, addresses and kubelets.

import { UsageError } from '../../base/errors.ts';
import { compareBy, compareText } from '../../base/order.ts';
import { formatIdentity } from '../certificates/identity.ts';
import type { Service, Workload } from '../dump.ts';
import type { Pod } from '../kubernetes.ts';
import { type Address, parseAddress } from '../policies/addresses.ts';
import { parseTarget, type Target } from '../targets/target.ts';
import { UNKNOWN_WORKLOAD } from './plain.ts';
import type { ReachWorld } from './world.ts';

/** One end as it was written. */
export type End =
  | { readonly kind: 'address'; readonly address: Address }
  /** `name` is a service's, with its namespace behind a dot or without, or its hostname. */
  | { readonly kind: 'service'; readonly name: string }
  /** Without a type it may be a hostname as well. */
  | { readonly kind: 'target'; readonly target: Target; readonly text: string };

export interface WrittenDestination {
  readonly end: End;
  readonly port: number | undefined;
}

const SERVICE = /^(?:services?|svc)(?:\.v1)?\//i;

/** An address, `service/NAME[.NAMESPACE]`, a hostname, or a TARGET. Throws UsageError. */
export function parseEnd(text: string): End {
  const address = parseAddress(text.replace(/^\[(.*)\]$/, '$1'));
  if (address !== undefined) return { kind: 'address', address };
  if (!SERVICE.test(text)) return { kind: 'target', target: parseTarget(text), text };
  const name = text.replace(SERVICE, '');
  if (name !== '' && !name.includes('/')) return { kind: 'service', name };
  throw new UsageError(`"${text}" names no service`, 'Write it like service/cart or service/cart.shop.');
}

/** The same with `:PORT` behind it; an IPv6 address with a port stands in brackets. Throws UsageError. */
export function parseDestination(text: string): WrittenDestination {
  if (parseAddress(text) !== undefined) return { end: parseEnd(text), port: undefined };
  const [, before, port] = /^(.*):([^:/\]]*)$/s.exec(text) ?? [];
  if (before === undefined || port === undefined) return { end: parseEnd(text), port: undefined };
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number >= 1 && number <= 65_535) return { end: parseEnd(before), port: number };
  throw new UsageError(`"${port}" is no port`, 'Write a number from 1 to 65535 behind the colon.');
}

/** By namespace and name, each once, as the first ztunnel that knows it has it. */
export function findServices({ views }: ReachWorld, fits: (service: Service) => boolean): readonly Service[] {
  const found = new Map<string, Service>();
  for (const { dump } of views) {
    for (const service of dump.services) {
      const key = `${service.namespace}/${service.hostname || service.name}`;
      if (!found.has(key) && fits(service)) found.set(key, service);
    }
  }
  return [...found.values()].sort(byName);
}

const byName = compareBy<{ readonly namespace: string; readonly name: string }>(
  (a, b) => compareText(a.namespace, b.namespace),
  (a, b) => compareText(a.name, b.name),
);

/** Whether a word is the service's hostname, whole or without the cluster's domain. */
export function isHostname(text: string, { hostname, name, namespace }: Service): boolean {
  return text === hostname || (text === `${name}.${namespace}.svc` && hostname.startsWith(`${text}.`));
}

/** All of the mesh that can connect, by namespace and name: pods and machines, as their own ztunnel has them, else the first. */
export function listClients({ views }: ReachWorld): readonly Workload[] {
  const found = new Map<string, Workload>();
  for (const { ref, dump } of views) {
    for (const workload of dump.workloads) {
      if (!isClient(workload)) continue;
      const key = workload.uid || `${workload.namespace}/${workload.name}`;
      if (!found.has(key) || workload.node === ref.node) found.set(key, workload);
    }
  }
  return [...found.values()].sort(byName);
}

function isClient({ uid, addresses }: Workload): boolean {
  return addresses.length > 0 && (uid === '' || /\/(?:Pod|WorkloadEntry)\//.test(uid));
}

export function listByIdentity(world: ReachWorld, identity: string): readonly Workload[] {
  return listClients(world).filter((workload) => formatIdentity(workload) === identity);
}

/** Stands for a pod that the API has and no ztunnel knows: as captured as istio-cni says that it is. */
export function workloadOfPod({ metadata, spec, status }: Pod, network: string): Workload {
  const { namespace = '', name, annotations = {} } = metadata;
  const isRedirected = annotations['ambient.istio.io/redirection'] === 'enabled';
  return {
    ...UNKNOWN_WORKLOAD,
    uid: `//Pod/${namespace}/${name}`,
    namespace,
    name,
    serviceAccount: spec?.serviceAccountName ?? 'default',
    addresses: (status?.podIPs ?? []).flatMap(({ ip }) => ip ?? []),
    protocol: isRedirected ? 'HBONE' : 'TCP',
    networkMode: spec?.hostNetwork === true ? 'HostNetwork' : 'Standard',
    node: spec?.nodeName ?? '',
    network,
  };
}
