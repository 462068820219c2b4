// Where the config dumps stand in a list of them, as `all -o json` prints it.

import { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { brokenOff, tooMany } from '../json/errors.ts';
import { createJsonScanner } from '../json/jsonscan.ts';
import type { ScanHandler } from '../json/scanstate.ts';

/** Bytes from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One item of a list. */
export interface ListedDump {
  /** undefined if the item does not say. */
  readonly ztunnel: { readonly namespace: string | null; readonly name: string } | undefined;
  /** Of the dump, counted from the item's first byte. */
  readonly dump: Span;
}

/** Takes bytes in chunks of any size; throws UserError when they cannot be what is looked for. */
export interface SpanReader<T> {
  write(chunk: Uint8Array): void;
  end(): T;
}

const LIST_KIND = 'ConfigDumpList';
/** Ten times the ztunnels of the largest known mesh. */
const MAX_DUMPS = 100_000;
const HINT = 'Give the answer of /config_dump, or what kubectl ztunnel all -o json prints.';

/** Where the items of a list begin and end. */
export function createListReader(): SpanReader<readonly Span[]> {
  const items: Span[] = [];
  let kind: Json = null;
  let name = '';
  const handler: ScanHandler = {
    key(found) {
      name = found;
      return found === 'items' ? 'places' : found === 'kind' ? 'value' : 'skip';
    },
    open: () => {},
    member(_key, _text, start, end) {
      if (items.length >= MAX_DUMPS) throw tooMany(MAX_DUMPS, start);
      items.push({ start, end });
    },
    value(text) {
      if (name === 'kind') kind = JSON.parse(text) as Json;
    },
    close: () => false,
  };
  return reading(handler, () => {
    if (kind === LIST_KIND) return items;
    const shown = typeof kind === 'string' && /^\w{1,60}$/.test(kind) ? `a ${kind}` : 'a document';
    throw new UserError(`this is ${shown} of kubectl ztunnel, not config dumps`, HINT);
  });
}

/** What one item of a list says: whose dump it is, and where that stands. */
export function createItemReader(): SpanReader<ListedDump> {
  let ztunnel: ListedDump['ztunnel'];
  let start: number | undefined;
  let dump: Span | undefined;
  let name = '';
  const handler: ScanHandler = {
    key(found) {
      name = found;
      return found === 'dump' ? 'places' : found === 'ztunnel' ? 'value' : 'skip';
    },
    open(_shape, offset) {
      start = offset;
    },
    member: () => {},
    value(text) {
      if (name === 'ztunnel') ztunnel = readZtunnel(JSON.parse(text) as Json);
    },
    close(end) {
      if (name === 'dump' && start !== undefined) dump = { start, end };
      return false;
    },
  };
  return reading(handler, () => {
    if (dump === undefined) throw new UserError('an item of this list has no dump', HINT);
    return { ztunnel, dump };
  });
}

function readZtunnel(value: Json): ListedDump['ztunnel'] {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return undefined;
  return { namespace: typeof value.namespace === 'string' ? value.namespace : null, name: value.name };
}

function reading<T>(handler: ScanHandler, result: () => T): SpanReader<T> {
  const scanner = createJsonScanner(handler);
  return {
    write: (chunk) => void scanner.write(chunk),
    end() {
      const { offset, closed } = scanner.position();
      if (!closed) throw brokenOff(offset, 'before the list of dumps was whole');
      return result();
    },
  };
}
