// Istio's policy objects, as tests write them.

import type { Json, JsonObject } from '../../../src/base/json.ts';
import {
  type AuthorizationPolicy,
  type PeerAuthentication,
  readPolicyObject,
} from '../../../src/model/policies/istioobjects.ts';

export const OPTIONS = { rootNamespace: 'istio-system', passesDryRun: false };

/** An object of the kind, of namespace shop and name p unless it says otherwise. */
export function object(kind: string, spec: Json, metadata: JsonObject = {}): Json {
  return {
    apiVersion: 'security.istio.io/v1',
    kind,
    metadata: { name: 'p', namespace: 'shop', ...metadata },
    spec,
  };
}

export function readAuthorization(value: Json): AuthorizationPolicy {
  const read = readPolicyObject(value, 'default');
  if (read?.object?.kind !== 'AuthorizationPolicy') throw new Error(JSON.stringify(read));
  return read.object;
}

export function readPeer(value: Json): PeerAuthentication {
  const read = readPolicyObject(value, 'default');
  if (read?.object?.kind !== 'PeerAuthentication') throw new Error(JSON.stringify(read));
  return read.object;
}
