// How JSON text becomes a value without losing digits of large numbers.

import type { Json } from '../../base/json.ts';

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
