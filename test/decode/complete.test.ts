// Every field of every kind that `decode` reads, against pairs that Kubernetes' own codecs made (test/controlplane/objects).

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/base/json.ts';
import type { Findings } from '../../src/decode/complete/findings.ts';
import { parseExactJson } from '../../src/decode/complete/json.ts';
import { findKind, findListed, knownKinds, messageOfKind } from '../../src/decode/complete/kinds.ts';
import { normalise } from '../../src/decode/complete/normalise.ts';
import { decodeEnveloped } from '../../src/decode/complete/protobuf.ts';
import { canonicalQuantity } from '../../src/decode/complete/quantity.ts';
import { decodeValue } from '../../src/decode/complete/values.ts';
import { decodeEnvelope } from '../../src/decode/kube/kubeproto.ts';
import { writeDraft } from './draftwriter.ts';
import { unset } from './unset.ts';

const FOLDER = path.join(import.meta.dirname, '../testdata/decode');
const read = (name: string): Buffer => readFileSync(path.join(FOLDER, name));
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.pb'))
  .map((name) => name.slice(0, -'.pb'.length))
  .sort();

/** Anything that is found is too much. */
const nothingFound = new Proxy({} as Findings, {
  get:
    (_, found) =>
    (...what: unknown[]) => {
      throw new Error(`${String(found)}: ${JSON.stringify(what)}`);
    },
});

function jsonOf({ head, items }: ReturnType<typeof decodeEnveloped>): string {
  return JSON.stringify({ ...head, ...(items === undefined ? {} : { items: [...items] }) });
}

describe.each(NAMES)('%s', (name) => {
  // Go writes < and > as escapes, which JavaScript does not.
  const asServed = read(`${name}.json`).toString().trimEnd();
  const expected = JSON.stringify(parseExactJson(asServed));

  test('has the JSON that Kubernetes writes: fields, their order, and every digit', () => {
    expect(jsonOf(decodeEnveloped(read(`${name}.pb`), nothingFound))).toBe(expected);
    expect(expected.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')).toBe(asServed);
  });

  test('is the same when it comes as JSON', () => {
    const context = { budget: { left: asServed.length }, findings: nothingFound };
    expect(jsonOf(decodeValue(parseExactJson(asServed), context))).toBe(expected);
  });
});

describe.each(NAMES.filter((name) => !name.endsWith('-list')))('%s', (name) => {
  test('gives the same bytes when it is encoded again', () => {
    const { raw, apiVersion, kind } = decodeEnvelope(read(`${name}.pb`));
    const { head } = decodeEnveloped(read(`${name}.pb`), nothingFound);
    const { apiVersion: _, kind: __, ...value } = parseExactJson(JSON.stringify(head)) as JsonObject;
    const context = { budget: { left: 1e6 }, onExtra: (at: string) => expect(at).toBe('') };
    const draft = normalise(messageOfKind(findKind(apiVersion, kind)!), value, '', context);
    expect(Buffer.from(writeDraft(draft)).toString('hex')).toBe(Buffer.from(raw).toString('hex'));
  });
});

describe('the pairs', () => {
  test.each(NAMES.filter((name) => name.endsWith('-full')))('%s sets every field', (name) => {
    const { apiVersion, kind, ...object } = JSON.parse(read(`${name}.json`).toString());
    expect(unset(messageOfKind(findKind(apiVersion, kind)!), [object])).toEqual([]);
  });

  test('are there for every kind that is known', () => {
    const shown = new Set(
      NAMES.map((name) => JSON.parse(read(`${name}.json`).toString())).map(
        ({ apiVersion, kind }) => `${apiVersion} ${kind}`,
      ),
    );
    // Lists of metadata are in test/testdata/kubernetes.
    const missing = knownKinds().filter(
      ({ apiVersion, kind }) =>
        !shown.has(`${apiVersion} ${kind}`) && !findListed(apiVersion, kind)?.typedItems,
    );
    expect(missing).toEqual([]);
  });
});

test('amounts are written as Kubernetes writes them', () => {
  const rows = JSON.parse(read('quantities.json').toString()) as readonly (readonly [
    string,
    string | null,
  ])[];
  expect(rows.length).toBeGreaterThan(1000);
  const wrong = rows.filter(([written, canonical]) => (canonicalQuantity(written) ?? null) !== canonical);
  expect(wrong).toEqual([]);
});
