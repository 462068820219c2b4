// How Kubernetes protobuf, in its envelope or without, becomes a document.

import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { decodeEnvelope, type Envelope } from '../kube/kubeproto.ts';
import type { Findings } from './findings.ts';
import { findKind, findListed, LIST } from './kinds.ts';
import { decodeForeign, decodeKnown, type ListItem, type Place, readList } from './objectbytes.ts';

/** What is printed as one document: an object, or a list whose items are read while they are written. */
export interface ObjectDocument {
  /** Members in the order of the API server's JSON, without the items. */
  readonly head: JsonObject;
  /** undefined for what is no list. */
  readonly items?: Iterable<JsonObject>;
}

const LINE_FEED = 0x0a;

/** etcdctl ends a value that it prints with a line break, which is not part of it. */
function openEnvelope(bytes: Uint8Array): Envelope {
  try {
    return decodeEnvelope(bytes);
  } catch (thrown) {
    if (bytes.at(-1) !== LINE_FEED) throw thrown;
    return decodeEnvelope(bytes.subarray(0, -1));
  }
}

/** What an envelope says, or --type instead of it. */
type Message = Pick<Envelope, 'apiVersion' | 'kind' | 'raw' | 'offset'>;

/** A broken item is left out and told; the others are still shown. */
function* decodeItems(
  { apiVersion, kind }: Message,
  items: Iterable<ListItem>,
  findings: Findings,
): Generator<JsonObject> {
  const known = findListed(apiVersion, kind);
  const type = { kind: kind.slice(0, -LIST.length), apiVersion };
  const shown = known?.typedItems ? type : {};
  for (const { bytes, place } of items) {
    try {
      yield known
        ? decodeKnown(bytes, known, shown, place, findings)
        : decodeForeign(bytes, type, shown, place, findings);
    } catch (thrown) {
      findings.broken(thrown);
    }
  }
}

function decodeList(message: Message, findings: Findings): ObjectDocument {
  const { apiVersion, kind, raw, offset } = message;
  const { metadata, items } = readList(raw, kind, offset, findings);
  return { head: { kind, apiVersion, metadata }, items: decodeItems(message, items(), findings) };
}

/** The bytes of one message of that kind. Throws UserError where they break. */
export function decodeMessage(message: Message, findings: Findings): ObjectDocument {
  const { apiVersion, kind, raw, offset } = message;
  const known = findKind(apiVersion, kind);
  const place: Place = { what: `the ${kind}`, offset };
  const type = { kind, apiVersion };
  if (known) return { head: decodeKnown(raw, known, type, place, findings) };
  // metav1.List holds objects of any kind, each in an envelope of its own: read by none.
  if (kind.endsWith(LIST) && kind !== LIST) return decodeList(message, findings);
  return { head: decodeForeign(raw, type, type, place, findings) };
}

/** Bytes that begin with k8s\0. Throws UserError where they break. */
export function decodeEnveloped(bytes: Uint8Array, findings: Findings): ObjectDocument {
  const envelope = openEnvelope(bytes);
  if (envelope.kind !== '') return decodeMessage(envelope, findings);
  throw new UserError(
    'the protobuf envelope does not say what kind of object it holds',
    'The bytes are probably corrupt: fetch or save them again.',
  );
}
