// How the bytes of JSON or YAML become a value, with YAML 1.1's scalars, within bounds, and where they are broken.

import {
  boolCoreTag,
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  YAMLException,
} from 'js-yaml';
import { UserError } from '../../base/errors.ts';
import { findJsonError } from '../json/errors.ts';
import { parseJson } from '../json/text.ts';

/** Larger text does not fit a string of Node's; the largest list seen, 100,000 pods, is 260 MB. */
export const MAX_BYTES = 400 * 1024 * 1024;
/** YAML is slow: this takes about ten seconds. */
const MAX_YAML_LENGTH = 64 * 1024 * 1024;
/** kubectl writes none; people write a few. */
const MAX_ALIASES = 1000;
const SAVE_HINT = 'Save it again, for example with kubectl get -o json, and whole.';

/** First bytes of what people give by mistake. */
const NOT_TEXT: readonly (readonly [string, readonly number[], string])[] = [
  ['UTF-16 text', [0xff, 0xfe], 'Save it as UTF-8; PowerShell does with Out-File -Encoding utf8.'],
  ['UTF-16 text', [0xfe, 0xff], 'Save it as UTF-8; PowerShell does with Out-File -Encoding utf8.'],
  ['gzip', [0x1f, 0x8b], 'Unpack it first, with gunzip.'],
  ['a PNG picture', [0x89, 0x50, 0x4e, 0x47], SAVE_HINT],
];

/** The text of UTF-8 bytes without a byte order mark. Throws UserError if they are empty or something else. */
export function decodeText(bytes: Uint8Array): string {
  const known = NOT_TEXT.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (known) throw new UserError(`this is ${known[0]}, not Kubernetes objects`, known[2]);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const before = new TextDecoder('utf-8').decode(bytes).split('\ufffd', 1)[0] ?? '';
    throw new UserError(`this is not text: byte ${Buffer.byteLength(before)} is no UTF-8`, SAVE_HINT, {
      cause,
    });
  }
  if (text.includes('\0'))
    throw new UserError(`this is not text: byte ${text.indexOf('\0')} is zero`, SAVE_HINT);
  if (text.trim() === '') throw new UserError('this is empty', SAVE_HINT);
  return text;
}

function placeOf(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return `line ${line}, column ${index - before.lastIndexOf('\n')}`;
}

/**
 * Text as JSON, whole numbers beyond 2^53 as text unless `parse` has another way. Throws UserError naming the line and
 * column where it breaks.
 */
export function decodeJsonText(
  text: string,
  parse: (text: string) => unknown = (json) => parseJson(json, true),
): unknown {
  try {
    return parse(text);
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new UserError('this JSON is nested too deeply to be read', 'No Kubernetes object is.', { cause });
    }
    const index = findJsonError(text);
    const what = index >= text.length ? 'the text ends too early, at' : 'an unexpected character at';
    throw new UserError(`this is not valid JSON: ${what} ${placeOf(text, index)}`, SAVE_HINT, { cause });
  }
}

/**
 * The documents of YAML text, empty ones left out; words are what kubectl takes them for (`0644` is 420), whole
 * numbers beyond 2^53 what `large` makes of their decimal digits. Throws UserError naming the line and column where it breaks.
 */
export function decodeYamlText(
  text: string,
  large: (digits: string) => unknown = (digits) => digits,
): readonly unknown[] {
  if (text.length > MAX_YAML_LENGTH) {
    throw new UserError(`this YAML is longer than ${MAX_YAML_LENGTH} characters`, 'Save it as JSON instead.');
  }
  try {
    const documents = loadAll(text, {
      schema: kubernetesSchema(large),
      maxDepth: MAX_DEPTH,
      maxAliases: MAX_ALIASES,
    });
    return documents.filter((document) => document !== null && document !== undefined);
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const { reason, mark } = cause;
    const place = mark ? ` at line ${mark.line + 1}, column ${mark.column + 1}` : '';
    throw new UserError(`this is neither JSON nor valid YAML: ${reason}${place}`, SAVE_HINT, { cause });
  }
}

