// What is known of a Kubernetes message: how its bytes and its JSON become the same value.

import type { Reader } from 'protobufjs/minimal.js';
import type { Json, JsonObject } from '../../base/json.ts';

export type ScalarName = 'string' | 'bytes' | 'bool' | 'int32' | 'int64';

/** Messages that JSON shows as something else than an object of their fields. */
export type WellKnownName = 'time' | 'microTime' | 'fieldsV1' | 'intOrString' | 'quantity';

export interface Field {
  /** The same in protobuf and in JSON. */
  readonly name: string;
  /** Its number on the wire. */
  readonly id: number;
  readonly type: ScalarName | WellKnownName | Message;
  readonly repeat: 'one' | 'list' | 'map';
  /**
   * When JSON shows it: `nonzero` not when empty (messages always, if set), `pointer` whenever set, `always` even
   * if not set, `null` as null when zero.
   */
  readonly presence: 'nonzero' | 'pointer' | 'always' | 'null';
}

/** An object while it is read. */
export type Draft = Record<string, Json | undefined>;

/** One message of proto/, as scripts/messages.ts writes it down. */
export interface Message {
  /** Full name: `k8s.io.api.apps.v1.StatefulSet`. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** An empty plain object with room for the fields. */
  readonly create: () => Draft;
  /**
   * Reads up to the offset `end` into `onto`, in the shape of the API server's JSON. Of a field that comes twice the
   * last counts. Throws Error or RangeError where the bytes break off or make no sense, UserError on an impossible value.
   */
  readonly read: (reader: Reader, end: number, onto: Draft) => JsonObject;
}
