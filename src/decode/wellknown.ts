// How the messages are read that JSON shows as a single value: times, field sets, amounts.

import type { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../errors.ts';
import type { Json } from '../model/types.ts';
import { checkDepth } from './budget.ts';
import { leave, readInt64, readTag, readText, skip } from './wire.ts';

/** The last second of the year 9999: RFC 3339 has four digits for the year. */
const LAST_SECOND = 253_402_300_799;
/** The first second of the year 1, which is also Go's zero time. */
const FIRST_SECOND = -62_135_596_800;
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

interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
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
  const number = Number(seconds);
  if (number >= FIRST_SECOND && number <= LAST_SECOND) return { seconds: number, nanos };
  throw new UserError(`a time of ${number} seconds since 1970 is outside the years 1 to 9999`, CORRUPT_HINT);
}

/** Times written lately, by their last bits: objects that were made together have the same times. */
const recentSeconds = new Float64Array(256);
const recentTexts = new Array<string>(256).fill('1970-01-01T00:00:00Z');

function formatSeconds(seconds: number): string {
  const slot = seconds & 0xff;
  if (recentSeconds[slot] !== seconds) {
    recentTexts[slot] = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
    recentSeconds[slot] = seconds;
  }
  return recentTexts[slot]!;
}

/** RFC 3339 in whole seconds; undefined for the zero time. */
export function time(reader: Reader, end: number): string | undefined {
  const timestamp = readTimestamp(reader, end);
  return timestamp && formatSeconds(timestamp.seconds);
}

/** RFC 3339 with six decimals, cut and not rounded, as Go does; undefined for the zero time. */
export function microTime(reader: Reader, end: number): string | undefined {
  const timestamp = readTimestamp(reader, end);
  if (timestamp === undefined) return undefined;
  const { seconds, nanos } = timestamp;
  if (nanos < 0 || nanos > 999_999_999) {
    throw new UserError(`a time's fraction of ${nanos} nanoseconds is not within one second`, CORRUPT_HINT);
  }
  return `${formatSeconds(seconds).slice(0, -1)}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
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
