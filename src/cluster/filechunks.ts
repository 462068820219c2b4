// How files are read: in chunks that a scanner works through fast, and no further than asked.

import { close, fstat, open, read, stat } from 'node:fs';
import { promisify } from 'node:util';
import { UserError } from '../errors.ts';

/** Chunks of a quarter to one MiB are equally fast; smaller ones hold up those who need little of the file. */
export const CHUNK_BYTES = 256 * 1024;

// node:fs/promises and streams of files take longer to load than a small dump to read.
const openFile = promisify(open);
const statHandle = promisify(fstat);
const statPath = promisify(stat);
const readHandle = promisify(read);
const closeHandle = promisify(close);

/** The file's bytes, each chunk in memory of its own. Throws Node's errors, and UserError for a directory. */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array, void, void> {
  const handle = await openFile(file, 'r');
  try {
    if ((await statHandle(handle)).isDirectory()) {
      throw new UserError('it is a directory, not a config dump', 'Give each dump in it by its own -f.');
    }
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const { bytesRead } = await readHandle(handle, chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await closeHandle(handle);
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
