// The mesh's protobuf is a real API server's, byte for byte, on the fields that its tables name.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import protobuf from 'protobufjs/minimal.js';
import { type Field, type Message, messageOf, TYPE_META } from './messages.ts';
import { encodeObject, MAGIC } from './protobuf.ts';

const TESTDATA = new URL('../testdata/kubernetes/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, TESTDATA));

const WHOLE = ['cart-leader-lease', 'node-a-lease', 'all-leases', 'shop-replicasets.partial'];
const CUT = ['all-pods', 'all-statefulsets', 'all-replicasets', 'all-jobs', 'nodes', 'cart-statefulset'];

describe('an object of a real API server, written from its JSON', () => {
  test.each(WHOLE)('%s: every byte', (name) => {
    const object = JSON.parse(read(`${name}.json`).toString());
    expect(encodeObject(object).equals(read(`${name}.pb`))).toBe(true);
  });

  test.each(CUT)('%s: every byte of the fields that the tables name', (name) => {
    const object = JSON.parse(read(`${name}.json`).toString());
    const envelope: Message = {
      typeMeta: [1, TYPE_META, 'always'],
      raw: [2, messageOf(object.kind), 'always'],
    };
    const cut = (bytes: Buffer) => Buffer.from(keepKnown(bytes.subarray(MAGIC.length), envelope));
    const real = cut(read(`${name}.pb`));
    expect(real.length).toBeGreaterThan(200);
    expect(cut(encodeObject(object)).toString('hex')).toBe(real.toString('hex'));
  });
});

test('a kind without a table is refused instead of being written wrong', () => {
  expect(() => encodeObject({ apiVersion: 'v1', kind: 'Secret' })).toThrow('no protobuf message for Secret');
});

/** The message again, without the fields that the table doesn't have. */
function keepKnown(bytes: Uint8Array, message: Message): Uint8Array {
  const known = new Map(Object.values(message).map((field): [number, Field] => [field[0], field]));
  const reader = protobuf.Reader.create(bytes);
  const writer = protobuf.Writer.create();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = known.get(tag >>> 3);
    if ((tag & 7) === 2) {
      const value = reader.bytes();
      if (field === undefined) continue;
      const nested = typeof field[1] === 'object' ? keepKnown(value, field[1]) : value;
      writer.uint32(tag).bytes(nested);
    } else {
      const value = reader.uint64();
      if (field !== undefined) writer.uint32(tag).uint64(value);
    }
  }
  return writer.finish();
}
