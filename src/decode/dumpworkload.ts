// What a workload of a dump says, in the spellings of every ztunnel since 1.18.

import type { GatewayAddress, Json, JsonObject, Workload } from '../model/types.ts';
import {
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

/** A waypoint or network gateway. */
export function decodeGateway(value: Json): GatewayAddress {
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
