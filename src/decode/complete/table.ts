// Every field of every Kubernetes message that is read to its last field, by number.

import { ROWS } from '../generated/tables.ts';

export type ScalarName = 'string' | 'bytes' | 'bool' | 'int32' | 'int64';

/**
 * When JSON shows a field: `nonzero` not when empty, `pointer` whenever it is on the wire, `always` even if it is not,
 * `null` as null then. The fields of an `inline` message stand in its place.
 */
export type Presence = 'nonzero' | 'pointer' | 'always' | 'null' | 'inline';
export type Repeat = 'one' | 'list' | 'map';

/** As scripts/tables.ts writes them: number, name in JSON, type (a scalar's or a message's name), and so on. */
export type FieldRow = readonly [id: number, name: string, type: string, repeat: Repeat, presence: Presence];

export interface CompleteField {
  readonly id: number;
  readonly name: string;
  /** undefined for a message. */
  readonly scalar: ScalarName | undefined;
  /** The type of a map's values is its entries' second field. undefined for a scalar. */
  readonly message: CompleteMessage | undefined;
  readonly repeat: Repeat;
  readonly presence: Presence;
  /** Its place in the message, which is also its place in JSON. */
  readonly index: number;
}

export interface CompleteMessage {
  /** Full name: `k8s.io.api.apps.v1.StatefulSet`. */
  readonly name: string;
  readonly fields: readonly CompleteField[];
  readonly byId: ReadonlyMap<number, CompleteField>;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'bytes', 'bool', 'int32', 'int64']);
const isScalar = (type: string): type is ScalarName => SCALARS.has(type);
const made = new Map<string, CompleteMessage>();

function makeField([id, name, type, repeat, presence]: FieldRow, index: number): CompleteField {
  const scalar = isScalar(type) ? type : undefined;
  if (repeat !== 'map') {
    const message = scalar === undefined ? messageOf(type) : undefined;
    return { id, name, scalar, message, repeat, presence, index };
  }
  const entry = makeMessage('entry', [
    [1, 'key', 'string', 'one', 'always'],
    [2, 'value', type, 'one', 'always'],
  ]);
  return { id, name, scalar: undefined, message: entry, repeat, presence, index };
}

/** A message of these fields. */
export function makeMessage(name: string, rows: readonly FieldRow[]): CompleteMessage {
  const fields = rows.map(makeField);
  return { name, fields, byId: new Map(fields.map((field) => [field.id, field])) };
}

/** The message of that full name, which the table must have. */
export function messageOf(name: string): CompleteMessage {
  const known = made.get(name);
  if (known !== undefined) return known;
  const rows = ROWS[name];
  if (rows === undefined) throw new Error(`there is no message ${name}`);
  const message = makeMessage(name, rows);
  made.set(name, message);
  return message;
}
