// How Kubernetes objects become JSON or YAML: each a document of its own, in the forms that kubectl reads.

import { UserError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { compareText } from '../base/order.ts';
import { member, STEP, stringify } from './json.ts';
import type { ObjectDocument } from './shapes.ts';
import { isMapping, mapping } from './yaml.ts';

/** One object stands alone; several are the items of a `v1 List`, as kubectl prints them. */
export async function* renderJsonObjects(
  documents: AsyncIterable<ObjectDocument>,
): AsyncGenerator<string, void, undefined> {
  let first: ObjectDocument | undefined;
  let count = 0;
  for await (const document of documents) {
    count += 1;
    if (count === 1) {
      // Only the next document tells whether it is the only one; a list's items are not read before.
      first = document;
      continue;
    }
    if (first !== undefined) {
      yield `{\n${member('kind', 'List')},\n${member('apiVersion', 'v1')},\n${member('metadata', {})},\n${STEP}"items": [\n`;
      yield* jsonDocument(first, 2);
      first = undefined;
    }
    yield ',\n';
    yield* jsonDocument(document, 2);
  }
  if (first !== undefined) yield* jsonDocument(first, 0);
  if (count > 0) yield count === 1 ? '\n' : `\n${STEP}]\n}\n`;
}

/** Text longer than Node can hold is no fault of the program's. */
function fitting<T>(make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new UserError('an object is too large to be printed', 'No object of a cluster is.', {
      cause: thrown,
    });
  }
}

/** Without a line break at the end. */
function* jsonDocument({ head, items }: ObjectDocument, depth: number): Generator<string, void, undefined> {
  const indent = STEP.repeat(depth);
  if (items === undefined) {
    yield fitting(() => `${indent}${stringify(head, depth)}`);
    return;
  }
  yield `${indent}{\n`;
  for (const [key, value] of Object.entries(head)) yield `${member(key, value, depth + 1)},\n`;
  yield `${indent}${STEP}"items": [`;
  let count = 0;
  for (const item of items) {
    const text = fitting(() => stringify(item, depth + 2));
    yield `${count === 0 ? '' : ','}\n${indent}${STEP.repeat(2)}${text}`;
    count += 1;
  }
  yield count === 0 ? `]\n${indent}}` : `\n${indent}${STEP}]\n${indent}}`;
}

/** Keys in alphabetical order, as the API server and kubectl write YAML. */
export async function* renderYamlObjects(
  documents: AsyncIterable<ObjectDocument>,
): AsyncGenerator<string, void, undefined> {
  let count = 0;
  for await (const document of documents) {
    if (count > 0) yield '---\n';
    yield* yamlDocument(document);
    count += 1;
  }
}

function* yamlDocument({ head, items }: ObjectDocument): Generator<string, void, undefined> {
  const keys = Object.keys(head).concat(items === undefined ? [] : 'items');
  for (const key of keys.sort(compareText)) {
    if (key === 'items' && items !== undefined) yield* yamlItems(items);
    else yield fitting(() => mapping({ [key]: sorted(head[key] ?? null) }, ''));
  }
}

function* yamlItems(items: Iterable<JsonObject>): Generator<string, void, undefined> {
  let count = 0;
  for (const item of items) {
    const lines = fitting(() => mapping({ items: [sorted(item)] }, ''));
    yield count === 0 ? lines : lines.slice(lines.indexOf('\n') + 1);
    count += 1;
  }
  if (count === 0) yield 'items: []\n';
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMapping(value)) return value;
  // fromEntries defines members, so that one named __proto__ stays one.
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, held]) => [key, sorted(held ?? null)]),
  );
}
