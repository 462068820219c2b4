// How a document becomes YAML text, item by item.
//
// Written here and not by js-yaml's dump: that one writes 2.4 MB/s and overflows the stack on a string of 2 MB, which a
// dump from a stranger may hold. The tests read this text back with js-yaml.

import type { JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import type { Document } from './shapes.ts';
import { escapeActing } from './terminal.ts';

/** The document in the layout of `kubectl -o yaml`: two spaces, list items not indented. One item held at a time. */
export function* renderYaml(document: Document): Generator<string, void, undefined> {
  const { apiVersion, kind, reference, clusters, items, summary, failures } = document;
  yield mapping({ apiVersion, kind, reference, clusters }, '');
  yield* renderItems(items);
  yield mapping({ summary, failures }, '');
}

function* renderItems(items: Iterable<JsonObject>): Generator<string, void, undefined> {
  let count = 0;
  for (const item of items) {
    yield (count === 0 ? 'items:\n' : '') + sequence([item], '');
    count += 1;
  }
  if (count === 0) {
    yield 'items: []\n';
  }
}

/** `key: value` lines, each beginning with the indentation. */
export function mapping(object: object, indent: string): string {
  const inner = `${indent}  `;
  return (
    Object.entries(object)
      // As in JSON, a member that is undefined is not there.
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => {
        const lines = nested(value, Array.isArray(value) ? indent : inner);
        return `${indent}${scalar(key)}:${lines === '' ? ` ${leaf(value, inner)}\n` : `\n${lines}`}`;
      })
      .join('')
  );
}

/** `- value` lines; a mapping or list inside begins on the line of its dash. */
function sequence(values: readonly unknown[], indent: string): string {
  const inner = `${indent}  `;
  return values
    .map((value) => {
      const lines = nested(value, inner);
      return `${indent}- ${lines === '' ? `${leaf(value, inner)}\n` : lines.slice(inner.length)}`;
    })
    .join('');
}

/** The lines of an object or list that has members; '' for everything that stands behind its key or dash. */
function nested(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return sequence(value, indent);
  }
  return isMapping(value) ? mapping(value, indent) : '';
}

/** A value on one line, or a `|` block whose lines have the indentation. */
function leaf(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    return isText(value) ? block(value, indent) : scalar(value);
  }
  if (isMapping(value) || Array.isArray(value)) {
    return Array.isArray(value) ? '[]' : '{}';
  }
  return JSON.stringify(value) ?? 'null';
}

/** An object, and no list or number that JSON.rawJSON made. */
export function isMapping(value: unknown): value is object {
  return isObject(value) && !isRawJSON(value);
}

/** Node 22 has it; TypeScript's library does not know it yet. */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): boolean };

/** Begins with a letter, `_` or `/`, so it is no number, date or address; YAML 1.1's words for true, false and null apart. */
const PLAIN_START = /^[A-Za-z_/]/;
/** No quantifier, as V8 overflows its stack on millions of repetitions. */
const NOT_PLAIN = /[^\w/.:@+=-]|[:@+=]$/;
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** Plain where no YAML reader can take it for anything else; otherwise as in JSON, which every YAML reader reads. */
function scalar(text: string): string {
  const isPlain = PLAIN_START.test(text) && !NOT_PLAIN.test(text);
  return isPlain && !WORDS.test(text) ? text : escapeActing(JSON.stringify(text));
}

/** Lines of printable ASCII (PEM text), none empty or beginning with a space. No quantifier: may be long. */
function isText(text: string): boolean {
  return text.includes('\n') && !/[^\n -~]|^[\n ]|\n[\n ]/.test(text);
}

function block(text: string, indent: string): string {
  const ended = text.endsWith('\n');
  const lines = ended ? text.slice(0, -1) : text;
  return `${ended ? '|' : '|-'}\n${indent}${lines.replaceAll('\n', `\n${indent}`)}`;
}
