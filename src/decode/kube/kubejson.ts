// How a parsed JSON or YAML value becomes a Kubernetes document.

import { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import { descriptorOf } from '../schema/descriptor.ts';
import { cutJson } from './cut.ts';
import { checkObject, type KubeDocument, makeList, makeStatus, type OnUnknown } from './document.ts';
import type { Budget } from './kubetext.ts';
import type { Message } from './message.ts';
import { findEntry, LIST_META, STATUS } from './scheme.ts';

/** Lists in lists: kubectl makes none, and one inside another is the most a person would. */
const MAX_LISTS = 4;

/** Everything that holds for the whole text. */
export interface Reading {
  readonly onUnknown: OnUnknown;
  readonly budget: Budget;
}

interface Typed {
  readonly value: Readonly<Record<string, unknown>>;
  readonly apiVersion: string;
  readonly kind: string;
  /** '' for the whole document, else where in it: `items[3]`. */
  readonly path: string;
}

function readType(value: unknown, path: string): Typed {
  const { apiVersion, kind } = isObject(value) ? value : {};
  if (isObject(value) && typeof apiVersion === 'string' && typeof kind === 'string' && kind !== '') {
    return { value, apiVersion, kind, path };
  }
  throw new UserError(
    `${path || 'this'} is not a Kubernetes object: it has no apiVersion and kind`,
    'Give objects as kubectl get -o json or -o yaml prints them; dumps of ztunnels belong to --file.',
  );
}

function readObject(
  { value, apiVersion, kind, path }: Typed,
  message: Message,
  reading: Reading,
): KubeObject {
  const onto: Record<string, Json> = { apiVersion, kind };
  return checkObject(
    cutJson(descriptorOf(message.name), value, path || kind, reading.budget, onto),
    path || kind,
  );
}

function itemsOf({ value, path, kind }: Typed): readonly unknown[] {
  const { items } = value;
  if (Array.isArray(items)) return items;
  if (items === null || items === undefined) return [];
  throw new UserError(
    `${path || kind} has items that are no list`,
    'Save the list with kubectl get -o json, or -o yaml.',
  );
}

function listOf(list: Typed, items: readonly KubeObject[], { budget }: Reading): KubeDocument {
  const meta = cutJson(
    descriptorOf(LIST_META.name),
    list.value.metadata ?? {},
    `${list.kind}.metadata`,
    budget,
  );
  return makeList(list.apiVersion, list.kind, meta, items);
}

/** Items without a type of their own: it follows from the list's. */
function readTypedList(list: Typed, itemKind: string, message: Message, reading: Reading): KubeDocument {
  const { apiVersion, path } = list;
  const items = itemsOf(list).map((value, index) => {
    const at = `${path}${path && '.'}items[${index}]`;
    if (!isObject(value)) return readObject(readType(value, at), message, reading);
    return readObject({ value, apiVersion, kind: itemKind, path: at }, message, reading);
  });
  return listOf(list, items, reading);
}

/** `v1 List`, which kubectl makes up: items of any kind, each with its own type. */
function readMixedList(list: Typed, reading: Reading, depth: number): KubeDocument {
  if (depth >= MAX_LISTS) {
    throw new UserError('lists are nested too deeply in lists', 'Give the objects in one List.');
  }
  const items = itemsOf(list).flatMap((value, index) => {
    const at = `${list.path}${list.path && '.'}items[${index}]`;
    const document = readDocument(readType(value, at), reading, depth + 1);
    if (document?.type === 'status') {
      throw new UserError(`${at} is a Status and no object`, 'Save the objects again.');
    }
    return document === undefined ? [] : document.type === 'list' ? document.items : [document.object];
  });
  return listOf(list, items, reading);
}

function readDocument(typed: Typed, reading: Reading, depth: number): KubeDocument | undefined {
  const { value, apiVersion, kind } = typed;
  if (kind === 'Status')
    return makeStatus(cutJson(descriptorOf(STATUS.name), value, typed.path || 'Status', reading.budget));
  if (kind === 'List') return readMixedList(typed, reading, depth);
  const entry = findEntry(apiVersion, kind);
  if (entry) return { type: 'object', object: readObject(typed, entry.object, reading) };
  const isList = kind.endsWith('List');
  const itemKind = isList ? kind.slice(0, -'List'.length) : kind;
  const listed = isList ? findEntry(apiVersion, itemKind) : undefined;
  if (listed) return readTypedList(typed, itemKind, listed.item, reading);
  reading.onUnknown(apiVersion, itemKind);
  return undefined;
}

/**
 * A value from JSON or YAML → the document it is, its objects cut to their messages; undefined after onUnknown for
 * a kind that is not read here. Throws UserError naming the path where it is not what it should be.
 */
export function decodeKubeJson(value: unknown, reading: Reading): KubeDocument | undefined {
  return readDocument(readType(value, ''), reading, 0);
}
