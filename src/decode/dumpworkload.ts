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

/**
 * Makes the decoder of workloads for one dump. Most of their texts repeat (node, namespace, service account): each
 * distinct one is held once, since 100,000 workloads with texts of their own take twice the memory.
 */
export function createWorkloadDecoder(keepRaw: boolean): (value: Json) => Workload {
  const texts = new Map<string, string>();
  const hold = (text: string): string => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  };
  // Workloads come sorted, so that most of these are as in the one before.
  const last = new Map<SharedField, string>();
  const share: Share = (field, text) => {
    const before = last.get(field);
    if (before === text) return before;
    const held = hold(text);
    last.set(field, held);
    return held;
  };
  return (value) => decodeWorkload(value, keepRaw, share);
}

type SharedField =
  | 'namespace'
  | 'serviceAccount'
  | 'trustDomain'
  | 'protocol'
  | 'networkMode'
  | 'node'
  | 'network'
  | 'clusterId'
  | 'status'
  | 'services';

/** The same text, held once. */
type Share = (field: SharedField, text: string) => string;

/** A workload, in camelCase in every release. 1.18 has neither uid nor network. */
function decodeWorkload(value: Json, keepRaw: boolean, share: Share): Workload {
  const object = objectOf(value);
  const uid = textOf(object, 'uid');
  const name = textOf(object, 'name');
  if (uid === '' && name === '') throw new ShapeError('', 'has neither a uid nor a name');
  const services = fieldOf(object, 'services');
  return {
    uid,
    name,
    namespace: share('namespace', textOf(object, 'namespace')),
    // ztunnel fills these two in itself when istiod leaves them empty
    serviceAccount: share('serviceAccount', textOf(object, 'serviceAccount') || 'default'),
    trustDomain: share('trustDomain', textOf(object, 'trustDomain') || 'cluster.local'),
    addresses: addressesOf(object),
    hostname: textOf(object, 'hostname'),
    protocol: share('protocol', textOf(object, 'protocol')),
    networkMode: share('networkMode', textOf(object, 'networkMode')),
    nativeTunnel: flagOf(object, 'nativeTunnel', 'nativeHbone'), // nativeHbone: 1.18
    node: share('node', textOf(object, 'node')),
    network: share('network', textOf(object, 'network')),
    clusterId: share('clusterId', textOf(object, 'clusterId')),
    status: share('status', textOf(object, 'status')),
    waypoint: waypointOf(object),
    services: (isObject(services) ? keysOf(object, 'services') : textsOf(object, 'services')).map((service) =>
      share('services', service),
    ),
    raw: keepRaw ? object : undefined,
  };
}
