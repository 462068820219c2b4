// How the bytes of one Kubernetes object become its JSON, whatever its kind.

import { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asBroken } from '../kube/envelope.ts';
import type { Draft } from './draft.ts';
import { type Findings, labelOf, MAX_FIELDS, summarise } from './findings.ts';
import { type CompleteKind, messageOfKind, OBJECT_META } from './kinds.ts';
import { pathOf, readMessage, type UnknownField } from './read.ts';
import { showObject } from './show.ts';
import { type CompleteMessage, makeMessage } from './table.ts';

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
export function readObject(bytes: Uint8Array, message: CompleteMessage, { what, offset }: Place): Read {
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

const FOREIGN = makeMessage('an unknown kind', [[1, 'metadata', OBJECT_META, 'one', 'nonzero']]);
const NOTHING = makeMessage('nothing known', []);

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
