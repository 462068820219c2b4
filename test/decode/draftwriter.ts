// How a test writes what was decoded as the bytes that Kubernetes would write: fields by number, Go's values always.

import { createDraft, type Draft, isDraft, type Scalar, type Value } from '../../src/decode/complete/show.ts';
import type { Field, ScalarName } from '../../src/decode/schema/descriptor.ts';

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const TIMES = [`${META}.Time`, `${META}.MicroTime`];
const QUANTITY = 'k8s.io.apimachinery.pkg.api.resource.Quantity';
const ZERO = { string: '', bytes: '', bool: false, int32: 0, int64: 0 } satisfies Record<ScalarName, Scalar>;

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(left)]);
}

function writeValue({ id }: Field, value: Value): Uint8Array {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return Buffer.concat([varint(BigInt(id << 3)), varint(BigInt(value))]);
  }
  const bytes = isDraft(value) ? writeDraft(value) : Buffer.from(value as string);
  return Buffer.concat([varint(BigInt((id << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

/** What Go holds by value is on the wire even when it is empty; what it holds by pointer is not. */
function writeAbsent(field: Field, owner: Draft): Uint8Array {
  const { presence, repeat, message, scalar } = field;
  if (repeat !== 'one' || TIMES.includes(owner.message.name)) return new Uint8Array();
  if (message === undefined) {
    const byValue = presence === 'nonzero' || presence === 'always';
    return byValue ? writeValue(field, ZERO[scalar!]) : new Uint8Array();
  }
  const isTime = TIMES.includes(message.name);
  const byValue =
    presence === 'always' ||
    presence === 'inline' ||
    (isTime && (presence === 'null' || presence === 'nonzero'));
  return byValue ? writeValue(field, emptyOf(message)) : new Uint8Array();
}

function emptyOf(message: Draft['message']): Draft {
  const draft = createDraft(message);
  if (message.name === QUANTITY) draft.slots[0] = '0';
  return draft;
}

function compareEntries(a: Value, b: Value): number {
  const [left, right] = [a, b].map((entry) => Buffer.from((entry as Draft).slots[0] as string));
  return Buffer.compare(left!, right!);
}

function writeField(field: Field, draft: Draft): Uint8Array {
  const slot = draft.slots[field.index];
  if (slot === undefined) return writeAbsent(field, draft);
  if (field.repeat === 'one') return writeValue(field, slot as Value);
  const values = slot as readonly Value[];
  // Kubernetes writes maps in the order of their keys.
  const ordered = field.repeat === 'map' ? [...values].sort(compareEntries) : values;
  return Buffer.concat(ordered.map((value) => writeValue(field, value)));
}

/** The message's bytes. */
export function writeDraft(draft: Draft): Uint8Array {
  const fields = [...draft.message.fields].sort((a, b) => a.id - b.id);
  return Buffer.concat(fields.map((field) => writeField(field, draft)));
}
