// Where the top-level keys of a JSON object and the elements below them begin and end, found as bytes arrive.

import { GRAMMAR } from './grammar.ts';
import { takeGuessed } from './guessedmembers.ts';
import { createGuess, type Guess } from './jsonguess.ts';
import { scanNested, scanString } from './jsontoken.ts';
import { createScanState, endToken, membersTaken, type ScanHandler, type ScanState } from './scanstate.ts';

export interface ScanPosition {
  /** Bytes seen so far, or up to where the scanner was stopped. */
  readonly offset: number;
  /** True once the top-level object is closed. */
  readonly closed: boolean;
}

export interface JsonScanner {
  /** True once the handler wants no more. Throws UserError on broken structure, with the byte. */
  write(chunk: Uint8Array): boolean;
  position(): ScanPosition;
}

const SCALAR_END = new Set(Buffer.from(' \t\r\n,]}[{":'));

/**
 * Scans one JSON object as it arrives in chunks of any size. Structure is checked down to the members that were
 * asked for; below them, and in what is skipped, brackets and quotes must balance and nothing else is looked at.
 * Holds one member at a time.
 */
export function createJsonScanner(handler: ScanHandler): JsonScanner {
  const state = createScanState(handler);
  const guess = createGuess();
  return {
    write(bytes) {
      if (!state.stopped) scan(state, guess, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return state.stopped;
    },
    position: () => ({ offset: state.base, closed: state.expect === 'end' }),
  };
}

function scan(state: ScanState, guess: Guess, chunk: Buffer): void {
  let at = 0;
  while (at < chunk.length && !state.stopped) {
    let start = at; // of the token's part in this chunk
    if (state.token === 'none') {
      const byte = chunk[at]!;
      at += 1;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      start = at - 1;
      const taken = byte === 0x7b ? takeGuessed(state, guess, chunk, start) : -1;
      if (taken > 0) {
        at = taken;
        continue;
      }
      GRAMMAR[state.expect](state, byte, start);
      if (!hasToken(state)) continue;
    }
    const end = advance(state, chunk, at);
    if (end < 0) {
      state.capture.keep(chunk, start);
      break;
    }
    if (!passedOver(state, chunk, start, end)) {
      endToken(state, state.capture.text(chunk, start, end), state.base + end);
    }
    at = end;
  }
  state.base += state.stopped ? at : chunk.length;
}

const hasToken = ({ token }: ScanState): boolean => token !== 'none';

/** Runs the token on from `at`; gives the index behind it, or -1 when the chunk ends inside it. */
function advance({ token, nesting, base }: ScanState, chunk: Buffer, at: number): number {
  let end = at;
  if (token === 'nested') {
    end = scanNested(chunk, at, nesting, base);
    return nesting.depth === 0 ? end : -1;
  }
  if (token === 'scalar') {
    while (end < chunk.length && !SCALAR_END.has(chunk[end]!)) end += 1;
    return end < chunk.length ? end : -1;
  }
  end = scanString(chunk, at, nesting);
  return nesting.inString ? -1 : end;
}

/** Steps over a member of a list that lies in one chunk and is not wanted. */
function passedOver(state: ScanState, chunk: Buffer, from: number, to: number): boolean {
  const { frame, tokenOffset, base, handler } = state;
  if (frame !== 'list' || tokenOffset < base || handler.passOver?.(chunk, from, to) !== true) return false;
  state.token = 'none';
  membersTaken(state, 1);
  return true;
}
