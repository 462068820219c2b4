// What a workload of a dump says, in the spellings of every ztunnel since 1.18.

import type { Json, JsonObject } from '../../base/json.ts';
import type { ApplicationTunnel, GatewayAddress, Locality, Workload } from '../../model/dump.ts';
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

function gatewayOf(object: JsonObject): GatewayAddress | undefined {
  const value = fieldOf(object, 'networkGateway');
  return value === undefined ? undefined : within('networkGateway', () => decodeGateway(value));
}

function tunnelOf(object: JsonObject): ApplicationTunnel | undefined {
  const value = fieldOf(object, 'applicationTunnel');
  if (value === undefined) return undefined;
  return within('applicationTunnel', () => {
    const tunnel = objectOf(value);
    const port = fieldOf(tunnel, 'port');
    return { protocol: textOf(tunnel, 'protocol'), port: typeof port === 'number' ? port : undefined };
  });
}

function localityOf(object: JsonObject): Locality | undefined {
  const value = fieldOf(object, 'locality');
  if (value === undefined) return undefined;
  return within('locality', () => {
    const locality = objectOf(value);
    const [region, zone, subzone] = ['region', 'zone', 'subzone'].map((part) => textOf(locality, part));
    return { region: region!, zone: zone!, subzone: subzone! };
  });
}

function addressesOf(object: JsonObject): readonly string[] {
  const addresses = textsOf(object, 'workloadIps');
  if (addresses.length > 0) return addresses;
  const address = textOf(object, 'workloadIp'); // 1.18
  return address === '' ? [] : [address];
}

/** Makes the decoder of workloads for one dump. */
export function createWorkloadDecoder(keepRaw: boolean): (value: Json) => Workload {
  const shares = createShares();
  return (value) => decodeWorkload(value, keepRaw, shares);
}

/** Gives for a text the one like it that is held already. */
type Share = (text: string) => string;

/**
 * One for each field that repeats itself. Each distinct text is held once, since 100,000 workloads with texts of their
 * own take twice the memory.
 */
function createShares() {
  const texts = new Map<string, string>();
  const hold: Share = (text) => shareOf(texts, text, text);
  // Workloads come sorted, so that most of their fields are as in the one before.
  const share = (): Share => {
    let last = '';
    return (text) => {
      if (text !== last) last = hold(text);
      return last;
    };
  };
  // Most workloads of one owner are in the same place and under the same policies.
  const lists = new Map<string, readonly string[]>();
  const localities = new Map<string, Locality>();
  return {
    policies: (names: readonly string[]) => shareOf(lists, names.join(), names),
    locality: (locality: Locality | undefined) =>
      locality && shareOf(localities, `${locality.region}/${locality.zone}/${locality.subzone}`, locality),
    namespace: share(),
    serviceAccount: share(),
    trustDomain: share(),
    protocol: share(),
    networkMode: share(),
    node: share(),
    network: share(),
    clusterId: share(),
    status: share(),
    service: share(),
  };
}

/** The value that is held under the key, which becomes this one if there is none. */
function shareOf<V>(held: Map<string, V>, key: string, value: V): V {
  const known = held.get(key);
  if (known === undefined) held.set(key, value);
  return known ?? value;
}

/** A workload, in camelCase in every release. 1.18 has neither uid nor network. */
function decodeWorkload(value: Json, keepRaw: boolean, shared: ReturnType<typeof createShares>): Workload {
  const object = objectOf(value);
  const uid = textOf(object, 'uid');
  const name = textOf(object, 'name');
  if (uid === '' && name === '') throw new ShapeError('', 'has neither a uid nor a name');
  const services = fieldOf(object, 'services');
  const capacity = fieldOf(object, 'capacity');
  return {
    uid,
    name,
    namespace: shared.namespace(textOf(object, 'namespace')),
    // ztunnel fills these two in itself when istiod leaves them empty
    serviceAccount: shared.serviceAccount(textOf(object, 'serviceAccount') || 'default'),
    trustDomain: shared.trustDomain(textOf(object, 'trustDomain') || 'cluster.local'),
    addresses: addressesOf(object),
    hostname: textOf(object, 'hostname'),
    protocol: shared.protocol(textOf(object, 'protocol')),
    networkMode: shared.networkMode(textOf(object, 'networkMode')),
    nativeTunnel: flagOf(object, 'nativeTunnel', 'nativeHbone'), // nativeHbone: 1.18
    node: shared.node(textOf(object, 'node')),
    network: shared.network(textOf(object, 'network')),
    clusterId: shared.clusterId(textOf(object, 'clusterId')),
    status: shared.status(textOf(object, 'status')),
    waypoint: waypointOf(object),
    networkGateway: gatewayOf(object),
    applicationTunnel: tunnelOf(object),
    locality: shared.locality(localityOf(object)),
    capacity: typeof capacity === 'number' ? capacity : 1,
    authorizationPolicies: shared.policies(textsOf(object, 'authorizationPolicies')),
    services: (isObject(services) ? keysOf(object, 'services') : textsOf(object, 'services')).map((service) =>
      shared.service(service),
    ),
    raw: keepRaw ? object : undefined,
  };
}