/** By the first letter of a prefix; `0644` has none and is octal. Facts of kubernetes-sigs/yaml's resolve.go. */
const INTEGER = /^([-+]?)(?:0([xX])([\da-fA-F]+)|0([bB])([01]+)|0([oO]?)([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** More make no number that Kubernetes has, but long work. */
const MAX_DIGITS = 1000;
const MAX_UINT64 = 2n ** 64n - 1n;

/** In decimal; undefined for what is no whole number. */
function integerOf(source: string): bigint | undefined {
  if (source.length > MAX_DIGITS) return undefined;
  const match = INTEGER.exec(source.replaceAll('_', ''));
  if (match === null) return undefined;
  const [, sign, hex, hexDigits, binary, binaryDigits, , octalDigits, decimal] = match;
  const prefix = hex ? '0x' : binary ? '0b' : decimal === undefined ? '0o' : '';
  const size = BigInt(`${prefix}${hexDigits ?? binaryDigits ?? octalDigits ?? decimal}`);
  // What does not fit is decimal there after all, and no whole number.
  if (prefix === '0o' && size > MAX_UINT64) return undefined;
  return sign === '-' ? -size : size;
}

function floatOf(source: string): number | undefined {
  if (NOT_FINITE.test(source)) return Number(source.replace('.', '').replace(/inf/i, 'Infinity'));
  const plain = source.startsWith('.') ? source : source.replaceAll('_', '');
  const value = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const WORDS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    y: true,
    yes: true,
    true: true,
    on: true,
    n: false,
    no: false,
    false: false,
    off: false,
  }).flatMap(([word, value]) => {
    const capital = word[0]!.toUpperCase() + word.slice(1);
    return [word, capital, word.toUpperCase()].map((spelling) => [spelling, value] as const);
  }),
);

/** `large`: what a whole number beyond 2^53, which a number would round, becomes of its decimal digits. */
export function kubernetesSchema(large: (digits: string) => unknown) {
  const numberOf = (whole: bigint) =>
    Number.isSafeInteger(Number(whole)) ? Number(whole) : large(String(whole));
  return CORE_SCHEMA.withTags(
    mergeTag,
    defineScalarTag<unknown>(intCoreTag.tagName, {
      ...intCoreTag,
      resolve: (source) => {
        const whole = integerOf(source);
        return whole === undefined ? NOT_RESOLVED : numberOf(whole);
      },
    }),
    defineScalarTag<unknown>(floatCoreTag.tagName, {
      ...floatCoreTag,
      resolve: (source) => floatOf(source) ?? NOT_RESOLVED,
    }),
    defineScalarTag<unknown>(boolCoreTag.tagName, {
      ...boolCoreTag,
      implicitFirstChars: [...'yYtToOnNfF'],
      resolve: (source) => WORDS.get(source) ?? NOT_RESOLVED,
    }),
  );
}

/**
 * Values that may still be visited. Text holds at most one value a character, so its length is enough for any
 * honest document; only YAML aliases can make more of it.
 */
export interface Budget {
  left: number;
  /** Made when it is spent, if that has another reason than aliases. */
  readonly spent?: (path: string) => UserError;
}

/** Deeper than any field set of the Kubernetes API, and far from where recursion ends. */
export const MAX_DEPTH = 100;

export function spend(budget: Budget, path: string): void {
  budget.left -= 1;
  if (budget.left < 0) {
    if (budget.spent !== undefined) throw budget.spent(path);
    throw new UserError(
      `at ${path} the document grows beyond its own size by repeating itself through aliases`,
      'Save it again without aliases, for example with kubectl get -o json.',
    );
  }
}

/** Throws UserError if a JSON value nests deeper than MAX_DEPTH or holds more values than the budget. */
export function checkDepth(value: unknown, path: string, budget: Budget, depth = 0): void {
  spend(budget, path);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) {
    throw new UserError(
      `at ${path} the document nests more than ${MAX_DEPTH} levels deep`,
      'No Kubernetes object does: check where the document comes from.',
    );
  }
  for (const held of Object.values(value)) checkDepth(held, path, budget, depth + 1);
}
