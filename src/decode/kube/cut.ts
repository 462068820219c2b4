// How JSON that comes from outside is cut to what a message holds, and brought to the shape its protobuf would have.

import { UserError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { formatMicroTime, formatTime, parseRfc3339, type Timestamp } from '../../base/rfc3339.ts';
import type { Descriptor, Field, ScalarName } from '../schema/descriptor.ts';
import type { WellKnownName } from '../schema/wellknown.ts';
import { type Budget, checkDepth, spend } from './kubetext.ts';

/** Takes a value that is neither undefined nor null; undefined means that it is not of the kind. */
type Read = (value: unknown, path: string, budget: Budget) => Json | undefined;

const isInt32 = (value: unknown): boolean => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31;
/** Beyond 2^53 the text is kept, see rawjson.ts. */
const isBigNumber = (value: unknown): boolean => typeof value === 'string' && /^-?\d{16,20}$/.test(value);

/** The API server's spelling of a time: UTC, with a fixed number of decimals. */
function readTime(value: unknown, format: (timestamp: Timestamp) => string): string | undefined {
  const timestamp = typeof value === 'string' ? parseRfc3339(value) : undefined;
  return timestamp && format(timestamp);
}

const READ = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  bytes: () => undefined, // no field of an object that is read from JSON
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
  int32: (value) => (isInt32(value) ? (value as number) : undefined),
  int64: (value) =>
    Number.isSafeInteger(value) || isBigNumber(value) ? (value as number | string) : undefined,
  time: (value) => readTime(value, formatTime),
  microTime: (value) => readTime(value, formatMicroTime),
  fieldsV1: (value, path, budget) => {
    if (typeof value !== 'object') return undefined;
    checkDepth(value, path, budget);
    return value as JsonObject;
  },
  intOrString: (value) =>
    isInt32(value) || typeof value === 'string' ? (value as number | string) : undefined,
  quantity: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
} satisfies Record<ScalarName | WellKnownName, Read>;

const EXPECTED = {
  string: 'text',
  bytes: 'nothing',
  bool: 'true or false',
  int32: 'a whole number',
  int64: 'a whole number',
  time: 'an RFC 3339 time',
  microTime: 'an RFC 3339 time',
  fieldsV1: 'an object',
  intOrString: 'a number or text',
  quantity: 'an amount',
} satisfies Record<ScalarName | WellKnownName, string>;

const ZERO = { string: '', bytes: '', bool: false, int32: 0, int64: 0 } satisfies Record<ScalarName, Json>;

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null
    ? 'null'
    : ({ object: 'an object', string: 'text' }[typeof value as 'object'] ?? `a ${typeof value}`);
}

/** `at PATH there should be X, but there is Y`. */
export function mismatch(path: string, expected: string, value: unknown): UserError {
  return new UserError(
    `at ${path} there should be ${expected}, but there is ${describe(value)}`,
    'Save the objects with kubectl get -o json, or -o yaml.',
  );
}

function cutValue({ scalar, message }: Field, value: unknown, path: string, budget: Budget): Json {
  spend(budget, path);
  const form = scalar ?? message?.form;
  if (form === undefined) return cutJson(message!, value, path, budget);
  const read = READ[form](value, path, budget);
  if (read === undefined) throw mismatch(path, EXPECTED[form], value);
  return read;
}

function cutList(field: Field, value: unknown, path: string, budget: Budget): Json | undefined {
  if (!Array.isArray(value)) throw mismatch(path, 'a list', value);
  if (value.length === 0 && field.presence !== 'always') return undefined;
  return value.map((each, index) => cutValue(field, each, `${path}[${index}]`, budget));
}

function cutMap(field: Field, value: unknown, path: string, budget: Budget): Json | undefined {
  if (!isObject(value)) throw mismatch(path, 'an object', value);
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  const held = field.message!.fields[1]!;
  // fromEntries defines properties, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    entries.map(([key, each]) => [key, cutValue(held, each, `${path}[${JSON.stringify(key)}]`, budget)]),
  );
}

const CUT = { list: cutList, map: cutMap } satisfies Record<Exclude<Field['repeat'], 'one'>, unknown>;

/** What stands for a field that JSON leaves out or gives as null. */
function absent(field: Field, value: null | undefined): Json | undefined {
  if (field.presence === 'null') return value;
  if (field.presence !== 'always') return undefined;
  if (field.repeat === 'list') return [];
  return field.scalar && ZERO[field.scalar];
}

function cutField(field: Field, value: unknown, path: string, budget: Budget): Json | undefined {
  if (value === undefined || value === null) return absent(field, value);
  if (field.repeat !== 'one') return CUT[field.repeat](field, value, path, budget);
  const cut = cutValue(field, value, path, budget);
  if (field.presence === 'nonzero' && field.scalar && cut === ZERO[field.scalar]) return undefined;
  return cut;
}

/**
 * The fields of `value` that the message holds, added to `onto` if given. Throws UserError naming the path of a value
 * that is not what the message says, or where the budget is spent.
 */
export function cutJson(
  message: Descriptor,
  value: unknown,
  path: string,
  budget: Budget,
  onto: Record<string, Json> = {},
): JsonObject {
  if (!isObject(value)) throw mismatch(path, 'an object', value);
  for (const field of message.fields) {
    const cut = cutField(field, value[field.name], `${path}.${field.name}`, budget);
    if (cut !== undefined) onto[field.name] = cut;
  }
  return onto;
}
