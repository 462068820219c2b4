// Where JSON text is broken, and the sentences for a config dump that cannot be used, or not in full.

import { UserError } from '../../base/errors.ts';
import type { Section } from '../../model/dump.ts';

const PUNCTUATION = '{}[]:,';
const BLANK = ' \t\n\r';
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The index behind the string that begins at `from`; negative, minus one, where it breaks. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < ' ') return -at - 1;
    if (char === '\\') {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return -at - 1;
      at = ESCAPE.lastIndex;
    } else at += 1;
  }
  return -text.length - 1;
}

/** The index behind the token that begins at `from`; negative, minus one, where it breaks. */
function endOfToken(text: string, from: number): number {
  const char = text.charAt(from);
  if (char === '"') return endOfString(text, from);
  if (PUNCTUATION.includes(char)) return from + 1;
  SCALAR.lastIndex = from;
  return SCALAR.test(text) ? SCALAR.lastIndex : -from - 1;
}

/** What may come next: a value, a value or `]`, a key or `}`, a key, a colon, or a comma or closing bracket. */
type Expect = 'value' | 'firstValue' | 'firstKey' | 'key' | 'colon' | 'comma';

const OPENS = { '{': 'firstKey', '[': 'firstValue' } as const satisfies Record<string, Expect>;
const CLOSES = { '{': '}', '[': ']' } as const;

/** What comes after `token` in brackets `open`, which it may open or close; undefined where it may not stand. */
function step(token: string, expect: Expect, open: ('{' | '[')[]): Expect | undefined {
  const top = open.at(-1);
  if (expect === 'colon') return token === ':' ? 'value' : undefined;
  if (top !== undefined && token === CLOSES[top] && ['comma', 'firstValue', 'firstKey'].includes(expect)) {
    open.pop();
    return 'comma';
  }
  if (expect === 'comma')
    return top !== undefined && token === ',' ? (top === '{' ? 'key' : 'value') : undefined;
  if (expect === 'key' || expect === 'firstKey') return token === '"' ? 'colon' : undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return OPENS[token];
  }
  return PUNCTUATION.includes(token) ? undefined : 'comma';
}

/**
 * The index of the first character that makes `text` no JSON (of a broken number, word or escape: its first); the length of
 * `text` if it ends too early or is JSON.
 */
export function findJsonError(text: string): number {
  const open: ('{' | '[')[] = [];
  let expect: Expect = 'value';
  let at = 0;
  while (at < text.length) {
    if (BLANK.includes(text.charAt(at))) {
      at += 1;
      continue;
    }
    const next = step(text.charAt(at), expect, open);
    const end = next === undefined ? -at - 1 : endOfToken(text, at);
    if (next === undefined || end < 0) return -end - 1;
    [expect, at] = [next, end];
  }
  return text.length;
}

/** The input ends before what was asked for is whole. `where` reads on from the byte. */
export function brokenOff(offset: number, where: string): UserError {
  return new UserError(
    `the config dump breaks off at byte ${offset}, ${where}`,
    'Save it again: the file or the transfer is incomplete.',
  );
}

/** A JSON object without any section that makes a dump. */
export function unknownShape(version: unknown, isApiObject: boolean): UserError {
  if (isApiObject) {
    return new UserError(
      'this is an API object (it has an apiVersion), not a config dump',
      'Give Kubernetes objects with --resources, and with -f what ztunnel answers on /config_dump.',
    );
  }
  const from = typeof version === 'string' ? `, though it names version ${JSON.stringify(version)}` : '';
  return new UserError(
    `this JSON object has none of the sections of a ztunnel's config dump${from}`,
    'Give the answer of /config_dump; if it is that, this program is too old for that ztunnel, or too new.',
  );
}

/** A complete dump lacks a section that every known ztunnel sends. */
export function absent(section: Section): string {
  return `the config dump has no ${section} section: it is cut down, or of a ztunnel older or newer than this program knows`;
}

/** A bound on size or number is passed: `what` reads on from "has". */
export function tooLarge(what: string, offset: number): UserError {
  return new UserError(
    `the config dump has ${what} at byte ${offset}`,
    'No ztunnel is known to send that: check where it comes from.',
  );
}

/** More entries than are held in memory. */
export function tooMany(most: number, offset: number): UserError {
  return tooLarge(`more than ${most} entries`, offset);
}

/** The text breaks JSON's grammar. `what` reads on from the colon; the byte is counted from 0. */
export function invalidJson(what: string, offset: number, cause?: unknown): UserError {
  return new UserError(
    `the config dump is not valid JSON: ${what} at byte ${offset}`,
    'Save it again, or look at what stands there: it may have been edited or damaged.',
    { cause },
  );
}
