// How JSON text is split into values whose numbers keep their digits, and which may be printed unchanged.

import { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { type Budget, checkDepth } from '../kube/kubetext.ts';

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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const SPACE = /\S/g;

/** After the closing quote; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** After the bracket that closes the first one; the end of the text if none does, or if it begins with none. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    if (depth <= 0) return OPENING.has(text.charCodeAt(start)) ? at : text.length;
  }
  return text.length;
}

/** The texts of the values one by one. What is no JSON comes as it is, up to the end: its parser will say so. */
export function* splitJson(text: string): Generator<string> {
  for (let at = 0; ; ) {
    SPACE.lastIndex = at;
    const start = SPACE.exec(text)?.index;
    if (start === undefined) return;
    at = endOfValue(text, start);
    yield text.slice(start, at);
  }
}

/** Numbers that JSON does not have come from YAML. */
function checkNumbers(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new UserError(`at ${path} is the number ${value}, which JSON can't hold`, 'Write it as text.');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const held of Object.values(value)) checkNumbers(held, path);
}

/** Throws UserError if the value nests too deeply, spends the budget, or holds a number that JSON can't. */
export function checkPlain(value: unknown, path: string, budget: Budget): void {
  checkDepth(value, path, budget);
  checkNumbers(value, path);
}
