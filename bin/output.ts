// A process's stream as cli.ts writes to it.

import type { WriteStream } from 'node:tty';
import type { Output } from '../src/cli.ts';

/** Writing settles once the text is handed on, so that it is complete before the process ends. */
export function outputOf(stream: NodeJS.WritableStream & Partial<WriteStream>): Output {
  // Without a listener a broken pipe would be an uncaught exception; write() reports it where it can be handled.
  stream.on('error', () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    get terminal() {
      return stream.isTTY ? { columns: stream.columns ?? 80, rows: stream.rows ?? 24 } : undefined;
    },
  };
}
