// How a document becomes JSON text, item by item.

import type { JsonObject } from '../base/json.ts';
import type { Document } from './shapes.ts';
import { escapeActing } from './terminal.ts';

const INDENT = 4;
/** One level. */
export const STEP = ' '.repeat(INDENT);

/**
 * The document as JSON.stringify would write it with four spaces, and a final line break; characters that would act
 * on a terminal are escaped. Only one item is held at a time. Numbers made by JSON.rawJSON keep their digits.
 */
export function* renderJson(document: Document): Generator<string, void, undefined> {
  const { apiVersion, kind, reference, clusters, items, summary, failures } = document;
  yield `{\n${member('apiVersion', apiVersion)},\n`;
  yield `${member('kind', kind)},\n${member('reference', reference)},\n`;
  if (clusters !== undefined) yield `${member('clusters', clusters)},\n`;
  yield* renderItems(items);
  yield `${member('summary', summary)},\n${member('failures', failures)}\n}\n`;
}

function* renderItems(items: Iterable<JsonObject>): Generator<string, void, undefined> {
  let count = 0;
  for (const item of items) {
    yield `${count === 0 ? `${STEP}"items": [` : ','}\n${STEP}${STEP}${stringify(item, 2)}`;
    count += 1;
  }
  yield count === 0 ? `${STEP}"items": [],\n` : `\n${STEP}],\n`;
}

/** `"key": value` without a comma, so many levels deep. */
export function member(key: string, value: unknown, depth = 1): string {
  return `${STEP.repeat(depth)}${JSON.stringify(key)}: ${stringify(value, depth)}`;
}

/** A line break in JSON text is always layout, never part of a string, so it may be indented further. */
export function stringify(value: unknown, depth: number): string {
  return escapeActing(JSON.stringify(value, null, INDENT)).replaceAll('\n', `\n${STEP.repeat(depth)}`);
}
