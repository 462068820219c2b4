// How the bytes of a message become its fields' values, and what is done with those it has no field for.

import { isUtf8 } from 'node:buffer';
import type { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import { type Budget, spend } from '../kube/kubetext.ts';
import { enter, leave, readInt64, readTag, skip } from '../kube/wire.ts';
import type { Descriptor, Field, ScalarName } from '../schema/descriptor.ts';
import { createDraft, type Draft, isDraft, type Scalar, type Value } from './show.ts';

/** A field on the wire that the message has not. */
export interface UnknownField {
  /** Of the message that holds it: `spec.template.spec.containers[0]`, '' for the object itself. */
  readonly path: string;
  readonly number: number;
  readonly wireType: number;
  /** Size of its value, without the length in front of it. */
  readonly bytes: number;
}

/** What holds for one object. */
export interface Context {
  /** Where in the object reading stands; after a throw, where it broke. */
  readonly path: string[];
  readonly budget: Budget;
  readonly onUnknown: (field: UnknownField) => void;
}

/** A member's name begins with a dot, but the first. */
export function pathOf({ path }: Pick<Context, 'path'>): string {
  return path.join('').replace(/^\./, '');
}

const VARINT = 0;
const BYTES = 2;
const CORRUPT_HINT = 'The object is probably corrupt: fetch or save it again.';

function readString(reader: Reader, context: Context): string {
  const end = enter(reader);
  const bytes = reader.buf.subarray(reader.pos, end);
  reader.pos = end;
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  throw new UserError(`the text at ${pathOf(context)} is no UTF-8`, CORRUPT_HINT);
}

function readBytes(reader: Reader): Uint8Array {
  const end = enter(reader);
  const bytes = reader.buf.subarray(reader.pos, end);
  reader.pos = end;
  return bytes;
}

function exact(number: number | string): number | bigint {
  return typeof number === 'string' ? BigInt(number) : number;
}

const SCALARS = {
  string: { wireType: BYTES, read: readString },
  bytes: { wireType: BYTES, read: readBytes },
  bool: { wireType: VARINT, read: (reader) => reader.bool() },
  int32: { wireType: VARINT, read: (reader) => reader.int32() },
  int64: { wireType: VARINT, read: (reader) => exact(readInt64(reader)) },
} satisfies Record<
  ScalarName,
  { readonly wireType: number; readonly read: (reader: Reader, context: Context) => Scalar }
>;

function wireTypeOf({ scalar }: Field): number {
  return scalar === undefined ? BYTES : SCALARS[scalar].wireType;
}

function readValue(reader: Reader, field: Field, context: Context, onto: Draft | undefined): Value {
  // The path is text that is made only when it is needed.
  if (context.budget.left <= 0) spend(context.budget, pathOf(context));
  context.budget.left -= 1;
  if (field.message !== undefined) return readMessage(reader, enter(reader), field.message, context, onto);
  return SCALARS[field.scalar!].read(reader, context);
}

/** An object that comes twice is one: what comes later is added, as Kubernetes' own reader does. */
function readOne(reader: Reader, field: Field, context: Context, draft: Draft): void {
  const held = draft.slots[field.index];
  draft.slots[field.index] = readValue(reader, field, context, isDraft(held) ? held : undefined);
}

function listOf(field: Field, draft: Draft): Value[] {
  const held = draft.slots[field.index];
  if (Array.isArray(held)) return held;
  const list: Value[] = [];
  draft.slots[field.index] = list;
  return list;
}

function readElement(reader: Reader, field: Field, context: Context, draft: Draft): void {
  const list = listOf(field, draft);
  if (field.repeat === 'list') context.path.push(`[${list.length}]`);
  list.push(readValue(reader, field, context, undefined));
  if (field.repeat === 'list') context.path.pop();
}

/** Numbers of a list may come one behind the other in one field. */
function readPacked(reader: Reader, field: Field, context: Context, draft: Draft): void {
  const end = enter(reader);
  while (reader.pos < end) readElement(reader, field, context, draft);
  leave(reader, end);
}

function readField(reader: Reader, field: Field, wireType: number, context: Context, draft: Draft): void {
  context.path.push(field.presence === 'inline' ? '' : `.${field.name}`);
  const expected = wireTypeOf(field);
  if (wireType === expected) {
    (field.repeat === 'one' ? readOne : readElement)(reader, field, context, draft);
  } else if (field.repeat === 'list' && expected === VARINT && wireType === BYTES) {
    readPacked(reader, field, context, draft);
  } else {
    throw new Error(`wire type ${wireType} where ${expected} belongs`);
  }
  context.path.pop();
}

function passOver(reader: Reader, tag: number, context: Context): void {
  const start = reader.pos;
  skip(reader, tag);
  const wireType = tag & 7;
  const bytes =
    wireType === BYTES ? reader.pos - start - lengthOfLength(reader.buf, start) : reader.pos - start;
  context.onUnknown({ path: pathOf(context), number: tag >>> 3, wireType, bytes });
}

function lengthOfLength(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at]! >= 0x80) at += 1;
  return at + 1 - start;
}

/**
 * Reads up to the offset `end`; `onto` adds to what is there. Depth is bounded by the schema, the number of values by
 * the budget. Throws Error or RangeError where the bytes break off or make no sense, UserError on an impossible value.
 */
export function readMessage(
  reader: Reader,
  end: number,
  message: Descriptor,
  context: Context,
  onto: Draft = createDraft(message),
): Draft {
  while (reader.pos < end) {
    const tag = readTag(reader);
    const field = message.byId.get(tag >>> 3);
    if (field === undefined) passOver(reader, tag, context);
    else readField(reader, field, tag & 7, context, onto);
  }
  leave(reader, end);
  return onto;
}
