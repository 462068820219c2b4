// How a parsed JSON or YAML value becomes a document, as the API server would write it.

import { UserError } from '../../errors.ts';
import type { JsonObject } from '../../model/types.ts';
import { type Budget, spend } from '../budget.ts';
import { isObject } from '../cut.ts';
import { type Findings, labelOf } from './findings.ts';
import { type CompleteKind, findKind, findListed, LIST, LIST_META, messageOfKind } from './kinds.ts';
import { normalise } from './normalise.ts';
import { checkPlain } from './plain.ts';
import type { ObjectDocument } from './protobuf.ts';
import { showObject } from './show.ts';
import { type CompleteMessage, messageOf } from './table.ts';

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

function readBy(message: CompleteMessage, value: Value, label: string, context: ValueContext): JsonObject {
  const extras: string[] = [];
  const onExtra = (path: string): void => {
    extras.push(path);
  };
  const draft = normalise(message, withoutType(value), '', { budget: context.budget, onExtra });
  const object = showObject(draft, '');
  for (const path of extras) context.findings.extraMember(labelOf(label, object), path);
  return object;
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
  decode: (item: unknown, path: string) => JsonObject,
  { findings }: ValueContext,
): Generator<JsonObject> {
  for (const [index, item] of items.entries()) {
    try {
      yield decode(item, `items[${index}]`);
    } catch (thrown) {
      findings.broken(thrown);
    }
  }
}

function decodeItem(value: unknown, path: string, known: CompleteKind, context: ValueContext): JsonObject {
  spend(context.budget, path);
  if (!isObject(value)) typeOf(value, path);
  const type = known.typedItems ? { kind: known.kind, apiVersion: known.apiVersion } : {};
  return { ...type, ...readBy(messageOfKind(known), value as Value, known.kind, context) };
}

function decodeTyped(value: Value, known: CompleteKind, context: ValueContext): ObjectDocument {
  const { apiVersion, kind } = typeOf(value, '');
  const metadata = readBy(messageOf(LIST_META), (value.metadata ?? {}) as Value, kind, context);
  const items = eachItem(
    itemsOf(value, kind),
    (item, path) => decodeItem(item, path, known, context),
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

/** `v1 List`, which kubectl makes up: items of any kind, each with its own type. */
function decodeMixed(value: Value, context: ValueContext): ObjectDocument {
  const { items, ...head } = value;
  const decoded = eachItem(itemsOf(value, LIST), (item, path) => decodeAny(item, path, context), context);
  return { head: passOn(head, LIST, context), items: items === undefined ? [] : decoded };
}

/** Throws UserError naming the path where the value is not what its kind says. */
export function decodeValue(value: unknown, context: ValueContext): ObjectDocument {
  const { apiVersion, kind } = typeOf(value, '');
  if (kind === LIST && apiVersion === 'v1') return decodeMixed(value as Value, context);
  const listed = findListed(apiVersion, kind);
  if (listed !== undefined) return decodeTyped(value as Value, listed, context);
  return { head: decodeAny(value, '', context) };
}
