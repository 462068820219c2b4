// How a file, or standard input, is read as a whole and within bounds.

import { joinBytes, readBytes } from './bytestream.ts';
import { STDIN, untilAborted } from './dumpfiles.ts';
import { fileError } from './fileerror.ts';

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
