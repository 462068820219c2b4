// Where in the bytes of a list of Kubernetes objects its items stand.

import { Reader } from 'protobufjs/minimal.js';
import type { JsonObject } from '../../base/json.ts';
import { asBroken } from '../kube/envelope.ts';
import { enter, readTag, skip } from '../kube/wire.ts';
import { type Findings, labelOf } from './findings.ts';
import { LIST_META } from './kinds.ts';
import { type Place, readObject } from './objectbytes.ts';
import type { UnknownField } from './read.ts';
import { showObject } from './show.ts';
import { messageOf } from './table.ts';

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
  const meta = readObject(Buffer.concat(metadata), messageOf(LIST_META), { what, offset });
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
