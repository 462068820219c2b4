// How a person is asked before something is changed.

import type { Io } from './io.ts';

/** Longer than any yes. */
const LONGEST_ANSWER = 100;

/**
 * Asks on stderr and reads a line of stdin: `y` or `yes` is yes, everything else is no. undefined where one of the two is
 * no terminal, so that nobody would see the question or answer it. Throws the signal's reason on an interrupt.
 */
export function createConfirm({
  stdin,
  stdinIsTerminal,
  stderr,
  signal,
}: Pick<Io, 'stdin' | 'stdinIsTerminal' | 'stderr' | 'signal'>):
  | ((question: string) => Promise<boolean>)
  | undefined {
  if (!stdinIsTerminal || stderr.terminal === undefined) return undefined;
  return async (question) => {
    await stderr.write(`${question} [y/N] `);
    const answer = await Promise.race([readLine(stdin), interrupted(signal)]);
    return /^\s*y(es)?\s*$/i.test(answer);
  };
}

/** Up to the first line break, or what there is of it. */
async function readLine(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes('\n') || text.length > LONGEST_ANSWER) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

/** Never resolves. */
function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
