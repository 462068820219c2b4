// The fields of every message of proto/ that is read: what both readers, the writer and the reading of JSON go by.

import { ROWS } from '../generated/descriptors.ts';
import { WELL_KNOWN, type WellKnownName } from './wellknown.ts';

export type ScalarName = 'string' | 'bytes' | 'bool' | 'int32' | 'int64';

/**
 * When JSON shows a field: `nonzero` not when empty (messages always, if set), `pointer` whenever it is on the wire,
 * `always` even if it is not, `null` as null then. The fields of an `inline` message stand in its place.
 */
export type Presence = 'nonzero' | 'pointer' | 'always' | 'null' | 'inline';
export type Repeat = 'one' | 'list' | 'map';

/** As scripts/descriptors.ts writes them: number, name in JSON, type (a scalar's or a message's name), and so on. */
export type FieldRow = readonly [id: number, name: string, type: string, repeat: Repeat, presence: Presence];

export interface Field {
  /** Its number on the wire. */
  readonly id: number;
  /** The same in protobuf and in JSON. */
  readonly name: string;
  /** undefined for a message. */
  readonly scalar: ScalarName | undefined;
  /** undefined for a scalar. Of a map, that of its entries: their fields are the key and the value. */
  readonly message: Descriptor | undefined;
  readonly repeat: Repeat;
  readonly presence: Presence;
  /** Its place in the message, which is also its place in JSON. */
  readonly index: number;
}

/** One message of proto/. */
export interface Descriptor {
  /** Full name: `k8s.io.api.apps.v1.StatefulSet`. */
  readonly name: string;
  /** What JSON shows it as; undefined for an object of its fields. */
  readonly form: WellKnownName | undefined;
  readonly fields: readonly Field[];
  readonly byId: ReadonlyMap<number, Field>;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'bytes', 'bool', 'int32', 'int64']);
const isScalar = (type: string): type is ScalarName => SCALARS.has(type);
const made = new Map<string, Descriptor>();

function makeField([id, name, type, repeat, presence]: FieldRow, index: number): Field {
  const scalar = isScalar(type) ? type : undefined;
  if (repeat !== 'map') {
    const message = scalar === undefined ? descriptorOf(type) : undefined;
    return { id, name, scalar, message, repeat, presence, index };
  }
  const entry = makeDescriptor('entry', [
    [1, 'key', 'string', 'one', 'always'],
    [2, 'value', type, 'one', 'always'],
  ]);
  return { id, name, scalar: undefined, message: entry, repeat, presence, index };
}

/** A message of these fields. */
export function makeDescriptor(name: string, rows: readonly FieldRow[]): Descriptor {
  const fields = rows.map(makeField);
  return { name, form: WELL_KNOWN[name], fields, byId: new Map(fields.map((field) => [field.id, field])) };
}

/** The message of that full name, which proto/ must have. */
export function descriptorOf(name: string): Descriptor {
  const known = made.get(name);
  if (known !== undefined) return known;
  const rows = ROWS[name];
  if (rows === undefined) throw new Error(`there is no message ${name}`);
  const message = makeDescriptor(name, rows);
  made.set(name, message);
  return message;
}
