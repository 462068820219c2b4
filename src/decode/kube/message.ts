// How a Kubernetes message is read fast: by code that scripts/messages.ts writes for it.

import type { Reader } from 'protobufjs/minimal.js';
import type { Json, JsonObject } from '../../base/json.ts';

/** An object while it is read. */
export type Draft = Record<string, Json | undefined>;

/** One message of proto/; its fields are those of descriptorOf(name). */
export interface Message {
  /** Full name: `k8s.io.api.apps.v1.StatefulSet`. */
  readonly name: string;
  /** An empty plain object with room for the fields. */
  readonly create: () => Draft;
  /**
   * Reads up to the offset `end` into `onto`, in the shape of the API server's JSON. Of a field that comes twice the
   * last counts. Throws Error or RangeError where the bytes break off or make no sense, UserError on an impossible value.
   */
  readonly read: (reader: Reader, end: number, onto: Draft) => JsonObject;
}
