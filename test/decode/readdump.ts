// How tests read a config dump: all sections or some, in chunks of a given size.

import { createDumpReader } from '../../src/decode/dump/configdump.ts';
import { type ConfigDump, SECTIONS, type Section } from '../../src/model/dump.ts';

export interface ReadOptions {
  readonly sections?: readonly Section[];
  readonly keepRaw?: boolean;
  readonly ownWorkloads?: boolean;
  /** Bytes a chunk; all in one by default. */
  readonly chunk?: number;
}

/** Reads a dump given as bytes, as text, or as a value. Stops when the reader says so. */
export function readDump(input: unknown, options: ReadOptions = {}): ConfigDump {
  const bytes = toBytes(input);
  const reader = createDumpReader({
    sections: new Set(options.sections ?? SECTIONS),
    keepRaw: options.keepRaw ?? false,
    ownWorkloads: options.ownWorkloads,
  });
  const size = options.chunk ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += size) {
    if (reader.write(bytes.subarray(at, at + size))) break;
  }
  return reader.end();
}

function toBytes(input: unknown): Uint8Array {
  if (input instanceof Uint8Array) return input;
  return Buffer.from(typeof input === 'string' ? input : JSON.stringify(input));
}
