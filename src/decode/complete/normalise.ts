// How JSON that comes from outside becomes a message's values, to be shown as the API server would.

import { isObject } from '../../base/json.ts';
import { mismatch } from '../kube/cut.ts';
import { type Budget, spend } from '../kube/kubetext.ts';
import type { Descriptor, Field, ScalarName } from '../schema/descriptor.ts';
import { FORMS } from './forms.ts';
import { checkPlain, isExact } from './json.ts';
import { createDraft, type Draft, embeddedType, type Scalar, type Value } from './show.ts';

export interface Normalising {
  readonly budget: Budget;
  /** Told the path of each member that the message has no field for; it is kept. */
  readonly onExtra: (path: string) => void;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

function readInt64(value: unknown): number | bigint | undefined {
  if (Number.isSafeInteger(value)) return value as number;
  if (!isExact(value) || !/^-?\d{1,20}$/.test(value.rawJSON)) return undefined;
  const number = BigInt(value.rawJSON);
  return number >= MIN_INT64 && number <= MAX_INT64 ? number : undefined;
}

/** undefined: not such a value. Of half a character Go, too, makes U+FFFD. */
const READ = {
  string: (value) => (typeof value === 'string' ? value.toWellFormed() : undefined),
  bytes: (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : undefined),
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
  int32: (value) =>
    Number.isInteger(value) && Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31
      ? (value as number)
      : undefined,
  int64: readInt64,
} satisfies Record<ScalarName, (value: unknown) => Scalar | undefined>;

const EXPECTED = {
  string: 'text',
  bytes: 'text',
  bool: 'true or false',
  int32: 'a whole number of 32 bits',
  int64: 'a whole number of 64 bits',
} satisfies Record<ScalarName, string>;

function readValue(field: Field, value: unknown, path: string, context: Normalising): Value {
  spend(context.budget, path);
  const { message, scalar } = field;
  if (message === undefined) {
    const read = READ[scalar!](value);
    if (read !== undefined) return read;
    throw mismatch(path, EXPECTED[scalar!], value);
  }
  const form = FORMS.get(message.name);
  if (form === undefined) return normalise(message, value, path, context);
  const slots = form.read(value, path, context.budget);
  if (slots === undefined) throw mismatch(path, form.expected, value);
  return { message, slots, extra: undefined };
}

function readList(field: Field, value: unknown, path: string, context: Normalising): Value[] {
  if (!Array.isArray(value)) throw mismatch(path, 'a list', value);
  return value.map((each, index) => readValue(field, each, `${path}[${index}]`, context));
}

function readMap(field: Field, value: unknown, path: string, context: Normalising): Value[] {
  if (!isObject(value)) throw mismatch(path, 'an object', value);
  const { message: entry } = field;
  const { 1: held } = entry!.fields;
  return Object.entries(value).map(([key, each]) => {
    const slots = [key, readValue(held!, each, `${path}[${JSON.stringify(key)}]`, context)];
    return { message: entry!, slots, extra: undefined };
  });
}

const READ_FIELD = { one: readValue, list: readList, map: readMap } as const;

function namesOf(message: Descriptor): readonly string[] {
  const fields = message.fields.flatMap(({ name, presence, message: held }) =>
    presence === 'inline' ? namesOf(held!) : [name],
  );
  return [...Object.keys(embeddedType(message.name)), ...fields];
}

function extraOf(
  message: Descriptor,
  value: Readonly<Record<string, unknown>>,
  path: string,
  { budget, onExtra }: Normalising,
): Draft['extra'] {
  const known = new Set(namesOf(message));
  const extra = Object.entries(value).filter(([key]) => !known.has(key));
  for (const [key, held] of extra) {
    const at = path === '' ? key : `${path}.${key}`;
    checkPlain(held, at, budget);
    onExtra(at);
  }
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
}

function fill(
  draft: Draft,
  value: Readonly<Record<string, unknown>>,
  path: string,
  context: Normalising,
): void {
  for (const field of draft.message.fields) {
    const { name, message, presence, repeat, index } = field;
    if (presence === 'inline') {
      const inner = createDraft(message!);
      fill(inner, value, path, context);
      draft.slots[index] = inner;
      continue;
    }
    const given = value[name];
    if (given === undefined || given === null) continue;
    draft.slots[index] = READ_FIELD[repeat](field, given, path === '' ? name : `${path}.${name}`, context);
  }
}

/**
 * A JSON object as the message's values; members that the message has no field for are kept and told. Throws UserError
 * naming the path of a value that is not what the message says, or where the budget is spent.
 */
export function normalise(message: Descriptor, value: unknown, path: string, context: Normalising): Draft {
  if (!isObject(value) || isExact(value)) throw mismatch(path || 'the object', 'an object', value);
  const draft = createDraft(message);
  fill(draft, value, path, context);
  draft.extra = extraOf(message, value, path, context);
  return draft;
}
