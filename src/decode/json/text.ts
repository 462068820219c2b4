// The text of a JSON token from bytes in several chunks, and values that keep the digits of large numbers.

import type { Json } from '../../base/json.ts';
import { tooLarge } from './errors.ts';

/**
 * The most that one token may hold, in bytes. The largest known is a service with its endpoints, about 200 bytes
 * each: 64 MiB is room for 300,000 of them and stays far below the longest string that Node can make.
 */
export const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;

export interface Capture {
  /** A token begins; its text is wanted only if `kept`. `offset` is for the error of a token that is too long. */
  start(kept: boolean, offset: number): void;
  kept(): boolean;
  /** Takes what the chunk holds of an unfinished token; copies, since the caller may reuse the chunk's memory. */
  keep(chunk: Buffer, from: number): void;
  /** The whole text, when the token ends in this chunk; '' if it is not kept. Throws UserError when too long. */
  text(chunk: Buffer, from: number, to: number): string;
}

export function createCapture(): Capture {
  let pieces: Buffer[] = [];
  let bytes = 0; // in pieces
  let kept = false;
  let offset = 0;

  function count(more: number): void {
    bytes += more;
    if (bytes > MAX_ELEMENT_BYTES) throw tooLarge(`a value of more than ${MAX_ELEMENT_BYTES} bytes`, offset);
  }

  return {
    start(keptNow, at) {
      if (pieces.length > 0) pieces = [];
      bytes = 0;
      kept = keptNow;
      offset = at;
    },
    kept: () => kept,
    keep(chunk, from) {
      if (!kept) return;
      count(chunk.length - from);
      pieces.push(Buffer.from(chunk.subarray(from)));
    },
    text(chunk, from, to) {
      if (!kept) return '';
      count(to - from);
      if (pieces.length === 0) return chunk.toString('utf8', from, to);
      return Buffer.concat([...pieces, chunk.subarray(from, to)]).toString('utf8');
    },
  };
}

/** A number token with so many digits, or with an exponent, that a double may not hold it. */
const LARGE_NUMBER = /(?:^|[:[,\s])-?\d(?:\d{15}|[\d.]*[eE])/;

/** The JSON.parse of TypeScript's libraries does not know the third argument of a reviver yet (V8 11.4). */
type SourceParse = (
  text: string,
  reviver: (key: string, value: Json, context: { readonly source?: string }) => Json,
) => Json;

function keepDigits(_key: string, value: Json, context: { readonly source?: string }): Json {
  if (typeof value !== 'number' || context.source === undefined) return value;
  if (Number.isSafeInteger(value)) return value;
  return Number.isInteger(value) || !Number.isFinite(value) ? context.source : value;
}

/**
 * JSON text as a value. With `lossless`, whole numbers beyond 2^53 and numbers beyond a double become the text of
 * their digits, as the JSON that we print has them. `__proto__` is a key like any other. Throws SyntaxError.
 */
export function parseJson(text: string, lossless: boolean): Json {
  if (lossless && LARGE_NUMBER.test(text)) return (JSON.parse as SourceParse)(text, keepDigits);
  return JSON.parse(text) as Json;
}

/** Node 22 has it; TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Json };

function keepNumber(_key: string, value: Json, context: { readonly source?: string }): Json {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return String(value) === context.source || Number.isSafeInteger(value) ? value : rawJSON(context.source);
}

/** JSON text as a value to be written again: numbers that a double may not hold are made by JSON.rawJSON. Throws SyntaxError. */
export function parseJsonExactly(text: string): Json {
  return LARGE_NUMBER.test(text) ? (JSON.parse as SourceParse)(text, keepNumber) : (JSON.parse(text) as Json);
}
