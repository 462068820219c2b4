// How a parsed JSON or YAML value becomes a document, as the API server would write it.

import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { mismatch } from '../kube/cut.ts';
import type { Budget } from '../kube/kubetext.ts';
import { type Descriptor, descriptorOf } from '../schema/descriptor.ts';
import { type Findings, labelOf } from './findings.ts';
import { checkPlain } from './json.ts';
import { type CompleteKind, findKind, findListed, LIST, LIST_META, messageOfKind } from './kinds.ts';
import { normalise } from './normalise.ts';
import { MAX_VALUES, tooManyValues } from './objectbytes.ts';
import type { ObjectDocument } from './protobuf.ts';
import { showObject } from './show.ts';

type Value = Readonly<Record<string, unknown>>;

/** What holds for the whole text. */
export interface ValueContext {
  readonly budget: Budget;
  readonly findings: Findings;
}

function typeOf(value: unknown, path: string): { readonly apiVersion: string; readonly kind: string } {
  const { apiVersion, kind } = isObject(value) ? value : {};
  if (typeof apiVersion === 'string' && typeof kind === 'string' && kind !== '') return { apiVersion, kind };
  throw new UserError(
    `${path || 'this'} is not a Kubernetes object: it has no apiVersion and kind`,
    'Give objects as kubectl get -o json or -o yaml prints them, or as etcdctl get -w json does.',
  );
}

function withoutType(value: Value): Value {
  const { apiVersion: _apiVersion, kind: _kind, ...members } = value;
  return members;
}

function readBy(message: Descriptor, value: Value, label: string, context: ValueContext): JsonObject {
  const extras: string[] = [];
  const onExtra = (path: string): void => {
    extras.push(path);
  };
  const draft = normalise(message, withoutType(value), '', { budget: context.budget, onExtra });
  const object = showObject(draft, '');
  for (const path of extras) context.findings.extraMember(labelOf(label, object), path);
  return object;
}

/** Each object may hold only so many values, whatever the text has room for. */
function withOwnBudget<T>(context: ValueContext, read: (context: ValueContext) => T): T {
  const { budget } = context;
  if (budget.left <= MAX_VALUES) return read(context);
  const own = { left: MAX_VALUES, spent: tooManyValues };
  try {
    return read({ ...context, budget: own });
  } finally {
    budget.left -= MAX_VALUES - Math.max(own.left, 0);
  }
}

/** Kinds that are not known pass as they are: nothing of them is lost. */
function passOn(value: Value, kind: string, { budget }: ValueContext): JsonObject {
  checkPlain(value, kind, budget);
  return value as JsonObject;
}

function itemsOf({ items }: Value, path: string): readonly unknown[] {
  if (Array.isArray(items)) return items;
  if (items === undefined || items === null) return [];
  throw new UserError(`${path} has items that are no list`, 'Save the list with kubectl get -o json.');
}

function* eachItem(
  items: readonly unknown[],
  decode: (item: unknown, path: string, context: ValueContext) => JsonObject,
  context: ValueContext,
): Generator<JsonObject> {
  for (const [index, item] of items.entries()) {
    try {
      yield withOwnBudget(context, (own) => decode(item, `items[${index}]`, own));
    } catch (thrown) {
      context.findings.broken(thrown);
    }
  }
}

function decodeItem(value: unknown, path: string, known: CompleteKind, context: ValueContext): JsonObject {
  if (!isObject(value)) throw mismatch(path, 'an object', value);
  const type = known.typedItems ? { kind: known.kind, apiVersion: known.apiVersion } : {};
  return { ...type, ...readBy(messageOfKind(known), value as Value, known.kind, context) };
}

function decodeTyped(value: Value, known: CompleteKind, context: ValueContext): ObjectDocument {
  const { apiVersion, kind } = typeOf(value, '');
  const metadata = readBy(descriptorOf(LIST_META), (value.metadata ?? {}) as Value, kind, context);
  const items = eachItem(
    itemsOf(value, kind),
    (item, path, own) => decodeItem(item, path, known, own),
    context,
  );
  return { head: { kind, apiVersion, metadata }, items };
}

/** An object, of a list's items too: known ones in the API server's form. */
function decodeAny(value: unknown, path: string, context: ValueContext): JsonObject {
  const { apiVersion, kind } = typeOf(value, path);
  const known = findKind(apiVersion, kind);
  if (known === undefined) return passOn(value as Value, kind, context);
  return { kind, apiVersion, ...readBy(messageOfKind(known), value as Value, kind, context) };
}

/** A list of kinds that are not known, or `v1 List`, which kubectl makes up of any, each with its own type. */
function decodeOther(
  value: Value,
  kind: string,
  decode: typeof decodeAny,
  context: ValueContext,
): ObjectDocument {
  const { items: _, ...head } = value;
  return { head: passOn(head, kind, context), items: eachItem(itemsOf(value, kind), decode, context) };
}

/** An item of a list of a kind that is not known. */
function passItem(value: unknown, path: string, context: ValueContext): JsonObject {
  return passOn(value as Value, path, context);
}

/** Throws UserError naming the path where the value is not what its kind says. */
export function decodeValue(value: unknown, context: ValueContext): ObjectDocument {
  const { apiVersion, kind } = typeOf(value, '');
  if (kind === LIST && apiVersion === 'v1') return decodeOther(value as Value, kind, decodeAny, context);
  const listed = findListed(apiVersion, kind);
  if (listed !== undefined) return decodeTyped(value as Value, listed, context);
  const isList = kind.endsWith(LIST) && isObject(value) && Array.isArray(value.items);
  if (isList) return decodeOther(value, kind, passItem, context);
  return { head: withOwnBudget(context, (own) => decodeAny(value, '', own)) };
}
