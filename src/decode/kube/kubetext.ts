// How the bytes of JSON or YAML become a value, and how a person is told where they don't.

import { loadAll, YAMLException } from 'js-yaml';
import { UserError } from '../../base/errors.ts';
import { findJsonError } from '../json/jsonoffset.ts';
import { parseJson } from '../json/rawjson.ts';
import { MAX_DEPTH } from './budget.ts';
import { kubernetesSchema } from './yamlscalars.ts';

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
