// How a test names Istio's objects that say whom clients accept.

import { object } from './manifest.ts';
import { splitName } from './names.ts';
import type { Data } from './resources.ts';
import type { Part } from './workloads.ts';

const API_VERSION = 'networking.istio.io/v1';

/** Names are `namespace/name`. */
export function serviceEntry(full: string, spec: Data): Part {
  const key = { apiVersion: API_VERSION, kind: 'ServiceEntry', ...splitName(full) };
  return (at) => ({ serviceentries: [{ ...object(key, at, {}), spec }] });
}

export function destinationRule(full: string, host: string, spec: Data): Part {
  const key = { apiVersion: API_VERSION, kind: 'DestinationRule', ...splitName(full) };
  return (at) => ({ destinationrules: [{ ...object(key, at, {}), spec: { host, ...spec } }] });
}

/** A DestinationRule that says the same to all clients of its host. */
export function tlsRule(
  full: string,
  host: string,
  mode: string,
  ...subjectAltNames: readonly string[]
): Part {
  return destinationRule(full, host, { trafficPolicy: { tls: { mode, subjectAltNames } } });
}
