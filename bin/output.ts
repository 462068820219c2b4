// A process's stream as cli.ts writes to it.

import type { WriteStream } from 'node:tty';
import { UserError } from '../src/errors.ts';
import type { Output } from '../src/io.ts';

/** A stream that is opened when it is first used. */
export interface ProcessOutput extends Output {
  /** Settles once all that was written is handed on. */
  drain(): Promise<void>;
}

/** Writing settles once the text is handed on, so that it is complete before the process ends. */
export function outputOf(open: () => NodeJS.WritableStream & Partial<WriteStream>): ProcessOutput {
  let stream: ReturnType<typeof open> | undefined;
  const opened = () => {
    // Without a listener a broken pipe would be an uncaught exception; write() reports it where it can be handled.
    stream ??= open().on('error', () => {});
    return stream;
  };
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      opened().write(text, (error) => (error ? reject(explain(error)) : resolve()));
    });
  return {
    write,
    drain: async () => (stream === undefined ? undefined : write('')),
    get terminal() {
      const { isTTY, columns, rows } = opened();
      // A terminal that was told no size, as in some containers and editors, has 0 × 0.
      return isTTY ? { columns: columns || 80, rows: rows || 24 } : undefined;
    },
  };
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
