// How a message's values become the JSON that the API server would send of them.

import type { Json, JsonObject } from '../../base/json.ts';
import type { Descriptor, Field, ScalarName } from '../schema/descriptor.ts';
import { FORMS } from './forms.ts';
import { exactNumber } from './json.ts';

const ZERO = { string: '', bytes: '', bool: false, int32: 0, int64: 0 } satisfies Record<ScalarName, Json>;

function showScalar(value: Scalar): Json {
  if (typeof value === 'bigint') return exactNumber(String(value));
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

function showValue(value: Value, path: string): Json {
  return isDraft(value) ? showDraft(value, path) : showScalar(value);
}

function showDraft(draft: Draft, path: string): Json {
  const form = FORMS.get(draft.message.name);
  return form === undefined ? showObject(draft, path) : form.show(draft.slots, path);
}

/** What JSON shows of a field that is not set; undefined for nothing. */
function showAbsent(field: Field, path: string): Json | undefined {
  if (field.presence === 'null') return null;
  if (field.presence !== 'always') return undefined;
  return field.message === undefined ? ZERO[field.scalar!] : showDraft(createDraft(field.message), path);
}

function showOne(field: Field, value: Value, path: string): Json | undefined {
  const json = showValue(value, path);
  if (field.presence !== 'nonzero') return json;
  // A time that is zero has no JSON of its own.
  return json === null || (field.scalar !== undefined && json === ZERO[field.scalar]) ? undefined : json;
}

function showList(field: Field, values: readonly Value[], path: string): Json | undefined {
  if (values.length === 0 && field.presence === 'nonzero') return undefined;
  return values.map((value, index) => showValue(value, `${path}[${index}]`));
}

/** Keys in order, as Go writes maps; of a key that comes twice the last counts. Keys are data, `__proto__` too. */
function showMap(field: Field, entries: readonly Value[], path: string): Json | undefined {
  if (entries.length === 0 && field.presence === 'nonzero') return undefined;
  const shown = (entries as readonly Draft[]).map((entry): readonly [string, Json] => {
    const [key = '', value] = entry.slots;
    const at = `${path}[${JSON.stringify(key)}]`;
    const { 1: held } = entry.message.fields;
    return [
      key as string,
      (value === undefined ? showAbsent(held!, at) : showValue(value as Value, at)) as Json,
    ];
  });
  return Object.fromEntries(shown.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}

const SHOW_MANY = { list: showList, map: showMap } as const;

function showField(field: Field, slot: Slot, path: string): Json | undefined {
  if (slot === undefined) return showAbsent(field, path);
  if (field.repeat === 'one') return showOne(field, slot as Value, path);
  return SHOW_MANY[field.repeat](field, slot as readonly Value[], path);
}

/** An object of the message's fields, in the order in which the API server writes them. */
export function showObject(draft: Draft, path: string): JsonObject {
  const members = Object.entries(embeddedType(draft.message.name)) as (readonly [string, Json])[];
  for (const field of draft.message.fields) {
    const slot = draft.slots[field.index];
    if (field.presence === 'inline') {
      const inner = (slot as Draft | undefined) ?? createDraft(field.message!);
      members.push(...(Object.entries(showObject(inner, path)) as [string, Json][]));
      continue;
    }
    const json = showField(field, slot, path === '' ? field.name : `${path}.${field.name}`);
    if (json !== undefined) members.push([field.name, json]);
  }
  return Object.fromEntries(members.concat(Object.entries(draft.extra ?? {}) as [string, Json][]));
}

export type Scalar = string | number | bigint | boolean | Uint8Array;
/** One value of a field. int64 beyond 2^53 is a bigint. */
export type Value = Scalar | Draft;
/** undefined: not set. Maps are lists of entries. */
export type Slot = Value | Value[] | undefined;

export interface Draft {
  readonly message: Descriptor;
  /** By the fields' index. */
  readonly slots: Slot[];
  /** Members of JSON that the message has no field for; kept as they came, behind the others. */
  extra: Readonly<Record<string, unknown>> | undefined;
}

export function createDraft(message: Descriptor): Draft {
  return { message, slots: new Array<Slot>(message.fields.length), extra: undefined };
}

export function isDraft(slot: Slot): slot is Draft {
  return typeof slot === 'object' && 'slots' in slot;
}

const TYPES: ReadonlyMap<string, JsonObject> = new Map([
  // Of a StatefulSet's volumeClaimTemplates; so since before Kubernetes 1.17.
  ['k8s.io.api.core.v1.PersistentVolumeClaim', { kind: 'PersistentVolumeClaim', apiVersion: 'v1' }],
]);

/** What JSON shows of the message before its fields; empty for most. */
export function embeddedType(message: string): JsonObject {
  return TYPES.get(message) ?? {};
}
