// How whole config dumps become JSON or YAML: one alone as it was sent, several as a list by ztunnel.

import { member, STEP } from './json.ts';
import type { DumpDocument, DumpItem } from './shapes.ts';
import { escapeActing, escapeControls } from './terminal.ts';
import { mapping } from './yaml.ts';

/** The dumps' own bytes, with what would act on a terminal escaped: the same JSON values. */
export async function* renderJsonDumps(document: DumpDocument): AsyncGenerator<string, void, undefined> {
  const { bare, items, apiVersion, kind, reference } = document;
  if (bare) {
    for await (const item of items) {
      yield* dumpText(item);
      yield '\n';
    }
    return;
  }
  yield `{\n${member('apiVersion', apiVersion)},\n${member('kind', kind)},\n`;
  yield `${member('reference', reference)},\n${STEP}"items": [`;
  let count = 0;
  for await (const item of items) {
    yield `${count === 0 ? '' : ','}\n${STEP.repeat(2)}{\n${member('ztunnel', item.ztunnel, 3)},\n`;
    yield `${STEP.repeat(3)}"dump": `;
    // A line break in JSON is layout, never part of a string, so that the text may be indented.
    for (const text of dumpText(item)) yield text.replaceAll('\n', `\n${STEP.repeat(3)}`);
    yield `\n${STEP.repeat(2)}}`;
    count += 1;
  }
  const { summary, failures } = document.end();
  yield `${count === 0 ? '' : `\n${STEP}`}],\n${member('summary', summary)},\n${member('failures', failures)}\n}\n`;
}

/** The dumps' values, key by key and element by element, so that none has to be one text. */
export async function* renderYamlDumps(document: DumpDocument): AsyncGenerator<string, void, undefined> {
  const { bare, items, apiVersion, kind, reference } = document;
  if (bare) {
    for await (const { value } of items) yield* dumpLines(value, '');
    return;
  }
  yield mapping({ apiVersion, kind, reference }, '');
  let count = 0;
  for await (const { ztunnel, value } of items) {
    yield `${count === 0 ? 'items:\n' : ''}- ${mapping({ ztunnel }, '  ').slice(2)}  dump:\n`;
    yield* dumpLines(value, '    ');
    count += 1;
  }
  if (count === 0) yield 'items: []\n';
  yield mapping(document.end(), '');
}

/** Text without white space around it, though it comes in pieces. */
function* dumpText({ chunks = [] }: DumpItem): Generator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pending = '';
  let begun = false;
  for (const chunk of chunks) {
    const text = pending + escapeControls(escapeActing(decoder.decode(chunk, { stream: true })));
    const trimmed = text.trimEnd();
    pending = text.slice(trimmed.length);
    if (trimmed === '') continue;
    yield begun ? trimmed : trimmed.trimStart();
    begun = true;
  }
}

function* dumpLines(value: DumpItem['value'], indent: string): Generator<string, void, undefined> {
  for (const [key, section] of Object.entries(value as object)) {
    if (!Array.isArray(section) || section.length === 0) {
      yield mapping({ [key]: section }, indent);
      continue;
    }
    yield mapping({ [key]: section.slice(0, 1) }, indent);
    for (const element of section.slice(1)) {
      // The element's lines without those of its key.
      const lines = mapping({ [key]: [element] }, indent);
      yield lines.slice(lines.indexOf('\n') + 1);
    }
  }
}
