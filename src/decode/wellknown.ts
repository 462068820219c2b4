// How the messages are read that JSON shows as a single value: times, field sets, amounts.

import type { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../errors.ts';
import type { Json } from '../model/types.ts';
import { checkDepth } from './budget.ts';
import { leave, readInt64, readText } from './wire.ts';

/** The last second of the year 9999: RFC 3339 has four digits for the year. */
const LAST_SECOND = 253_402_300_799;
/** The first second of the year 1, which is also Go's zero time. */
const FIRST_SECOND = -62_135_596_800;
const CORRUPT_HINT = 'The object is probably corrupt: fetch or save it again.';

/** Reads fields 1 and 2 by the given functions and skips others; undefined for what is not there. */
function readPair<A, B>(
  reader: Reader,
  end: number,
  tags: readonly [number, number],
  first: (reader: Reader) => A,
  second: (reader: Reader) => B,
): readonly [A | undefined, B | undefined] {
  let a: A | undefined;
  let b: B | undefined;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === tags[0]) a = first(reader);
    else if (tag === tags[1]) b = second(reader);
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  leave(reader, end);
  return [a, b];
}

const readInt32 = (reader: Reader): number => reader.int32();

/** seconds 1, nanos 2; undefined for the zero time, which has neither. */
function readTimestamp(reader: Reader, end: number): readonly [seconds: number, nanos: number] | undefined {
  const [seconds, nanos] = readPair(reader, end, [8, 16], readInt64, readInt32);
  if (seconds === undefined && nanos === undefined) return undefined;
  const number = Number(seconds ?? 0);
  if (number >= FIRST_SECOND && number <= LAST_SECOND) return [number, nanos ?? 0];
  throw new UserError(`a time of ${number} seconds since 1970 is outside the years 1 to 9999`, CORRUPT_HINT);
}

/** `2026-11-29T22:21:43`, kept for the next: objects made together have the same times. */
let lastSeconds = 0;
let lastText = '1970-01-01T00:00:00';

function formatSeconds(seconds: number): string {
  if (seconds !== lastSeconds) {
    lastText = new Date(seconds * 1000).toISOString().slice(0, 19);
    lastSeconds = seconds;
  }
  return lastText;
}

/** RFC 3339 in whole seconds; undefined for the zero time. */
export function time(reader: Reader, end: number): string | undefined {
  const timestamp = readTimestamp(reader, end);
  return timestamp && `${formatSeconds(timestamp[0])}Z`;
}

/** RFC 3339 with six decimals, cut and not rounded, as Go does; undefined for the zero time. */
export function microTime(reader: Reader, end: number): string | undefined {
  const timestamp = readTimestamp(reader, end);
  if (timestamp === undefined) return undefined;
  const [seconds, nanos] = timestamp;
  if (nanos < 0 || nanos > 999_999_999) {
    throw new UserError(`a time's fraction of ${nanos} nanoseconds is not within one second`, CORRUPT_HINT);
  }
  return `${formatSeconds(seconds)}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}

/** Raw 1: the field set as JSON text; undefined when there is none. */
export function fieldsV1(reader: Reader, end: number): Json | undefined {
  const [raw] = readPair(reader, end, [10, 0], (r) => r.bytes(), readInt32);
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
    const tag = reader.tag();
    if (tag === 8) type = readInt64(reader);
    else if (tag === 16) number = reader.int32();
    else if (tag === 26) text = readText(reader);
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  leave(reader, end);
  return type === 0 ? number : text;
}

/** string 1. */
export function quantity(reader: Reader, end: number): string {
  return readPair(reader, end, [10, 0], readText, readInt32)[0] ?? '';
}
