// Kubernetes objects in protobuf: read for lists, read to their last field, and read again from what came of it.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../src/base/errors.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Findings } from '../../src/decode/complete/findings.ts';
import { decodeInput } from '../../src/decode/complete/input.ts';
import { parseExactJson } from '../../src/decode/complete/json.ts';
import { findKind, messageOfKind } from '../../src/decode/complete/kinds.ts';
import { normalise } from '../../src/decode/complete/normalise.ts';
import { decodeMessage } from '../../src/decode/complete/protobuf.ts';
import { decodeResources } from '../../src/decode/kube/object.ts';
import { writeDraft } from '../decode/draftwriter.ts';
import type { Target } from './target.ts';

const TESTDATA = path.join(import.meta.dirname, '../testdata');
/** Larger ones take long, and hold nothing else. */
const LARGEST_SEED = 4096;

function seeds(): readonly Uint8Array[] {
  return ['decode', 'kubernetes'].flatMap((folder) =>
    readdirSync(path.join(TESTDATA, folder))
      .filter((name) => /\.(?:pb|bin)$/.test(name))
      .sort()
      .map((name) => readFileSync(path.join(TESTDATA, folder, name)))
      .filter(({ length }) => length <= LARGEST_SEED),
  );
}

const PIECES = [
  'ffffffffffffffffff01',
  'ffffffff0f',
  '80808080808000',
  '0a00',
  '1200',
  '0aff01',
  '0b',
  '0c',
  '7a05',
  'fa0100',
  '08ffffffffffffffffff01',
  Buffer.from('\n\u0009__proto__\u0012\u0001x').toString('hex'),
  '6b387300',
].map((hex) => Buffer.from(hex, 'hex'));

/** A pointer to the zero time is null, which is read as none. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  const members = Object.entries(value as JsonObject).filter(([, held]) => held !== null);
  return Object.fromEntries(members.map(([key, held]) => [key, withoutNulls(held!)]));
}

const textOf = (object: JsonObject): string => JSON.stringify(withoutNulls(object));

function ignoring(broken: (thrown: unknown) => void): Findings {
  const ignore = () => {};
  return { unknownField: ignore, extraMember: ignore, unknownKind: ignore, cutShort: ignore, broken };
}

function refuse(thrown: unknown): never {
  throw thrown;
}

/** Encoding what was decoded, and decoding that, must give the same. */
function checkRoundTrip(object: JsonObject): void {
  const { apiVersion, kind, ...members } = object as JsonObject & { apiVersion: string; kind: string };
  const known = findKind(apiVersion, kind);
  if (known === undefined) return;
  const value = parseExactJson(JSON.stringify(members));
  const context = { budget: { left: 1e6 }, onExtra: (at: string) => refuse(new Error(`${at} is too much`)) };
  const raw = writeDraft(normalise(messageOfKind(known), value, '', context));
  const { head } = decodeMessage({ apiVersion, kind, raw, offset: 0 }, ignoring(refuse));
  if (textOf(head) !== textOf(object)) throw new Error(`${textOf(object)} became ${textOf(head)}`);
}

function readCompletely(input: Uint8Array): void {
  const findings = ignoring((thrown) => {
    if (!(thrown instanceof UserError)) throw thrown;
  });
  const options = { type: undefined, encoding: undefined, findingsAt: () => findings };
  for (const { head, items } of decodeInput(input, options)) {
    const { apiVersion, kind } = head as { apiVersion: string; kind: string };
    if (items === undefined) checkKept(head);
    for (const item of items ?? []) {
      checkKept({ kind: kind.replace(/List$/, ''), apiVersion, ...item });
    }
  }
}

/** What was shown must not be refused when it comes back; a UserError would be taken for a good end. */
function checkKept(object: JsonObject): void {
  try {
    checkRoundTrip(object);
  } catch (thrown) {
    throw thrown instanceof UserError ? new Error(`refused: ${thrown.message}`, { cause: thrown }) : thrown;
  }
}

export const objects: Target = {
  name: 'objects',
  seeds: seeds(),
  pieces: PIECES,
  read: (input) => {
    readCompletely(input);
    decodeResources(input);
  },
};
