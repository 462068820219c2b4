// How saved config dumps are named and read: files, and `-` for stdin.

import path from 'node:path';
import { UsageError, UserError } from '../../base/errors.ts';
import { fileError } from './bytestream.ts';
import { readChunks } from './filechunks.ts';

export interface DumpFile {
  /** Base name; the path as given where base names coincide; `stdin` for `-`. */
  readonly name: string;
  /** As given; `-` is stdin. */
  readonly path: string;
}

export const STDIN = '-';
const MAX_DUMP_BYTES = 1024 * 1024 * 1024;

/** The dumps, each file once and with a name of its own. Throws UsageError on a second `-`. */
export function nameDumps(paths: readonly string[]): readonly DumpFile[] {
  if (paths.filter((file) => file === STDIN).length > 1) {
    throw new UsageError(
      'standard input can be read only once',
      'Give -f - once, and the other dumps as files.',
    );
  }
  const keys = paths.map(keyOf);
  const distinct = paths.filter((_file, index) => keys.indexOf(keys[index]!) === index);
  const bases = distinct.map(baseName);
  return distinct.map((file, index) => {
    const base = bases[index]!;
    const shared = bases.indexOf(base) !== bases.lastIndexOf(base);
    return { path: file, name: shared && file !== STDIN ? file : base };
  });
}

function keyOf(file: string): string {
  return file === STDIN ? STDIN : path.resolve(file);
}

function baseName(file: string): string {
  return file === STDIN ? 'stdin' : path.basename(file);
}

/**
 * The bytes of one dump as they are asked for, without a byte order mark; `transient` as in a DumpRequest. Throws
 * UserError naming the file when it can't be read or is empty, and the signal's reason when it is aborted.
 */
export async function* readDump(
  { path: file }: DumpFile,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  transient = false,
): AsyncGenerator<Uint8Array, void, void> {
  signal.throwIfAborted();
  const source = file === STDIN ? stdin : readChunks(file, transient);
  yield* readStream(source, shownAs(file), signal);
}

/** What a file is called in a sentence about it; the caller names it before the sentence. */
export function shownAs(file: string): string {
  return file === STDIN ? 'standard input' : 'the file';
}

/** The bytes of a stream, bounded and without a byte order mark. Throws as readDump does. */
export async function* readStream(
  source: AsyncIterable<Uint8Array>,
  shown: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  let size = 0;
  try {
    for await (const chunk of withoutMark(untilAborted(source, signal))) {
      size += chunk.length;
      if (size > MAX_DUMP_BYTES) throw tooLarge(shown);
      yield chunk;
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    throw fileError(thrown, shown);
  }
  if (size > 0) return;
  throw new UserError(
    `${shown} is empty`,
    'Save the config dump again, and check that the command succeeded.',
  );
}

function tooLarge(shown: string): UserError {
  return new UserError(
    `${shown} holds more than ${MAX_DUMP_BYTES / 1024 / 1024} MB`,
    'Check that it is the config dump of one ztunnel.',
  );
}

/** An iteration that ends with the signal's reason even while the source stays silent. */
export async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), aborted.promise]);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a source that is silent for ever would not end either.
    iterator.return?.().catch(() => {});
  }
}

const MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Leaves out a UTF-8 byte order mark, which may come byte by byte. */
async function* withoutMark(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < MARK.length && MARK.subarray(0, head.length).equals(head)) continue;
    const rest: Buffer = head.subarray(0, MARK.length).equals(MARK) ? head.subarray(MARK.length) : head;
    head = undefined;
    if (rest.length > 0) yield rest;
  }
  if (head !== undefined && head.length > 0) yield head;
}
