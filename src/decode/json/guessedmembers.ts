// How members of a list are taken in by the end that their layout suggests, without being scanned byte by byte.

import type { Guess } from './jsonguess.ts';
import { membersTaken, type ScanState } from './scanstate.ts';

/** Takes in the members of a list that begin at `from` of the chunk; gives the index behind them, or -1 for none. */
export function takeGuessed(state: ScanState, guess: Guess, chunk: Buffer, from: number): number {
  const { handler, frame, interest, expect, base } = state;
  if (frame !== 'list' || interest !== 'members' || handler.guessed === undefined) return -1;
  if (expect !== 'value' && expect !== 'firstValue') return -1;
  const several = takeSeveral(state, guess, chunk, from);
  if (several > 0) return several;
  const end = guess.endOf(chunk, from);
  if (end < 0) return -1;
  if (!handler.guessed(state.memberKey as number, chunk.toString('utf8', from, end), base + from)) {
    guess.wrong();
    return -1;
  }
  membersTaken(state, 1);
  return end;
}

/** The same for as many as the chunk holds: JSON.parse takes a quarter less for them together. */
function takeSeveral(state: ScanState, guess: Guess, chunk: Buffer, from: number): number {
  const { handler, base } = state;
  const end = handler.guessedAll === undefined ? -1 : guess.endOfLast(chunk, from);
  if (end < 0) return -1;
  const taken = handler.guessedAll?.(`[${chunk.toString('utf8', from, end)}]`, base + from) ?? 0;
  if (taken === 0) {
    guess.wrongOfSeveral(chunk);
    return -1;
  }
  membersTaken(state, taken);
  return end;
}
