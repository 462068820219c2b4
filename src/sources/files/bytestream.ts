// How whatever has a path is read as a stream: a file, a device, or a pipe that nobody may ever write to.

import { constants, createReadStream, open, type Stats, stat } from 'node:fs';
import { Socket } from 'node:net';
import { platform } from 'node:os';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { UserError } from '../../base/errors.ts';
import { CHUNK_BYTES, readPlain } from './filechunks.ts';

const statPath = promisify(stat);
const openFile = promisify(open);

/**
 * Its bytes. A pipe is opened at once, and waited for without a thread, and so is a terminal: a thread that waits to open
 * or read a file would keep the process from ending, even by Ctrl-C. Throws Node's errors, and the signal's when it is
 * aborted.
 */
export async function* readBytes(file: string, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  const kind = await statPath(file);
  // A folder is none, but says so by the same error as if it were.
  yield* kind.isFile() || kind.isDirectory() ? readPlain(file) : await openSource(file, kind, signal);
}

/** Bun reads pipes and terminals without keeping the process; a Socket or a terminal's stream of theirs gives nothing there. */
const ON_BUN = 'Bun' in globalThis;

async function openSource(file: string, kind: Stats, signal: AbortSignal | undefined): Promise<Readable> {
  const ended = signal && { signal };
  if (ON_BUN) return createReadStream(file, { highWaterMark: CHUNK_BYTES, ...ended });
  // Linux alone tells a pipe that was never written to from one whose writer has gone.
  const isPipe = kind.isFIFO() && platform() === 'linux';
  const fd = await openFile(file, isPipe ? constants.O_RDONLY | constants.O_NONBLOCK : 'r');
  if (isPipe) return new Socket({ fd, readable: true, writable: false, ...ended });
  if (isatty(fd)) return new ReadStream(fd, ended);
  return createReadStream(file, { fd, highWaterMark: CHUNK_BYTES, ...ended });
}

/** All of them, however they come. Throws what the source does, and UserError if there are more than `most`. */
export async function joinBytes(
  source: AsyncIterable<Uint8Array>,
  most: number,
  subject: string,
  hint: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > most) throw new UserError(`${subject} holds more than ${most / 1024 ** 2} MiB`, hint);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
