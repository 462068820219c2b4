// How several config dumps in one file, or dumps in YAML, are found and read.

import { FORM_BYTES, recognizeForm } from '../../decode/dump/form.ts';
import { createItemReader, createListReader, type Span, type SpanReader } from '../../decode/dump/list.ts';
import { yamlDumpToJson } from '../../decode/dump/yaml.ts';
import type { DumpRequest } from '../cluster.ts';
import { type DumpFile, readStream, shownAs, untilAborted } from './dumpfiles.ts';
import { CHUNK_BYTES } from './filechunks.ts';
import { fileError } from './fileerror.ts';

/** One config dump. */
export interface DumpSource {
  /** The file's, or what a list says. */
  readonly name: string;
  readonly namespace: string | null;
  /** The bytes; of a stream only once, unless it was said the first time that there will be another. Throws as readDump does. */
  open(signal: AbortSignal, how?: Pick<DumpRequest, 'transient' | 'again'>): AsyncIterable<Uint8Array>;
}

/** Reads bytes of what can be read more than once; all of them for `{}`. */
export type ReadSpan = (span: Partial<Span>, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** The dumps of a list: first where its items stand, then what each says of itself. */
export async function listedDumps(
  read: ReadSpan,
  file: DumpFile,
  signal: AbortSignal,
): Promise<readonly DumpSource[]> {
  const items = await readThrough(read({}, signal), createListReader(), file, signal);
  const sources: DumpSource[] = [];
  for (const [index, { start, end }] of items.entries()) {
    const item = await readThrough(read({ start, end }, signal), createItemReader(), file, signal);
    const span = { start: start + item.dump.start, end: start + item.dump.end };
    sources.push({
      name: item.ztunnel?.name ?? `${file.name}[${index}]`,
      namespace: item.ztunnel?.namespace ?? null,
      open: (each) => readStream(read(span, each), shownAs(file.path), each),
    });
  }
  return sources;
}

async function readThrough<T>(
  bytes: AsyncIterable<Uint8Array>,
  reader: SpanReader<T>,
  file: DumpFile,
  signal: AbortSignal,
): Promise<T> {
  try {
    for await (const chunk of untilAborted(bytes, signal)) reader.write(chunk);
    return reader.end();
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, shownAs(file.path));
  }
}

/** YAML is read whole, and then like the JSON that it stands for. */
export async function yamlDumps(
  read: ReadSpan,
  file: DumpFile,
  signal: AbortSignal,
): Promise<readonly DumpSource[]> {
  const bytes = Buffer.concat(
    await Array.fromAsync(readStream(read({}, signal), shownAs(file.path), signal)),
  );
  const json = yamlDumpToJson(bytes) ?? bytes;
  const again = readBytes(json);
  if (recognizeForm(json.subarray(0, FORM_BYTES)) === 'list') return listedDumps(again, file, signal);
  return [
    {
      name: file.name,
      namespace: null,
      open: (each) => readStream(again({}, each), shownAs(file.path), each),
    },
  ];
}

/** Bytes that are held in memory. */
export function readBytes(bytes: Uint8Array): ReadSpan {
  return async function* ({ start, end }) {
    const wanted = bytes.subarray(start, end);
    for (let at = 0; at < wanted.length; at += CHUNK_BYTES) yield wanted.subarray(at, at + CHUNK_BYTES);
  };
}
