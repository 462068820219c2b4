// What a workload, a service and a captured pod of a dump say, in the spellings of every ztunnel since 1.18.

import type { CapturedPod, GatewayAddress, Json, JsonObject, Service, Workload } from '../model/types.ts';
import {
  byCodeUnit,
  describe,
  fieldOf,
  flagOf,
  isObject,
  keysOf,
  objectOf,
  ShapeError,
  textOf,
  textsOf,
  within,
} from './fields.ts';

function decodeGateway(value: Json): GatewayAddress {
  const object = objectOf(value);
  // `port` in 1.19–1.21
  const port = fieldOf(object, 'hboneMtlsPort', 'port');
  return { destination: textOf(object, 'destination'), port: typeof port === 'number' ? port : undefined };
}

function waypointOf(object: JsonObject): GatewayAddress | undefined {
  const value = fieldOf(object, 'waypoint');
  if (value !== undefined) return within('waypoint', () => decodeGateway(value));
  // 1.18 sends the waypoint's addresses, without network and port
  const address = textsOf(object, 'waypointAddresses')[0];
  return address === undefined ? undefined : { destination: `/${address}`, port: undefined };
}

function addressesOf(object: JsonObject): readonly string[] {
  const addresses = textsOf(object, 'workloadIps');
  if (addresses.length > 0) return addresses;
  const address = textOf(object, 'workloadIp'); // 1.18
  return address === '' ? [] : [address];
}

/** A workload, in camelCase in every release. 1.18 has neither uid nor network. */
export function decodeWorkload(value: Json, keepRaw: boolean): Workload {
  const object = objectOf(value);
  const uid = textOf(object, 'uid');
  const name = textOf(object, 'name');
  if (uid === '' && name === '') throw new ShapeError('', 'has neither a uid nor a name');
  const services = fieldOf(object, 'services');
  return {
    uid,
    name,
    namespace: textOf(object, 'namespace'),
    // ztunnel fills these two in itself when istiod leaves them empty
    serviceAccount: textOf(object, 'serviceAccount') || 'default',
    trustDomain: textOf(object, 'trustDomain') || 'cluster.local',
    addresses: addressesOf(object),
    hostname: textOf(object, 'hostname'),
    protocol: textOf(object, 'protocol'),
    networkMode: textOf(object, 'networkMode'),
    nativeTunnel: flagOf(object, 'nativeTunnel', 'nativeHbone'), // nativeHbone: 1.18
    node: textOf(object, 'node'),
    network: textOf(object, 'network'),
    clusterId: textOf(object, 'clusterId'),
    status: textOf(object, 'status'),
    waypoint: waypointOf(object),
    services: isObject(services) ? keysOf(object, 'services') : textsOf(object, 'services'),
    raw: keepRaw ? object : undefined,
  };
}

/** The uids of the workloads behind a service. Until 1.23 the keys are `uid:network/ip`, and a uid may repeat. */
function endpointsOf(object: JsonObject): readonly string[] {
  const endpoints = fieldOf(object, 'endpoints');
  if (endpoints === undefined) return [];
  const uids = Object.entries(objectOf(endpoints, 'endpoints')).map(([key, endpoint]) =>
    isObject(endpoint) ? textOf(endpoint, 'workloadUid') || key : key,
  );
  return [...new Set(uids)].sort(byCodeUnit);
}

/** A service, in camelCase in every release since 1.19. */
export function decodeService(value: Json, keepRaw: boolean): Service {
  const object = objectOf(value);
  const name = textOf(object, 'name');
  const hostname = textOf(object, 'hostname');
  if (name === '' && hostname === '') throw new ShapeError('', 'has neither a name nor a hostname');
  const waypoint = fieldOf(object, 'waypoint');
  return {
    name,
    namespace: textOf(object, 'namespace'),
    hostname,
    vips: textsOf(object, 'vips'),
    subjectAltNames: textsOf(object, 'subjectAltNames'),
    endpoints: endpointsOf(object),
    waypoint: waypoint === undefined ? undefined : within('waypoint', () => decodeGateway(waypoint)),
    raw: keepRaw ? object : undefined,
  };
}

/** A pod that this ztunnel captures; `key` is the Kubernetes pod UID. `info` is optional until 1.23. */
export function decodeCapturedPod(value: Json, keepRaw: boolean, key: string): CapturedPod {
  const object = objectOf(value);
  const info = fieldOf(object, 'info');
  const about = info === undefined ? {} : objectOf(info, 'info');
  return {
    uid: key,
    state: textOf(object, 'state'),
    ...within('info', () => ({
      name: textOf(about, 'name') || undefined,
      namespace: textOf(about, 'namespace') || undefined,
      serviceAccount: textOf(about, 'serviceAccount') || undefined,
    })),
    raw: keepRaw ? object : undefined,
  };
}

/**
 * A service of 1.18, of which only an address and port are sent: `key` is `10.96.0.10:80` or `[fd00::10]:80`, the
 * value the addresses and ports behind it. It has no name, and no uids to tell its endpoints by.
 */
export function decodeVip(value: Json, key: string): Service {
  if (!Array.isArray(value)) throw new ShapeError('', `is ${describe(value)}, where a list was expected`);
  const address = key.slice(0, Math.max(0, key.lastIndexOf(':'))).replace(/^\[|\]$/g, '');
  return {
    name: '',
    namespace: '',
    hostname: '',
    vips: [`/${address}`],
    subjectAltNames: [],
    endpoints: [],
    waypoint: undefined,
    raw: undefined,
  };
}
