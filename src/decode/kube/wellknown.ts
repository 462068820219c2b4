// How the messages are read that JSON shows as a single value: times, field sets, amounts.

import type { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { formatMicroTime, formatTime, type Timestamp } from '../../base/rfc3339.ts';
import { checkDepth } from './kubetext.ts';
import { leave, readInt64, readTag, readText, skip } from './wire.ts';

const CORRUPT_HINT = 'The object is probably corrupt: fetch or save it again.';

/** Reads field 1, which has a length, and skips others; undefined when it is not there. */
function readFirst<T>(reader: Reader, end: number, read: (reader: Reader) => T): T | undefined {
  let value: T | undefined;
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 10) value = read(reader);
    else skip(reader, tag);
  }
  leave(reader, end);
  return value;
}

/** seconds 1, nanos 2; undefined for the zero time, which has neither. */
function readTimestamp(reader: Reader, end: number): Timestamp | undefined {
  if (reader.pos === end) return undefined;
  let seconds: number | string = 0;
  let nanos = 0;
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 8) seconds = readInt64(reader);
    else if (tag === 16) nanos = reader.int32();
    else skip(reader, tag);
  }
  leave(reader, end);
  return { seconds: Number(seconds), nanos };
}

/** RFC 3339 in whole seconds; undefined for the zero time. */
export function time(reader: Reader, end: number): string | undefined {
  const timestamp = readTimestamp(reader, end);
  return timestamp && formatTime(timestamp);
}

/** RFC 3339 with six decimals, cut and not rounded, as Go does; undefined for the zero time. */
export function microTime(reader: Reader, end: number): string | undefined {
  const timestamp = readTimestamp(reader, end);
  return timestamp && formatMicroTime(timestamp);
}

/** Raw 1: the field set as JSON text; undefined when there is none. */
export function fieldsV1(reader: Reader, end: number): Json | undefined {
  const raw = readFirst(reader, end, (r) => r.bytes());
  if (raw === undefined || raw.length === 0) return undefined;
  let parsed: Json;
  try {
    parsed = JSON.parse((raw as Buffer).toString('utf8'));
  } catch (cause) {
    throw new UserError('the fieldsV1 of metadata.managedFields is not JSON', CORRUPT_HINT, { cause });
  }
  checkDepth(parsed, 'metadata.managedFields', { left: raw.length + 1 });
  return parsed;
}

/** type 1, intVal 2, strVal 3; type 1 means text, 0 a number. */
export function intOrString(reader: Reader, end: number): number | string {
  let type: number | string = 0;
  let number = 0;
  let text = '';
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 8) type = readInt64(reader);
    else if (tag === 16) number = reader.int32();
    else if (tag === 26) text = readText(reader);
    else skip(reader, tag);
  }
  leave(reader, end);
  return type === 0 ? number : text;
}

/** string 1. */
export function quantity(reader: Reader, end: number): string {
  return readFirst(reader, end, readText) ?? '';
}
