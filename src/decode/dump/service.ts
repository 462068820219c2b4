// What a service of a dump says, in the spellings of every ztunnel since 1.18.

import type { Json, JsonObject } from '../../base/json.ts';
import type {
  LoadBalancer,
  Service,
  ServiceEndpoint,
  ServicePort,
  WeightedWaypoint,
} from '../../model/dump.ts';
import {
  byCodeUnit,
  describe,
  fieldOf,
  flagOf,
  isObject,
  listOf,
  objectOf,
  ShapeError,
  textOf,
  textsOf,
  within,
} from './fields.ts';
import { decodeGateway } from './workload.ts';

/** Until 1.23 the keys are `uid:network/ip`, and a uid may repeat. */
function endpointsOf(object: JsonObject, sharePorts: SharePorts): readonly ServiceEndpoint[] {
  const endpoints = fieldOf(object, 'endpoints');
  if (endpoints === undefined) return [];
  return Object.entries(objectOf(endpoints, 'endpoints'))
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, endpoint]) =>
      isObject(endpoint)
        ? {
            workloadUid: textOf(endpoint, 'workloadUid') || key,
            status: textOf(endpoint, 'status'),
            ports: sharePorts(portsOf(endpoint, 'port')),
          }
        : { workloadUid: key, status: '', ports: [] },
    );
}

/** A map port → port. What is no number is left to `raw`. */
function portsOf(object: JsonObject, name: string): readonly ServicePort[] {
  const ports = fieldOf(object, name);
  if (!isObject(ports)) return [];
  return Object.entries(ports)
    .flatMap(([port, targetPort]) =>
      /^\d{1,5}$/.test(port) && typeof targetPort === 'number' ? [{ port: Number(port), targetPort }] : [],
    )
    .sort((a, b) => a.port - b.port);
}

/** Gives for a list of ports the equal one that is held already: a service's endpoints nearly all have the same. */
type SharePorts = (ports: readonly ServicePort[]) => readonly ServicePort[];

function createSharePorts(): SharePorts {
  const held = new Map<string, readonly ServicePort[]>();
  return (ports) => {
    const key = ports.map(({ port, targetPort }) => `${port}:${targetPort}`).join();
    const known = held.get(key);
    if (known === undefined) held.set(key, ports);
    return known ?? ports;
  };
}

function loadBalancerOf(object: JsonObject): LoadBalancer | undefined {
  const value = fieldOf(object, 'loadBalancer');
  if (value === undefined) return undefined;
  return within('loadBalancer', () => {
    const balancer = objectOf(value);
    return {
      mode: textOf(balancer, 'mode'),
      healthPolicy: textOf(balancer, 'healthPolicy'),
      preferences: textsOf(balancer, 'routingPreferences'),
    };
  });
}

/** A `network` and a `cidr` each. */
function cidrVipsOf(object: JsonObject): readonly string[] {
  return (listOf(object, 'cidrVips') ?? []).map((value, index) =>
    within(`cidrVips[${index}]`, () => {
      const vip = objectOf(value);
      return `${textOf(vip, 'network')}/${textOf(vip, 'cidr')}`;
    }),
  );
}

function weightedWaypointsOf(object: JsonObject): readonly WeightedWaypoint[] {
  return (listOf(object, 'weightedWaypoints') ?? []).map((value, index) =>
    within(`weightedWaypoints[${index}]`, () => {
      const weighted = objectOf(value);
      const { weight } = weighted;
      return {
        waypoint: within('destination', () => decodeGateway(fieldOf(weighted, 'destination') ?? null)),
        weight: typeof weight === 'number' ? weight : 0,
      };
    }),
  );
}

/** Makes the decoder of services for one dump. */
export function createServiceDecoder(keepRaw: boolean): (value: Json) => Service {
  const sharePorts = createSharePorts();
  return (value) => decodeService(value, keepRaw, sharePorts);
}

/** A service, in camelCase in every release since 1.19. */
function decodeService(value: Json, keepRaw: boolean, sharePorts: SharePorts): Service {
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
    cidrVips: cidrVipsOf(object),
    subjectAltNames: textsOf(object, 'subjectAltNames'),
    ports: sharePorts(portsOf(object, 'ports')),
    endpoints: endpointsOf(object, sharePorts),
    waypoint: waypoint === undefined ? undefined : within('waypoint', () => decodeGateway(waypoint)),
    weightedWaypoints: weightedWaypointsOf(object),
    loadBalancer: loadBalancerOf(object),
    ipFamilies: textOf(object, 'ipFamilies'),
    canonical: flagOf(object, 'canonical'),
    visibility: textOf(object, 'visibility'),
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
    cidrVips: [],
    subjectAltNames: [],
    ports: [],
    endpoints: [],
    waypoint: undefined,
    weightedWaypoints: [],
    loadBalancer: undefined,
    ipFamilies: '',
    canonical: false,
    visibility: '',
    raw: undefined,
  };
}
