// Which objects inside of others the API server gives a type of their own, which is not on the wire.

import type { JsonObject } from '../../base/json.ts';

const TYPES: ReadonlyMap<string, JsonObject> = new Map([
  // Of a StatefulSet's volumeClaimTemplates; so since before Kubernetes 1.17.
  ['k8s.io.api.core.v1.PersistentVolumeClaim', { kind: 'PersistentVolumeClaim', apiVersion: 'v1' }],
]);

/** What JSON shows of the message before its fields; empty for most. */
export function embeddedType(message: string): JsonObject {
  return TYPES.get(message) ?? {};
}
