// How the bytes of a Kubernetes object or list in protobuf, in its envelope, become a document.

import { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import { MESSAGES } from '../generated/messages.ts';
import { checkObject, type KubeDocument, makeList, makeStatus, type OnUnknown } from './document.ts';
import type { Draft, Message } from './message.ts';
import { findEntry, LIST_META, STATUS } from './scheme.ts';
import { enter, readTag, skip } from './wire.ts';

/** etcd takes 1.5 MiB by default; a larger object can only be meant to exhaust memory. */
const MAX_OBJECT_BYTES = 16 * 1024 * 1024;
/** Every Kubernetes list: field 1 is its ListMeta, field 2 an item, both with a length. */
const LIST_META_TAG = (1 << 3) | 2;
const ITEM_TAG = (2 << 3) | 2;

function readMessage(reader: Reader, end: number, message: Message, onto: Draft): JsonObject {
  if (end - reader.pos <= MAX_OBJECT_BYTES) return message.read(reader, end, onto);
  throw new UserError(
    `an object of ${end - reader.pos} bytes is larger than any that a cluster can hold`,
    'The bytes are probably corrupt: fetch or save them again.',
  );
}

/** Item by item, so that an error can say which one it was. */
function decodeList({ apiVersion, kind, offset }: Envelope, reader: Reader, item: Message): KubeDocument {
  const ofItems = itemKind(kind);
  const items: KubeObject[] = [];
  let meta: JsonObject = {};
  try {
    while (reader.pos < reader.len) {
      const tag = readTag(reader);
      if (tag === ITEM_TAG) {
        const object = readMessage(reader, enter(reader), item, typed(item, apiVersion, ofItems));
        items.push(checkObject(object, 'items', items.length));
      } else if (tag === LIST_META_TAG)
        meta = readMessage(reader, enter(reader), LIST_META, LIST_META.create());
      else skip(reader, tag);
    }
  } catch (thrown) {
    throw asBroken(thrown, `items[${items.length}] of the ${kind}`, offset + reader.pos);
  }
  return makeList(apiVersion, kind, meta, items);
}

function typed(message: Message, apiVersion: string, kind: string): Draft {
  const object = message.create();
  object.apiVersion = apiVersion;
  object.kind = kind;
  return object;
}

function decodeSingle({ apiVersion, kind, offset }: Envelope, reader: Reader, message: Message): JsonObject {
  try {
    return readMessage(reader, reader.len, message, typed(message, apiVersion, kind));
  } catch (thrown) {
    throw asBroken(thrown, `the ${kind}`, offset + reader.pos);
  }
}

/** `PodList` holds Pods. */
export function itemKind(listKind: string): string {
  return listKind.slice(0, -'List'.length);
}

/** Bytes that begin with the magic → what they hold. undefined after onUnknown for a kind that is not read. */
export function decodeKubeProtobuf(bytes: Uint8Array, onUnknown: OnUnknown): KubeDocument | undefined {
  const envelope = decodeEnvelope(bytes);
  const { apiVersion, kind, raw } = envelope;
  const reader = Reader.create(raw);
  if (kind === 'Status') return makeStatus(decodeSingle(envelope, reader, STATUS));
  const entry = findEntry(apiVersion, kind);
  if (entry) {
    const object = decodeSingle(envelope, reader, entry.object);
    return { type: 'object', object: checkObject(object, kind) };
  }
  const listed = kind.endsWith('List') ? findEntry(apiVersion, itemKind(kind)) : undefined;
  if (listed) return decodeList(envelope, reader, listed.item);
  onUnknown(apiVersion, kind.endsWith('List') ? itemKind(kind) : kind);
  return undefined;
}

/** `k8s\0` */
const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own bytes, a view and no copy. */
  readonly raw: Uint8Array;
  /** Where they begin in the whole, for messages. */
  readonly offset: number;
}

export function hasMagic(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte);
}

/** A UserError that says where protobuf breaks; anything but the decoder's own errors is given back as it is. */
export function asBroken(thrown: unknown, what: string, offset: number): unknown {
  if (!(thrown instanceof Error) || (thrown.constructor !== Error && !(thrown instanceof RangeError)))
    return thrown;
  return new UserError(
    `the protobuf of ${what} is cut off or corrupt at byte ${offset}`,
    'Fetch or save it again, whole and unchanged.',
    { cause: thrown },
  );
}

/** What runtime.Unknown holds, once read. */
interface Unknown {
  readonly typeMeta?: { readonly apiVersion?: string; readonly kind?: string };
  readonly raw?: Uint8Array;
  readonly contentEncoding?: string;
  readonly contentType?: string;
}

/** Reads what stands behind the magic. Throws UserError if it is broken or wrapped in a way that is not read here. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  // A Buffer, because readText needs one; a view, no copy.
  const reader = Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  reader.pos = MAGIC.length;
  let unknown: Unknown;
  try {
    unknown = MESSAGES['k8s.io.apimachinery.pkg.runtime.Unknown'].read(reader, reader.len, {}) as Unknown;
  } catch (thrown) {
    throw asBroken(thrown, 'the envelope', reader.pos);
  }
  const { typeMeta, raw = bytes.subarray(bytes.length), contentEncoding, contentType } = unknown;
  if (contentEncoding || contentType) {
    throw new UserError(
      `the protobuf envelope holds ${JSON.stringify(contentType || contentEncoding)} instead of plain protobuf`,
      'Save the object as JSON instead.',
    );
  }
  const { apiVersion = '', kind = '' } = typeMeta ?? {};
  return { apiVersion, kind, raw, offset: raw.byteOffset - bytes.byteOffset };
}
