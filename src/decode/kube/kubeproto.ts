// How the bytes of a Kubernetes object or list in protobuf become a document.

import { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import { checkObject, type KubeDocument, makeList, makeStatus, type OnUnknown } from './document.ts';
import { asBroken, decodeEnvelope, type Envelope } from './envelope.ts';
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
