// How bytes that are good become bytes that may be bad.

import type { Random } from './random.ts';

/** What a target's inputs are made of. */
export interface Material {
  readonly seeds: readonly Uint8Array[];
  /** Pieces that mean something to the reader: tags, lengths, brackets, header lines. */
  readonly pieces: readonly Uint8Array[];
}

/** Longer inputs take longer, and find nothing else. */
const MAX_BYTES = 256 * 1024;
const MAX_CHANGES = 4;
const EDGES = [0x00, 0x01, 0x02, 0x7f, 0x80, 0xfe, 0xff] as const;

type Change = (bytes: Uint8Array, random: Random, material: Material) => Uint8Array;

const splice = (bytes: Uint8Array, start: number, end: number, ...between: readonly Uint8Array[]) =>
  Buffer.concat([bytes.subarray(0, start), ...between, bytes.subarray(end)]);

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  if (at < changed.length) changed[at] = value;
  return changed;
}

/** A stretch of the bytes, most often a short one. */
function stretch(bytes: Uint8Array, random: Random): readonly [start: number, end: number] {
  const start = random.below(bytes.length + 1);
  return [start, Math.min(bytes.length, start + random.below(random.pick([2, 8, 64, 1024])))];
}

const CHANGES: readonly Change[] = [
  (bytes, random) => {
    const at = random.below(bytes.length);
    return withByte(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)));
  },
  (bytes, random) => withByte(bytes, random.below(bytes.length), random.pick(EDGES)),
  (bytes, random) => withByte(bytes, random.below(bytes.length), random.below(256)),
  (bytes, random) => splice(bytes, ...stretch(bytes, random)),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => {
    const [start, end] = stretch(bytes, random);
    const copies = Array.from({ length: random.pick([1, 2, 50]) }, () => bytes.subarray(start, end));
    return splice(bytes, end, end, ...copies);
  },
  (bytes, random, { pieces }) => {
    const at = random.below(bytes.length + 1);
    return splice(bytes, at, at, random.pick(pieces));
  },
  (bytes, random, { pieces }) => splice(bytes, ...stretch(bytes, random), random.pick(pieces)),
  (bytes, random, { seeds }) => {
    const other = random.pick(seeds);
    return splice(bytes, ...stretch(bytes, random), other.subarray(...stretch(other, random)));
  },
];

/** A seed with some changes. */
export function mutate(material: Material, random: Random): Uint8Array {
  let bytes = random.pick(material.seeds);
  for (let left = 1 + random.below(MAX_CHANGES); left > 0; left -= 1) {
    bytes = random.pick(CHANGES)(bytes, random, material).subarray(0, MAX_BYTES);
  }
  return bytes;
}
