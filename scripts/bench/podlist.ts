// How long a list of 10,000 pods takes to read as protobuf, against JSON.parse of the same list as JSON.

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import protobuf from 'protobufjs/minimal.js';
import { decodeKube } from '../../src/decode/kube/object.ts';

const PODS = 10_000;
const RUNS = 15;
const MAGIC_BYTES = 4;

export interface PodListTimes {
  readonly protobufMs: number;
  readonly jsonMs: number;
}

/** Medians of the two, taken in turn. */
export function measurePodList(): PodListTimes {
  const capture = JSON.parse(readFileSync(captured('json'), 'utf8'));
  const pods: readonly { metadata: { name: string; uid: string } }[] = capture.items;
  const bytes = growProtobuf(readFileSync(captured('pb')), pods);
  const text = growJson(capture, pods);
  const times = { protobuf: [] as number[], json: [] as number[] };
  for (let run = 0; run < RUNS; run += 1) {
    times.protobuf.push(timeOf(() => decodeKube(bytes, 'application/vnd.kubernetes.protobuf')));
    times.json.push(timeOf(() => JSON.parse(text)));
  }
  return { protobufMs: median(times.protobuf), jsonMs: median(times.json) };
}

/** All pods of a mesh as a real API server sent them. */
function captured(kind: 'json' | 'pb'): URL {
  return new URL(`../../test/testdata/kubernetes/all-pods.${kind}`, import.meta.url);
}

function growJson(capture: object, pods: readonly { metadata: { name: string; uid: string } }[]): string {
  const texts = pods.map((pod) => JSON.stringify(pod));
  const items = Array.from({ length: PODS }, (_, index) => {
    const { name, uid } = pods[index % pods.length]!.metadata;
    const text = texts[index % pods.length]!;
    return text.replaceAll(name, renamed(name, index)).replaceAll(uid, renamed(uid, index));
  });
  return JSON.stringify({ ...capture, items: [] }).replace('"items":[]', () => `"items":[${items.join()}]`);
}

/** The captured items again and again, each under a name and uid of its own: of the same length, so that nothing moves. */
function growProtobuf(
  capture: Buffer,
  pods: readonly { metadata: { name: string; uid: string } }[],
): Uint8Array {
  const list = fieldsOf(fieldsOf(capture.subarray(MAGIC_BYTES)).find(({ number }) => number === 2)!.bytes);
  const items = list.filter(({ number }) => number === 2).map(({ bytes }) => Buffer.from(bytes));
  const raw = protobuf.Writer.create();
  for (const { number, bytes } of list) if (number !== 2) raw.uint32(number * 8 + 2).bytes(bytes);
  for (let index = 0; index < PODS; index += 1) {
    const { name, uid } = pods[index % pods.length]!.metadata;
    const item = items[index % items.length]!.toString('latin1');
    const grown = item.replaceAll(name, renamed(name, index)).replaceAll(uid, renamed(uid, index));
    raw.uint32(2 * 8 + 2).bytes(Buffer.from(grown, 'latin1'));
  }
  const envelope = protobuf.Writer.create();
  for (const { number, bytes } of fieldsOf(capture.subarray(MAGIC_BYTES))) {
    envelope.uint32(number * 8 + 2).bytes(number === 2 ? raw.finish() : bytes);
  }
  return Buffer.concat([capture.subarray(0, MAGIC_BYTES), envelope.finish()]);
}

/** A message whose fields all hold bytes. */
function fieldsOf(message: Uint8Array): readonly { readonly number: number; readonly bytes: Uint8Array }[] {
  const reader = protobuf.Reader.create(message);
  const fields = [];
  while (reader.pos < reader.len) fields.push({ number: reader.uint32() >>> 3, bytes: reader.bytes() });
  return fields;
}

/** Text of the same length that ends in the number. */
function renamed(text: string, index: number): string {
  const end = index.toString(36).padStart(5, '0');
  return text.slice(0, -end.length) + end;
}

function timeOf(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
