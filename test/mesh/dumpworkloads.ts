// How a config dump lists the pods, workload entries and services of a made-up mesh.

import type { JsonObject } from '../../src/base/json.ts';
import { isCaptured, isKnown, isWaypoint, serviceAccountOf } from './captured.ts';
import { splitName } from './names.ts';
import type { Data, Manifest } from './resources.ts';

export interface ServiceSpec {
  /** `namespace/name`; its endpoints are the pods there whose label `app` is the name. */
  readonly name: string;
  readonly vip: string;
  /** `namespace/name` of the waypoint's service. */
  readonly waypoint?: string;
  readonly subjectAltNames?: readonly string[];
  /** That of a Kubernetes service by default. */
  readonly host?: string;
}

export interface WorkloadEntrySpec {
  /** `namespace/name`. */
  readonly name: string;
  readonly address: string;
  readonly serviceAccount: string;
  readonly network?: string;
}

/** What every ztunnel of a mesh knows, and the certificates of one by identity. */
export interface DumpSpec {
  readonly at: string;
  readonly trustDomain: string;
  readonly version: string;
  readonly pods: readonly Manifest[];
  readonly services: readonly ServiceSpec[];
  readonly entries: readonly WorkloadEntrySpec[];
}

export function podWorkload(pod: Manifest, spec: DumpSpec): Record<string, JsonObject[string]> {
  const { name, namespace = '' } = pod.metadata;
  const app = pod.metadata.labels?.app ?? name;
  const backed = spec.services.filter((service) => service.name === `${namespace}/${app}`);
  const ready = (pod.status?.conditions as readonly Data[] | undefined)?.[0]?.status === 'True';
  return {
    canonicalName: app,
    canonicalRevision: 'latest',
    capacity: 1,
    clusterId: 'Kubernetes',
    name,
    namespace,
    ...(isWaypoint(pod) ? { nativeTunnel: true } : {}),
    networkMode: pod.spec?.hostNetwork === true ? 'HostNetwork' : 'Standard',
    node: String(pod.spec?.nodeName),
    protocol: isCaptured(pod) || isWaypoint(pod) ? 'HBONE' : 'TCP',
    serviceAccount: serviceAccountOf(pod),
    services: Object.fromEntries(backed.map((service) => [hostOf(service.name), { '80': 8080 }])),
    status: ready && pod.metadata.deletionTimestamp === undefined ? 'Healthy' : 'Unhealthy',
    trustDomain: spec.trustDomain,
    uid: uidOfWorkload(pod),
    ...waypointOf(backed[0]?.waypoint),
    workloadIps: [String(pod.status?.podIP)],
    workloadName: app,
    workloadType: 'pod',
  };
}

export function entryWorkload(entry: WorkloadEntrySpec, spec: DumpSpec): Record<string, JsonObject[string]> {
  return {
    capacity: 1,
    clusterId: 'Kubernetes',
    ...splitName(entry.name),
    network: entry.network ?? '',
    networkMode: 'Standard',
    protocol: 'TCP',
    serviceAccount: entry.serviceAccount,
    services: {},
    status: 'Healthy',
    trustDomain: spec.trustDomain,
    uid: `Kubernetes/networking.istio.io/WorkloadEntry/${entry.name}`,
    workloadIps: [entry.address],
  };
}

export function serviceJson(service: ServiceSpec, spec: DumpSpec): JsonObject {
  const { namespace, name } = splitName(service.name);
  const behind = spec.pods.filter(
    (pod) => isKnown(pod) && pod.metadata.namespace === namespace && pod.metadata.labels?.app === name,
  );
  const endpoint = (uid: string) => ({ port: { '80': 8080 }, status: 'Healthy', workloadUid: uid });
  return {
    canonical: true,
    endpoints: Object.fromEntries(behind.map((pod) => [uidOfWorkload(pod), endpoint(uidOfWorkload(pod))])),
    hostname: service.host ?? `${name}.${namespace}.svc.cluster.local`,
    name,
    namespace,
    ports: { '80': 8080 },
    subjectAltNames: [...(service.subjectAltNames ?? [])],
    vips: [`/${service.vip}`],
    visibility: 'Public',
    ...waypointOf(service.waypoint),
  };
}

function waypointOf(waypoint: string | undefined): JsonObject {
  if (waypoint === undefined) return {};
  return { waypoint: { destination: hostOf(waypoint), hboneMtlsPort: 15008 } };
}

/** `namespace/hostname`, the key of a service in a dump. */
function hostOf(service: string): string {
  const { namespace, name } = splitName(service);
  return `${namespace}/${name}.${namespace}.svc.cluster.local`;
}

function uidOfWorkload(pod: Manifest): string {
  return `Kubernetes//Pod/${pod.metadata.namespace}/${pod.metadata.name}`;
}
