// What is left of a config dump's sections when it is redacted: what is judged and joined, under other names.

import type { Json, JsonObject } from '../../base/json.ts';
import type {
  CapturedPod,
  Connection,
  GatewayAddress,
  Locality,
  Policy,
  Service,
  ServicePort,
  Workload,
  ZtunnelConfig,
} from '../dump.ts';
import type { Names } from './names.ts';

/** In the shape in which ztunnel sends a workload. */
export function redactWorkload(workload: Workload, names: Names): JsonObject {
  const { waypoint, networkGateway, applicationTunnel, locality } = workload;
  return {
    uid: names.path(workload.uid),
    name: names.name(workload.name),
    namespace: names.name(workload.namespace),
    serviceAccount: names.name(workload.serviceAccount),
    trustDomain: names.name(workload.trustDomain),
    workloadIps: workload.addresses.map(names.address),
    hostname: names.name(workload.hostname),
    protocol: word(workload.protocol),
    networkMode: word(workload.networkMode),
    nativeTunnel: workload.nativeTunnel,
    node: names.name(workload.node),
    network: names.name(workload.network),
    clusterId: names.name(workload.clusterId),
    status: word(workload.status),
    ...(waypoint && { waypoint: redactGateway(waypoint, names) }),
    ...(networkGateway && { networkGateway: redactGateway(networkGateway, names) }),
    ...(applicationTunnel && {
      applicationTunnel: { protocol: word(applicationTunnel.protocol), port: applicationTunnel.port ?? null },
    }),
    ...(locality && { locality: redactLocality(locality, names) }),
    capacity: workload.capacity,
    authorizationPolicies: workload.authorizationPolicies.map(names.path),
    services: workload.services.map(names.path),
  };
}

function redactLocality({ region, zone, subzone }: Locality, names: Names): JsonObject {
  return { region: names.name(region), zone: names.name(zone), subzone: names.name(subzone) };
}

export function redactService(service: Service, names: Names): JsonObject {
  const { waypoint, loadBalancer } = service;
  return {
    name: names.name(service.name),
    namespace: names.name(service.namespace),
    // Services of 1.18 have no name, and today's all have one.
    hostname: names.name(service.hostname || (service.name === '' ? service.vips.join() : '')),
    vips: service.vips.map(names.path),
    cidrVips: service.cidrVips.map((vip) => redactRange(vip, names)),
    subjectAltNames: service.subjectAltNames.map(names.path),
    ports: redactPorts(service.ports),
    endpoints: Object.fromEntries(
      service.endpoints.map(({ workloadUid, status, ports }, index) => {
        const uid = names.path(workloadUid);
        // Before 1.24 a workload may stand there once for each address.
        return [`${uid} ${index}`, { workloadUid: uid, status: word(status), port: redactPorts(ports) }];
      }),
    ),
    ...(waypoint && { waypoint: redactGateway(waypoint, names) }),
    weightedWaypoints: service.weightedWaypoints.map((each) => ({
      destination: redactGateway(each.waypoint, names),
      weight: each.weight,
    })),
    ...(loadBalancer && {
      loadBalancer: {
        mode: word(loadBalancer.mode),
        healthPolicy: word(loadBalancer.healthPolicy),
        routingPreferences: loadBalancer.preferences.map(word),
      },
    }),
    ...(service.ipFamilies && { ipFamilies: word(service.ipFamilies) }),
    canonical: service.canonical,
    visibility: word(service.visibility),
  };
}

function redactPorts(ports: readonly ServicePort[]): JsonObject {
  return Object.fromEntries(ports.map(({ port, targetPort }) => [String(port), targetPort]));
}

/** A `network/ip/length`. */
function redactRange(vip: string, names: Names): JsonObject {
  const slash = vip.indexOf('/');
  return { network: names.name(vip.slice(0, slash)), cidr: names.path(vip.slice(slash + 1)) };
}

function redactGateway({ destination, port }: GatewayAddress, names: Names): JsonObject {
  return { destination: names.path(destination), ...(port !== undefined && { hboneMtlsPort: port }) };
}

export function redactPolicy(policy: Policy, names: Names): JsonObject {
  return {
    name: names.name(policy.name),
    namespace: names.name(policy.namespace),
    action: word(policy.action),
    scope: word(policy.scope),
    dryRun: policy.dryRun,
    rules: redactJson(policy.rules, names),
  };
}

/** Keys are ztunnel's own words as long as they are words; texts are names. */
function redactJson(value: Json, names: Names): Json {
  if (typeof value === 'string') return names.path(value);
  if (Array.isArray(value)) return value.map((element: Json) => redactJson(element, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      word(key) || names.name(key),
      redactJson(held ?? null, names),
    ]),
  );
}

/** `uid` stands beside it, as its key. */
export function redactCapturedPod(pod: CapturedPod, names: Names): JsonObject {
  const { name, namespace, serviceAccount } = pod;
  const connection = (each: Connection): JsonObject => ({
    src: names.endpoint(each.source),
    originalDst: names.endpoint(each.originalDestination),
    actualDst: names.endpoint(each.actualDestination),
    protocol: word(each.protocol),
  });
  const { inbound, outbound } = pod.connections;
  return {
    state: word(pod.state),
    connections: { inbound: inbound.map(connection), outbound: outbound.map(connection) },
    info: {
      ...(name !== undefined && { name: names.name(name) }),
      ...(namespace !== undefined && { namespace: names.name(namespace) }),
      ...(serviceAccount !== undefined && { serviceAccount: names.name(serviceAccount) }),
    },
  };
}

export function redactConfig(config: ZtunnelConfig, names: Names): JsonObject {
  const { localNode, clusterId, network, proxyMode, caAddress, secretTtlSeconds } = config;
  const { fakeCa, xdsOnDemand } = config;
  return {
    ...(localNode !== undefined && { localNode: names.name(localNode) }),
    ...(clusterId !== undefined && { clusterId: names.name(clusterId) }),
    ...(network !== undefined && { network: names.name(network) }),
    ...(proxyMode !== undefined && { proxyMode: word(proxyMode) }),
    ...(caAddress !== undefined && { caAddress: names.path(caAddress) }),
    ...(secretTtlSeconds !== undefined && { secretTtl: { secs: secretTtlSeconds } }),
    ...(fakeCa && { fakeCa }),
    ...(xdsOnDemand && { xdsOnDemand }),
  };
}

/** One of ztunnel's own words, such as `HBONE` or `WorkloadSelector`; '' for any other text. */
function word(text: string): string {
  return /^[A-Za-z]{1,24}$/.test(text) ? text : '';
}

/** What tells a release apart is kept; a build of somebody's own is only told from others. */
export function redactVersion(version: string, names: Names): string {
  const isPublic = /^v?\d+(?:\.\d+){0,3}(?:-(?:alpha|beta|rc|debug|distroless|dev)[.\w]{0,20})?$/.test(
    version,
  );
  return isPublic ? version : names.digest(version).slice(0, 12);
}

/** One that every build may have; others are what somebody calls a build of their own. */
export function redactProvider(provider: string): string {
  return /^tls-(?:aws-lc|ring|boring|openssl)$/.test(provider) ? provider : 'other';
}
