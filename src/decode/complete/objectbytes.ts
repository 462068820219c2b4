// How the bytes of one Kubernetes object become its JSON, and where a list's items begin and end.

import { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asBroken } from '../kube/kubeproto.ts';
import { enter, readTag, skip } from '../kube/wire.ts';
import { type Descriptor, descriptorOf, makeDescriptor } from '../schema/descriptor.ts';
import { type Findings, labelOf, MAX_FIELDS, summarise } from './findings.ts';
import { type CompleteKind, LIST_META, messageOfKind, OBJECT_META } from './kinds.ts';
import { pathOf, readMessage, type UnknownField } from './read.ts';
import { type Draft, showObject } from './show.ts';

/** etcd takes 1.5 MiB by default; a larger object can only be meant to exhaust memory. */
export const MAX_OBJECT_BYTES = 16 * 1024 * 1024;
/** Values in one object, of which a field of two bytes can make one; 1.5 MiB of real objects hold 50,000. */
export const MAX_VALUES = 500_000;
/** Kept of one object; more say nothing more. */
const MAX_TOLD = 100_000;

export interface Place {
  /** What the object is called in a sentence about its bytes: `the Lease`, `items[3] of the LeaseList`. */
  readonly what: string;
  /** Where its bytes begin in the whole. */
  readonly offset: number;
}

interface Read {
  readonly draft: Draft;
  readonly unknown: readonly UnknownField[];
}

/** Reads by a message and collects what it has no field for. */
export function readObject(bytes: Uint8Array, message: Descriptor, { what, offset }: Place): Read {
  if (bytes.length > MAX_OBJECT_BYTES) {
    throw new UserError(
      `${what} has ${bytes.length} bytes, more than any object of a cluster`,
      'The bytes are probably corrupt: fetch or save them again.',
    );
  }
  const reader = Reader.create(bytes);
  const unknown: UnknownField[] = [];
  const path: string[] = [];
  const onUnknown = (field: UnknownField): void => {
    if (unknown.length >= MAX_TOLD) throw new RangeError('more unknown fields than any message has');
    unknown.push(field);
  };
  const context = { path, budget: { left: MAX_VALUES, spent: tooManyValues }, onUnknown };
  try {
    return { draft: readMessage(reader, reader.len, message, context), unknown };
  } catch (thrown) {
    const at = pathOf({ path });
    throw asBroken(thrown, at === '' ? what : `${what}, in ${at},`, offset + reader.pos);
  }
}

/** What is said of an object that spends its budget. */
export function tooManyValues(path: string): UserError {
  return new UserError(
    `at ${path} the object has more than ${MAX_VALUES} values`,
    'The bytes are probably corrupt: fetch or save them again.',
  );
}

/** A kind that is known, to its last field. `type` is what JSON shows of it before everything else. */
export function decodeKnown(
  bytes: Uint8Array,
  kind: CompleteKind,
  type: JsonObject,
  place: Place,
  findings: Findings,
): JsonObject {
  const { draft, unknown } = readObject(bytes, messageOfKind(kind), place);
  const object = { ...type, ...showObject(draft, '') };
  for (const field of unknown) findings.unknownField(labelOf(kind.kind, object), field);
  return object;
}

const FOREIGN = makeDescriptor('an unknown kind', [[1, 'metadata', OBJECT_META, 'one', 'nonzero']]);
const NOTHING = makeDescriptor('nothing known', []);

/** Every object has ObjectMeta in field 1, but not everything in an envelope is an object. */
function readForeign(bytes: Uint8Array, place: Place): Read {
  try {
    const read = readObject(bytes, FOREIGN, place);
    const { metadata } = showObject(read.draft, '') as { readonly metadata?: { readonly name?: string } };
    if (metadata?.name !== undefined) return read;
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
  }
  return readObject(bytes, NOTHING, place);
}

/** A kind that is not known: its metadata, and the numbers and sizes of its other fields as `unknownFields`. */
export function decodeForeign(
  bytes: Uint8Array,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  type: JsonObject,
  place: Place,
  findings: Findings,
): JsonObject {
  const { draft, unknown } = readForeign(bytes, place);
  const unknownFields = summarise(unknown.filter(({ path }) => path === ''));
  if (unknownFields === undefined) {
    throw new UserError(
      `${place.what} has more than ${MAX_FIELDS} different fields`,
      'The bytes are probably corrupt: fetch or save them again.',
    );
  }
  const object = { ...type, ...showObject(draft, '') };
  const label = labelOf(kind, object);
  for (const field of unknown) if (field.path !== '') findings.unknownField(label, field);
  findings.unknownKind(label, apiVersion, unknownFields);
  return { ...object, unknownFields: unknownFields.map((field) => ({ ...field })) };
}

/** Every Kubernetes list: field 1 is its ListMeta, field 2 an item, both with a length. */
const LIST_META_TAG = (1 << 3) | 2;
const ITEM_TAG = (2 << 3) | 2;

interface Field {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

function* fieldsOf(reader: Reader): Generator<Field> {
  while (reader.pos < reader.len) {
    const tag = readTag(reader);
    const before = reader.pos;
    if (tag !== LIST_META_TAG && tag !== ITEM_TAG) {
      skip(reader, tag);
      yield { tag, start: before, end: reader.pos };
      continue;
    }
    const end = enter(reader);
    const start = reader.pos;
    reader.pos = end;
    yield { tag, start, end };
  }
}

export interface ListItem {
  readonly bytes: Uint8Array;
  readonly place: Place;
}

/**
 * Walks through the whole list once, so that one that is cut off is known before any of it is shown. Throws UserError
 * naming the byte where it breaks.
 */
export function readList(
  bytes: Uint8Array,
  kind: string,
  offset: number,
  findings: Findings,
): { readonly metadata: JsonObject; readonly items: () => Iterable<ListItem> } {
  const reader = Reader.create(bytes);
  const unknown: UnknownField[] = [];
  const metadata: Uint8Array[] = [];
  try {
    for (const { tag, start, end } of fieldsOf(reader)) {
      if (tag === LIST_META_TAG) metadata.push(bytes.subarray(start, end));
      else if (tag !== ITEM_TAG && unknown.length === 0) {
        unknown.push({ path: '', number: tag >>> 3, wireType: tag & 7, bytes: end - start });
      }
    }
  } catch (thrown) {
    throw asBroken(thrown, `the ${kind}`, offset + reader.pos);
  }
  const what = `the metadata of the ${kind}`;
  // Twice the same message is one message, in protobuf.
  const meta = readObject(Buffer.concat(metadata), descriptorOf(LIST_META), { what, offset });
  const shown = showObject(meta.draft, '');
  for (const field of meta.unknown) unknown.push({ ...field, path: 'metadata' });
  for (const field of unknown) findings.unknownField(labelOf(kind, {}), field);
  return { metadata: shown, items: () => itemsOf(bytes, kind, offset) };
}

function* itemsOf(bytes: Uint8Array, kind: string, offset: number): Generator<ListItem> {
  let index = 0;
  for (const { tag, start, end } of fieldsOf(Reader.create(bytes))) {
    if (tag !== ITEM_TAG) continue;
    const place = { what: `items[${index}] of the ${kind}`, offset: offset + start };
    yield { bytes: bytes.subarray(start, end), place };
    index += 1;
  }
}
