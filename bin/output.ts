// A process's stream as cli.ts writes to it.

import { fstatSync, writeSync } from 'node:fs';
import type { WriteStream } from 'node:tty';
import { UserError } from '../src/base/errors.ts';
import type { Output } from '../src/cli/io.ts';

/** A stream that is opened when it is first used. */
export interface ProcessOutput extends Output {
  /** Settles once all that was written is handed on. */
  drain(): Promise<void>;
}

/** What any pipe takes at once. */
const SMALL = 4096;

/**
 * Writing settles once the text is handed on, so that it is complete before the process ends. `mayBlock` says whether
 * the process may stand still for a reader that does not read: only while an interrupt ends it all the same.
 */
export function outputOf(
  fd: number,
  open: () => NodeJS.WritableStream & Partial<WriteStream>,
  mayBlock: () => boolean,
): ProcessOutput {
  let stream: ReturnType<typeof open> | undefined;
  const opened = () => {
    // Without a listener a broken pipe would be an uncaught exception; write() reports it where it can be handled.
    stream ??= open().on('error', () => {});
    return stream;
  };
  const send = (data: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      // A file takes all at once, and would give nothing else a turn: not even Ctrl-C.
      opened().write(data, (error) => (error ? reject(explain(error)) : setImmediate(resolve)));
    });
  const write = async (text: string) => {
    if (text === '') return new Promise<void>((resolve) => setImmediate(resolve));
    // Opening a stream takes Node longer than all else that help and version do.
    const rest = stream === undefined && text.length <= SMALL && mayBlock() ? writeAtOnce(fd, text) : text;
    if (rest.length > 0 || stream !== undefined) await send(rest);
  };
  return {
    write,
    drain: async () => (stream === undefined ? undefined : send('')),
    get terminal() {
      if (stream === undefined && !isDevice(fd)) return undefined;
      const { isTTY, columns, rows } = opened();
      // A terminal that was told no size, as in some containers and editors, has 0 × 0.
      return isTTY ? { columns: columns || 80, rows: rows || 24 } : undefined;
    },
  };
}

/** Gives what could not be written yet. Throws what write() rejects with. */
function writeAtOnce(fd: number, text: string): Uint8Array {
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    if (error.code !== 'EAGAIN') throw explain(error);
  }
  return rest;
}

/** Every terminal is one. */
function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left',
  EBADF: 'it is not open for writing',
  EIO: 'its terminal or disk has failed',
};

/** A reader that has gone is nobody's mistake, and left as it is. */
function explain(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return error;
  const why = REASONS[error.code ?? ''] ?? error.message;
  return new UserError(`the output can't be written: ${why}`, 'Make room, or write it somewhere else.', {
    cause: error,
  });
}
