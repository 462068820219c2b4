// What stands between the bytes or JSON of a message and the JSON that the API server makes of it: its fields' values.

import type { CompleteMessage } from './table.ts';

export type Scalar = string | number | bigint | boolean | Uint8Array;
/** One value of a field. int64 beyond 2^53 is a bigint. */
export type Value = Scalar | Draft;
/** undefined: not set. Maps are lists of entries. */
export type Slot = Value | Value[] | undefined;

export interface Draft {
  readonly message: CompleteMessage;
  /** By the fields' index. */
  readonly slots: Slot[];
  /** Members of JSON that the message has no field for; kept as they came, behind the others. */
  extra: Readonly<Record<string, unknown>> | undefined;
}

export function createDraft(message: CompleteMessage): Draft {
  return { message, slots: new Array<Slot>(message.fields.length), extra: undefined };
}

export function isDraft(slot: Slot): slot is Draft {
  return typeof slot === 'object' && 'slots' in slot;
}
