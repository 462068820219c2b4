// How files are read in chunks, no further than needed, and what their first bytes say that they are.

import { close, fstat, open, read, readSync, stat } from 'node:fs';
import { promisify } from 'node:util';
import { constants, gunzipSync } from 'node:zlib';
import { UserError } from '../../base/errors.ts';

/** Of larger chunks, the memory itself takes longer to get than to fill. */
export const CHUNK_BYTES = 64 * 1024;
/** 2 MiB: a few milliseconds. */
const CHUNKS_A_TURN = 32;

// node:fs/promises and streams of files take longer to load than a small dump to read.
const openFile = promisify(open);
const statHandle = promisify(fstat);
const statPath = promisify(stat);
const readHandle = promisify(read);
const closeHandle = promisify(close);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * The file's bytes, each chunk in memory of its own unless they are `transient`: new memory takes longer than the read,
 * and V8 its time to give it back. Throws Node's errors, and UserError for a directory.
 */
export async function* readChunks(file: string, transient: boolean): AsyncGenerator<Uint8Array, void, void> {
  const handle = await openFile(file, 'r');
  try {
    if ((await statHandle(handle)).isDirectory()) {
      throw new UserError(
        'it is a directory, and no snapshot',
        'Name each dump or snapshot in it; diff reads a directory of several with --contexts.',
      );
    }
    yield* chunksOf(handle, transient);
  } finally {
    await closeHandle(handle);
  }
}

/** The same of a file that is none but a file. Throws Node's errors. */
export async function* readPlain(file: string): AsyncGenerator<Uint8Array, void, void> {
  const handle = await openFile(file, 'r');
  try {
    yield* chunksOf(handle, false);
  } finally {
    await closeHandle(handle);
  }
}

async function* chunksOf(handle: number, transient: boolean): AsyncGenerator<Uint8Array, void, void> {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let count = 1; ; count += 1) {
    if (!transient && count > 1) chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    // Handing a read of a file to another thread takes longer than the read.
    const bytes = readSync(handle, chunk, 0, CHUNK_BYTES, null);
    if (bytes === 0) return;
    yield chunk.subarray(0, bytes);
    // Whoever waits for something else (Ctrl-C) has a turn.
    if (count % CHUNKS_A_TURN === 0) await turn();
  }
}

/** Its first bytes, at most so many; none of a file that may not be read: who reads it will be told why. */
export async function readHead(file: string, bytes: number): Promise<Uint8Array> {
  const handle = await openFile(file, 'r').catch(() => undefined);
  if (handle === undefined) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await readHandle(handle, Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await closeHandle(handle);
  }
}

/** A stream (a pipe) can be read only once; undefined for what is not there. */
export async function kindOf(path: string): Promise<'file' | 'stream' | 'folder' | undefined> {
  const found = await statPath(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'stream';
}

/** Enough compressed bytes to unpack a tar archive's first header, and so few that they unpack to 4 MiB at the most. */
export const ARCHIVE_HEAD_BYTES = 4096;
/** Where a tar header says what it is. */
const TAR_MAGIC = { text: 'ustar', at: 257 };

/** A gzipped tar archive. A single dump that was compressed is none: who reads it will say so. */
export function isArchive(head: Uint8Array): boolean {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return false;
  try {
    const unpacked = gunzipSync(head.subarray(0, ARCHIVE_HEAD_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return unpacked.toString('latin1', TAR_MAGIC.at, TAR_MAGIC.at + TAR_MAGIC.text.length) === TAR_MAGIC.text;
  } catch {
    return false;
  }
}
