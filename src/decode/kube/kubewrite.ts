// How Kubernetes objects become protobuf again, holding no more than this program reads of them.

import { Writer } from 'protobufjs/minimal.js';
import type { Json, JsonObject } from '../../base/json.ts';
import { ANNOTATIONS } from '../../model/captured.ts';
import { ALL_KINDS, apiVersionOf, type MessageName } from '../../model/kinds.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import { type Descriptor, descriptorOf, type Field, type ScalarName } from '../schema/descriptor.ts';
import type { WellKnownName } from '../schema/wellknown.ts';

/** The message by which each kind is saved: what is read of it. */
const SAVED: ReadonlyMap<string, MessageName> = new Map(
  ALL_KINDS.filter(({ custom }) => custom !== true).map((kind) => [
    `${apiVersionOf(kind)}/${kind.kind}`,
    kind.saved ?? kind.message,
  ]),
);

const VARINT = 0;
const BYTES = 2;

/**
 * A list of one kind as the API server sends it: magic, envelope, items in the order given. Annotations that are not
 * read, such as the last applied configuration, are left out. Throws Error for a kind that is not saved.
 */
export function encodeKubeList(apiVersion: string, kind: string, items: readonly KubeObject[]): Uint8Array {
  const message = SAVED.get(`${apiVersion}/${kind}`);
  if (message === undefined) throw new Error(`${apiVersion}/${kind} has no message to be saved by`);
  const list = Writer.create();
  for (const item of items) {
    writeNested(list, 2, (writer) => writeMessage(writer, descriptorOf(message), withoutStrangers(item)));
  }
  const envelope = Writer.create();
  writeNested(envelope, 1, (writer) => {
    writer.uint32(tagOf(1, BYTES)).string(apiVersion);
    writer.uint32(tagOf(2, BYTES)).string(`${kind}List`);
  });
  envelope.uint32(tagOf(2, BYTES)).bytes(list.finish());
  return Buffer.concat([Buffer.from('k8s\0', 'latin1'), envelope.finish()]);
}

/** The same as JSON, for kinds that exist in no other encoding. */
export function encodeKubeJsonList(
  apiVersion: string,
  kind: string,
  items: readonly KubeObject[],
): Uint8Array {
  const list = { apiVersion, kind: `${kind}List`, metadata: {}, items: items.map(withoutStrangers) };
  return Buffer.from(`${JSON.stringify(list)}\n`);
}

function withoutStrangers({ metadata, ...rest }: KubeObject): JsonObject {
  const { annotations, ...others } = metadata;
  const read = Object.entries(annotations ?? {}).filter(([name]) => ANNOTATIONS.includes(name));
  const kept = read.length === 0 ? others : { ...others, annotations: Object.fromEntries(read) };
  // The decoder made it of JSON's values.
  return { ...rest, metadata: kept } as unknown as JsonObject;
}

/** The fields of a message that the object has, in its order; others of the object are left out. */
function writeMessage(writer: Writer, message: Descriptor, object: JsonObject): void {
  for (const field of message.fields) {
    const value = object[field.name];
    if (value !== undefined && value !== null) REPEATS[field.repeat](writer, field, value);
  }
}

const REPEATS = {
  one: writeValue,
  list: (writer, field, value) => {
    for (const element of value as readonly Json[]) writeValue(writer, field, element);
  },
  map: (writer, field, value) => {
    const held = field.message!.fields[1]!;
    for (const [key, each] of Object.entries(value as JsonObject)) {
      writeNested(writer, field.id, (entry) => {
        entry.uint32(tagOf(1, BYTES)).string(key);
        writeValue(entry, held, each!);
      });
    }
  },
} satisfies Record<Field['repeat'], (writer: Writer, field: Field, value: Json) => void>;

function writeValue(writer: Writer, { id, scalar, message }: Field, value: Json): void {
  const form = scalar ?? message?.form;
  if (form === undefined) {
    writeNested(writer, id, (nested) => writeMessage(nested, message!, value as JsonObject));
    return;
  }
  const write = FORMS[form];
  if (write === undefined) throw new Error(`a field of type ${form} can't be written`);
  write(writer, id, value);
}

const writeTime = (writer: Writer, id: number, value: Json): void => {
  const text = String(value);
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = Math.floor(Date.parse(text) / 1000);
  writeNested(writer, id, (nested) => {
    nested.uint32(tagOf(1, VARINT)).int64(bitsOf(seconds));
    nested.uint32(tagOf(2, VARINT)).int32(Number(fraction.padEnd(9, '0').slice(0, 9)));
  });
};

/** What the fields of SAVED's messages are. */
const FORMS: Readonly<Partial<Record<ScalarName | WellKnownName, Form>>> = {
  string: (writer, id, value) => writer.uint32(tagOf(id, BYTES)).string(String(value)),
  bool: (writer, id, value) => writer.uint32(tagOf(id, VARINT)).bool(value === true),
  int32: (writer, id, value) => writer.uint32(tagOf(id, VARINT)).int32(Number(value)),
  time: writeTime,
  microTime: writeTime,
};
type Form = (writer: Writer, id: number, value: Json) => unknown;

function writeNested(writer: Writer, id: number, write: (nested: Writer) => unknown): void {
  writer.uint32(tagOf(id, BYTES)).fork();
  write(writer);
  writer.ldelim();
}

/** Two's complement of 64 bits in two halves: times before 1970 are negative. */
function bitsOf(value: number) {
  const bits = BigInt.asUintN(64, BigInt(value));
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: false };
}

function tagOf(id: number, wireType: number): number {
  return ((id << 3) | wireType) >>> 0;
}
