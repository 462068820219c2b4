// How a file, or standard input, is read as a whole and within bounds.

import { createReadStream } from 'node:fs';
import { UserError } from '../errors.ts';
import { STDIN, untilAborted } from './dumpfiles.ts';
import { fileError } from './fileerror.ts';

/** What decodeInput takes at most, and as much as shows that there is more. */
const MAX_INPUT_BYTES = 400 * 1024 * 1024 + 1;

/** The bytes of a file; `-` is stdin. Throws UserError naming the file, and the signal's reason when it is aborted. */
export async function readInput(
  file: string,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const subject = file === STDIN ? 'standard input' : `the file ${file}`;
  try {
    return await readAll(file === STDIN ? stdin : createReadStream(file, { signal }), subject, signal);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    throw fileError(thrown, subject);
  }
}

async function readAll(
  source: AsyncIterable<Uint8Array>,
  subject: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(source, signal)) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) throw new UserError(`${subject} holds more than 400 MiB`, 'Split it.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
