// How anything with a path is read, as a stream or as a whole, and what a failure of that means.

import { constants, createReadStream, lstatSync, open, type Stats, stat } from 'node:fs';
import { Socket } from 'node:net';
import { platform } from 'node:os';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { messageOf, UserError } from '../../base/errors.ts';
import { STDIN, untilAborted } from './dumpfiles.ts';
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

/** What decodeInput takes at most. */
const MAX_INPUT_BYTES = 400 * 1024 * 1024;

/** The bytes of a file; `-` is stdin. Throws UserError naming the file, and the signal's reason when it is aborted. */
export async function readInput(
  file: string,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const subject = file === STDIN ? 'standard input' : `the file ${file}`;
  const source = file === STDIN ? stdin : readBytes(file, signal);
  try {
    return await joinBytes(untilAborted(source, signal), MAX_INPUT_BYTES, subject, 'Split it.');
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    throw fileError(thrown, subject);
  }
}

type Explanation = readonly [what: string, hint: string];

const DEAD_LINK: Explanation = ['is a link that leads nowhere', 'Check the link with `ls -l`.'];

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: ['does not exist', 'Check the path; it starts from the current directory unless it begins with /.'],
  ENOTDIR: ['does not exist', 'Check the path; a part of it is a file, not a directory.'],
  EACCES: ['may not be read', 'Check its permissions with `ls -l`.'],
  EPERM: ['may not be read', 'Check its permissions with `ls -l`.'],
  EISDIR: ['is a directory', 'Name a file in it.'],
  ELOOP: DEAD_LINK,
};

/** `subject` begins the sentence: `The file x.json`. What already is a UserError passes through. */
export function fileError(thrown: unknown, subject: string): Error {
  if (thrown instanceof UserError) return thrown;
  const [what, hint] = explain(thrown as NodeJS.ErrnoException);
  return new UserError(`${subject} ${what}`, hint, { cause: thrown });
}

function explain(thrown: NodeJS.ErrnoException): Explanation {
  const { code = '', path } = thrown;
  if (code === 'ENOENT' && path !== undefined && isLink(path)) return DEAD_LINK;
  return EXPLANATIONS[code] ?? [`can't be read: ${messageOf(thrown)}`, 'Check the file, and try again.'];
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
