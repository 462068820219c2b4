// How the messages look in JSON that are not shown as an object of their fields: times, field sets, amounts.

import { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import {
  FIRST_SECOND,
  formatMicroTime,
  formatTime,
  parseRfc3339,
  type Timestamp,
} from '../../base/rfc3339.ts';
import { type Budget, checkDepth } from '../kube/kubetext.ts';
import { checkPlain, isExact, parseExactJson } from './json.ts';
import { canonicalQuantity } from './quantity.ts';
import type { Slot } from './show.ts';

/** In both directions; the slots are those of the message's fields. */
export interface Form {
  /** What JSON shows; null for a zero value that has no JSON of its own. Throws UserError on an impossible value. */
  readonly show: (slots: readonly Slot[], path: string) => Json;
  /** undefined: not a value of this form. */
  readonly read: (value: unknown, path: string, budget: Budget) => Slot[] | undefined;
  /** What JSON must hold, in words. */
  readonly expected: string;
}

const CORRUPT_HINT = 'The object is probably corrupt: fetch or save it again.';

/** undefined for Go's zero time, whose JSON is null. */
function timestampOf([seconds, nanos]: readonly Slot[]): Timestamp | undefined {
  if (seconds === undefined && nanos === undefined) return undefined;
  const timestamp = { seconds: Number(seconds ?? 0), nanos: Number(nanos ?? 0) };
  return timestamp.seconds === FIRST_SECOND && timestamp.nanos === 0 ? undefined : timestamp;
}

function timeForm(format: (timestamp: Timestamp) => string): Form {
  return {
    show: (slots) => {
      const timestamp = timestampOf(slots);
      return timestamp === undefined ? null : format(timestamp);
    },
    read: (value) => {
      const timestamp = typeof value === 'string' ? parseRfc3339(value) : undefined;
      return timestamp && [timestamp.seconds, timestamp.nanos];
    },
    expected: 'an RFC 3339 time',
  };
}

function showFieldSet([raw]: readonly Slot[], path: string): Json {
  if (!(raw instanceof Uint8Array) || raw.length === 0) return null;
  let parsed: Json;
  try {
    parsed = parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (cause) {
    throw new UserError(`the field set at ${path} is not JSON`, CORRUPT_HINT, { cause });
  }
  checkDepth(parsed, path, { left: raw.length + 1 });
  return parsed;
}

const fieldSet: Form = {
  show: showFieldSet,
  read: (value, path, budget) => {
    if (typeof value !== 'object' || isExact(value)) return undefined;
    checkPlain(value, path, budget);
    return [new TextEncoder().encode(JSON.stringify(value))];
  },
  expected: 'an object',
};

const isInt32 = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31;

const intOrString: Form = {
  show: ([type = 0, number = 0, text = ''], path) => {
    if (type === 0) return number as number;
    if (type === 1) return text as string;
    throw new UserError(
      `the value at ${path} is neither a number nor text, but of type ${type}`,
      CORRUPT_HINT,
    );
  },
  read: (value) => {
    if (isInt32(value)) return [0, value, ''];
    return typeof value === 'string' ? [1, 0, value] : undefined;
  },
  expected: 'a number or text',
};

const quantity: Form = {
  show: ([text = '0'], path) => {
    const canonical = canonicalQuantity(text as string);
    if (canonical !== undefined) return canonical;
    throw new UserError(`${JSON.stringify(text)} at ${path} is no amount`, CORRUPT_HINT);
  },
  read: (value) => {
    if (typeof value !== 'string' && typeof value !== 'number' && !isExact(value)) return undefined;
    const canonical = canonicalQuantity((typeof value === 'string' ? value : JSON.stringify(value)).trim());
    return canonical === undefined ? undefined : [canonical];
  },
  expected: 'an amount',
};

/** By the message's full name. */
export const FORMS: ReadonlyMap<string, Form> = new Map([
  ['k8s.io.apimachinery.pkg.apis.meta.v1.Time', timeForm(formatTime)],
  ['k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime', timeForm(formatMicroTime)],
  ['k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1', fieldSet],
  ['k8s.io.apimachinery.pkg.util.intstr.IntOrString', intOrString],
  ['k8s.io.apimachinery.pkg.api.resource.Quantity', quantity],
]);
