// How the parts of protobuf that all messages share are read: lengths, text, numbers of 64 bits, map entries.

import type { Reader } from 'protobufjs/minimal.js';

/** What protobufjs reads from a Buffer with, too: text without looking up the encoding's name. */
type NativeBuffer = Uint8Array & { utf8Slice(start: number, end: number): string };

// Most tags and lengths are one byte; those are read here, the others and the end of the bytes are protobufjs's.

export function readTag(reader: Reader): number {
  const byte = reader.buf[reader.pos]!;
  if (byte >= 0x80) return reader.tag();
  reader.pos += 1;
  return byte;
}

/** Reads a length and gives the offset where what follows ends. */
export function enter(reader: Reader): number {
  const byte = reader.buf[reader.pos];
  let length: number;
  if (byte === undefined || byte >= 0x80) length = reader.size();
  else {
    length = byte;
    reader.pos += 1;
  }
  const end = length + reader.pos;
  if (end > reader.len) throw new RangeError('index out of range');
  return end;
}

/** Steps over the value of a field that is not read. */
export function skip(reader: Reader, tag: number): void {
  if ((tag & 7) === 2 && tag > 7) reader.pos = enter(reader);
  else reader.skipType(tag & 7, 0, tag >>> 3);
}

/** What was read must end where its length said. */
export function leave(reader: Reader, end: number): void {
  if (reader.pos !== end) throw new RangeError('index out of range');
}

// The same few texts fill most of a list: kinds, namespaces, label keys, node names. A text that was just read is
// found again by its bytes, which is faster than making a new string, and thousands of objects share one.
const SLOT_BITS = 12;
const recent: string[] = new Array<string>(2 ** SLOT_BITS).fill('');
/** Longer texts hardly repeat. */
const LONGEST_SHARED = 48;

function equals(text: string, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}

export function readText(reader: Reader): string {
  const end = enter(reader);
  const bytes = reader.buf as NativeBuffer;
  const start = reader.pos;
  const length = end - start;
  reader.pos = end;
  if (length === 0) return '';
  if (length > LONGEST_SHARED) return bytes.utf8Slice(start, end);
  // Names differ in their last bytes, keys in their first: some of each, and the length.
  const mixed = bytes[start]! | (bytes[end - 1]! << 8) | (bytes[(start + end) >> 1]! << 16) | (length << 24);
  const slot = Math.imul(mixed, 0x9e3779b1) >>> (32 - SLOT_BITS);
  const known = recent[slot]!;
  if (known.length === length && equals(known, bytes, start)) return known;
  const text = bytes.utf8Slice(start, end);
  recent[slot] = text; // Other than ASCII has fewer characters than bytes and is not found again.
  return text;
}

const SAFE = 2 ** 53;

/** A varint of 64 bits with sign, exact: a number up to 2^53, decimal digits as text beyond. */
export function readInt64(reader: Reader): number | string {
  const start = reader.pos;
  let value = 0;
  let unit = 1;
  for (let count = 0; count < 10; count += 1) {
    if (reader.pos >= reader.len) throw new RangeError('index out of range');
    const byte = reader.buf[reader.pos]!;
    reader.pos += 1;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) return value < SAFE ? value : exactInt64(reader.buf, start, reader.pos);
    unit *= 0x80;
  }
  throw new Error('invalid varint encoding');
}

function exactInt64(bytes: Uint8Array, start: number, end: number): number | string {
  let value = 0n;
  for (let at = end - 1; at >= start; at -= 1) value = (value << 7n) | BigInt(bytes[at]! & 0x7f);
  const signed = BigInt.asIntN(64, value);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed.toString();
}

/** One entry of a map: field 1 is the key, field 2 the value, either may be missing. Keys are data, `__proto__` too. */
export function readEntry(
  reader: Reader,
  map: Record<string, unknown>,
  readValue: (reader: Reader) => unknown,
): void {
  const end = enter(reader);
  let key = '';
  let value: unknown = '';
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 10) key = readText(reader);
    else if (tag === 18) value = readValue(reader);
    else skip(reader, tag);
  }
  leave(reader, end);
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else map[key] = value;
}
