// Config dumps, in one piece and in small ones: both must say the same.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, UserError } from '../../src/base/errors.ts';
import { readDump } from '../decode/readdump.ts';
import type { Target } from './target.ts';

const FOLDER = path.join(import.meta.dirname, '../testdata/eras');
const KEPT_MEMBERS = 20;
/** Certificates are text like any other to the reader of dumps. */
const KEPT_CHARACTERS = 80;

/** A dump of each release, with the first entry of each section: what is longer takes longer, and finds nothing else. */
function seeds(): readonly Uint8Array[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => shortened(JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'))))
    .map((dump) => Buffer.from(JSON.stringify(dump)));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, KEPT_CHARACTERS);
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).slice(0, KEPT_MEMBERS);
  return Object.fromEntries(members.map(([key, held]) => [key, shortened(held)]));
}

const PIECES = [
  '{"__proto__":{"x":1}}',
  '"constructor":',
  '"__proto__":',
  '['.repeat(300),
  '{"a":'.repeat(300),
  '1e999',
  '123456789012345678901234567890',
  '-0',
  'null',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '\\',
  '"',
  ',',
  '\ufeff',
  '"certificates":[',
  '"workloads":null,',
].map((text) => Buffer.from(text));

type Outcome = { readonly dump: unknown } | { readonly message: string };

function outcome(input: Uint8Array, chunk: number): Outcome {
  try {
    return { dump: readDump(input, { keepRaw: true, chunk }) };
  } catch (thrown) {
    if (thrown instanceof UserError) return { message: messageOf(thrown) };
    throw thrown;
  }
}

export const dumps: Target = {
  name: 'dumps',
  seeds: seeds(),
  pieces: PIECES,
  read: (input) => {
    const [whole, pieces] = [outcome(input, Math.max(1, input.length)), outcome(input, 61)];
    if (!isDeepStrictEqual(whole, pieces)) {
      throw new Error(`in one piece ${JSON.stringify(whole)}, in small ones ${JSON.stringify(pieces)}`);
    }
  },
};
