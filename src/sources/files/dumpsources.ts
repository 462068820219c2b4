// Which config dumps the files of -f hold, one each, several or in YAML, and how each is read.

import { createReadStream } from 'node:fs';
import { UserError } from '../../base/errors.ts';
import { type DumpForm, FORM_BYTES, recognizeForm, yamlDumpToJson } from '../../decode/dump/form.ts';
import { createItemReader, createListReader, type Span, type SpanReader } from '../../decode/dump/list.ts';
import type { DumpRequest } from '../cluster.ts';
import { fileError, readBytes as readPipe } from './bytestream.ts';
import { type DumpFile, readDump, readStream, STDIN, shownAs, untilAborted } from './dumpfiles.ts';
import { CHUNK_BYTES, isArchive, kindOf, readHead } from './filechunks.ts';

const NEVER = new AbortController().signal;

/** The dumps in the order given, no two of one name. A file that can't be used is one dump, which says so when it is opened. */
export async function findDumps(
  files: readonly DumpFile[],
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal = NEVER,
): Promise<readonly DumpSource[]> {
  const found: DumpSource[] = [];
  const names = new Set<string>();
  for (const file of files) {
    for (const source of await sourcesOf(file, stdin, signal)) {
      const name = names.has(source.name) ? `${source.name} in ${file.name}` : source.name;
      names.add(name);
      found.push({ ...source, name });
    }
  }
  return found;
}

async function sourcesOf(
  file: DumpFile,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<readonly DumpSource[]> {
  const kind = file.path === STDIN ? 'stream' : await kindOf(file.path);
  try {
    if (kind === 'stream') return await sourcesOfStream(file, stdin, signal);
    const form = kind === 'file' ? recognizeForm(await readHead(file.path, FORM_BYTES)) : 'dump';
    if (form === 'dump') return whole(file, (each, how) => readDump(file, stdin, each, how?.transient));
    return await readers[form](readFile(file.path), file, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return whole(file, () => failing(error));
  }
}

const readers = { list: listedDumps, yaml: yamlDumps } satisfies Record<Exclude<DumpForm, 'dump'>, unknown>;

/** A single dump is passed on as it comes; what must be read twice is held. */
async function sourcesOfStream(
  file: DumpFile,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<readonly DumpSource[]> {
  const stream = file.path === STDIN ? stdin : readPipe(file.path, signal);
  const { head, all } = await peek(untilAborted(stream, signal));
  if (isArchive(head)) throw archiveInStream(file);
  const form = recognizeForm(head);
  const shown = shownAs(file.path);
  const openOnce = once(shown, (each) => readStream(all, shown, each));
  if (form === 'dump') return whole(file, openOnce);
  const bytes = Buffer.concat(await Array.fromAsync(readStream(all, shown, signal)));
  return readers[form](readBytes(bytes), file, signal);
}

/** An archive is gone through more than once. */
function archiveInStream({ path }: DumpFile): UserError {
  return new UserError(
    `an archive can't be read from ${path === STDIN ? 'standard input' : 'a pipe'}`,
    'Name it by its path, as in -f before.tar.gz; save it first if it comes from elsewhere.',
  );
}

function whole({ name }: DumpFile, open: DumpSource['open']): readonly DumpSource[] {
  return [{ name, namespace: null, open }];
}

function readFile(path: string): ReadSpan {
  return ({ start = 0, end = Number.POSITIVE_INFINITY }, signal) =>
    createReadStream(path, { highWaterMark: CHUNK_BYTES, signal, start, end: end - 1 });
}

/** The first bytes of a stream, and the stream as if nothing had been taken. */
async function peek(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Buffer; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < FORM_BYTES) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Uint8Array, void, void> {
    try {
      if (head.length > 0) yield head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { head, all: all() };
}

/** A stream is over once it has been read, unless all of it is held. */
function once(shown: string, openIt: DumpSource['open']): DumpSource['open'] {
  let taken = false;
  let held: Promise<readonly Uint8Array[]> | undefined;
  return (signal, how) => {
    if (how?.again && !taken) held = Array.fromAsync(openIt(signal));
    if (held !== undefined) {
      taken = true;
      return replay(held);
    }
    if (taken) {
      return failing(
        new UserError(
          `${shown} has been read already, and can be read only once`,
          'Save the dump to a file, and give that with -f.',
        ),
      );
    }
    taken = true;
    return openIt(signal);
  };
}

async function* replay(chunks: Promise<readonly Uint8Array[]>): AsyncGenerator<Uint8Array, void, void> {
  yield* await chunks;
}

// biome-ignore lint/correctness/useYield: it fails before it could
async function* failing(error: UserError): AsyncGenerator<Uint8Array, void, void> {
  throw error;
}

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
