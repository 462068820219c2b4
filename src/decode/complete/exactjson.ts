// How JSON text becomes a value whose numbers are printed with the digits that they came with.

import type { Json } from '../../base/json.ts';

/** Newer than TypeScript's libraries: V8 11.4. */
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: Json, context: { readonly source?: string }) => Json,
  ): Json;
  rawJSON(text: string): Json;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number token with so many digits, or with an exponent, that a double may not hold it. */
const LARGE_NUMBER = /(?:^|[:[,\s])-?\d(?:\d{15}|[\d.]*[eE])/;

/** A number of so many digits that JavaScript would round it. */
export function isExact(value: unknown): value is { readonly rawJSON: string } {
  return isRawJSON(value);
}

/** The number as JSON shows it. `digits` must be a JSON number. */
export function exactNumber(digits: string): Json {
  return rawJSON(digits);
}

function keepDigits(_key: string, value: Json, context: { readonly source?: string }): Json {
  if (typeof value !== 'number' || context.source === undefined || Number.isSafeInteger(value)) return value;
  return Number.isInteger(value) || !Number.isFinite(value) ? rawJSON(context.source) : value;
}

/** JSON text as a value; whole numbers beyond 2^53 are made by JSON.rawJSON. Throws SyntaxError. */
export function parseExactJson(text: string): Json {
  return LARGE_NUMBER.test(text) ? parse(text, keepDigits) : (JSON.parse(text) as Json);
}
