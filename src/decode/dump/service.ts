// What a service of a dump says, in the spellings of every ztunnel since 1.18.

import type { Json, JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { compareText } from '../../base/order.ts';
import type { Service, ServiceEndpoint, ServicePort } from '../../model/dump.ts';
import { describe, fieldOf, objectOf, ShapeError, textOf, textsOf, within } from './fields.ts';
import { decodeGateway } from './workload.ts';

/** Until 1.23 the keys are `uid:network/ip`, and a uid may repeat. */
function endpointsOf(object: JsonObject): readonly ServiceEndpoint[] {
  const endpoints = fieldOf(object, 'endpoints');
  if (endpoints === undefined) return [];
  return Object.entries(objectOf(endpoints, 'endpoints'))
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, endpoint]) =>
      isObject(endpoint)
        ? { workloadUid: textOf(endpoint, 'workloadUid') || key, status: textOf(endpoint, 'status') }
        : { workloadUid: key, status: '' },
    );
}

/** A map port → port. What is no number is left to `raw`. */
function portsOf(object: JsonObject): readonly ServicePort[] {
  const ports = fieldOf(object, 'ports');
  if (!isObject(ports)) return [];
  return Object.entries(ports)
    .flatMap(([port, targetPort]) =>
      /^\d{1,5}$/.test(port) && typeof targetPort === 'number' ? [{ port: Number(port), targetPort }] : [],
    )
    .sort((a, b) => a.port - b.port);
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
    ports: portsOf(object),
    endpoints: endpointsOf(object),
    waypoint: waypoint === undefined ? undefined : within('waypoint', () => decodeGateway(waypoint)),
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
    ports: [],
    endpoints: [],
    waypoint: undefined,
    raw: undefined,
  };
}
