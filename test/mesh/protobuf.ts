// How the embedded mesh writes Kubernetes objects as protobuf: by table, independent of the decoder under test.

import protobuf from 'protobufjs/minimal.js';
import { type Field, type FieldType, type Message, messageOf, type Scalar, TYPE_META } from './messages.ts';

type Value = Readonly<Record<string, unknown>>;
type Writer = protobuf.Writer;

/** `k8s\0`, which begins everything that Kubernetes writes as protobuf. */
export const MAGIC = Buffer.from('k8s\0', 'latin1');

const EMPTY: Readonly<Record<Scalar, unknown>> = { string: '', int32: 0, int64: 0, bool: false };
const VARINT = 0;
const BYTES = 2;

/** An object or list in the API server's JSON shape as the API server's protobuf: magic, envelope, message. */
export function encodeObject(object: Value & { apiVersion: string; kind: string }): Buffer {
  const writer = protobuf.Writer.create();
  bytes(writer, 1, encodeMessage(TYPE_META, object));
  bytes(writer, 2, encodeMessage(messageOf(object.kind), object));
  bytes(writer, 3, Buffer.alloc(0));
  bytes(writer, 4, Buffer.alloc(0));
  return Buffer.concat([MAGIC, writer.finish()]);
}

/** A message without magic and envelope. */
export function encodeMessage(message: Message, value: Value): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const [name, field] of Object.entries(message)) writeField(writer, field, value[name]);
  return writer.finish();
}

function writeField(writer: Writer, [number, type, presence]: Field, value: unknown): void {
  if (presence === 'repeated') {
    for (const element of (value as readonly unknown[] | undefined) ?? []) {
      writeValue(writer, number, type, element);
    }
  } else if (value !== undefined && value !== null) {
    writeValue(writer, number, type, value);
  } else if (presence === 'always') {
    writeEmpty(writer, number, type);
  }
}

function writeEmpty(writer: Writer, number: number, type: FieldType): void {
  if (typeof type === 'object') bytes(writer, number, encodeMessage(type, {}));
  else if (type === 'time' || type === 'map' || type === 'json') bytes(writer, number, Buffer.alloc(0));
  else writeValue(writer, number, type, EMPTY[type]);
}

function writeValue(writer: Writer, number: number, type: FieldType, value: unknown): void {
  if (typeof type === 'object') bytes(writer, number, encodeMessage(type, value as Value));
  else WRITERS[type](writer, number, value);
}

const WRITERS = {
  string: (writer, number, value) => writer.uint32(tag(number, BYTES)).string(String(value)),
  int32: (writer, number, value) => writer.uint32(tag(number, VARINT)).int32(Number(value)),
  int64: (writer, number, value) => writer.uint32(tag(number, VARINT)).int64(Number(value)),
  bool: (writer, number, value) => writer.uint32(tag(number, VARINT)).bool(value === true),
  time: (writer, number, value) => bytes(writer, number, encodeTime(String(value))),
  json: (writer, number, value) => bytes(writer, number, encodeMessage(RAW, { raw: JSON.stringify(value) })),
  map: (writer, number, value) => {
    const entries = Object.entries(value as Record<string, string>);
    // Kubernetes sorts the keys of its maps so that equal objects have equal bytes.
    for (const [key, text] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      bytes(writer, number, encodeMessage(ENTRY, { key, value: text }));
    }
  },
} satisfies Record<
  Exclude<FieldType, Message>,
  (writer: Writer, number: number, value: unknown) => unknown
> as Record<Exclude<FieldType, Message>, (writer: Writer, number: number, value: unknown) => unknown>;

const RAW: Message = { raw: [1, 'string', 'always'] };
const ENTRY: Message = { key: [1, 'string', 'always'], value: [2, 'string', 'always'] };
const TIME: Message = { seconds: [1, 'int64', 'always'], nanos: [2, 'int32', 'always'] };

/** RFC 3339, with or without a fraction. */
function encodeTime(text: string): Uint8Array {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = Math.floor(new Date(text).getTime() / 1000);
  return encodeMessage(TIME, { seconds, nanos: Number(fraction.padEnd(9, '0').slice(0, 9)) });
}

function bytes(writer: Writer, number: number, value: Uint8Array): void {
  writer.uint32(tag(number, BYTES)).bytes(value);
}

function tag(number: number, wire: number): number {
  return ((number << 3) | wire) >>> 0;
}
