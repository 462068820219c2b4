// How small pieces of text, or lines, become chunks worth a write.

import { printable } from './terminal.ts';

/** Characters, not bytes; large enough that a write is not felt, small enough that nothing piles up. */
const CHUNK = 64 * 1024;

/** An empty chunk: nothing to write, and a turn for whoever waits, amid work that writes nothing for long. */
export const PAUSE = '';

/** The same text in chunks of about 64 K characters, each the end of a piece, pauses as they come; nothing for no text. */
export function* joined(pieces: Iterable<string>): Generator<string, void, undefined> {
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length >= CHUNK || piece === PAUSE) {
      yield waiting;
      waiting = '';
    }
  }
  if (waiting !== '') yield waiting;
}

/** The same for pieces that have to be waited for, as well as for others: those are not waited for one by one. */
export async function* inChunks(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  if (Symbol.iterator in pieces) {
    yield* joined(pieces);
    return;
  }
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length >= CHUNK || piece === PAUSE) {
      yield waiting;
      waiting = '';
    }
  }
  if (waiting !== '') yield waiting;
}

/** Each line followed by a line break. A line break inside a line is spelled out: no name can forge a second one. */
export function* renderLines(lines: Iterable<string>): Generator<string, void, undefined> {
  for (const line of lines) {
    yield `${printable(line)}\n`;
  }
}
