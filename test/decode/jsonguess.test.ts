// Where members end is searched for no more often than there is something to find: a hostile layout costs no time.

import { expect, test } from '@jest/globals';
import { createGuess } from '../../src/decode/json/jsonguess.ts';

/** How often a chunk is searched while the end of each of its members is asked for. */
function searches(text: string, members: readonly number[]): number {
  const chunk = Buffer.from(text);
  let count = 0;
  const indexOf = chunk.indexOf.bind(chunk);
  chunk.indexOf = (value: string | Uint8Array | number, from?: unknown) => {
    count += 1;
    return indexOf(value, from as number);
  };
  const guess = createGuess();
  for (const from of members) {
    guess.endOfLast(chunk, from);
    guess.endOf(chunk, from);
  }
  return count;
}

const LINES = 1000;
const starts = (line: string) => Array.from({ length: LINES }, (_, index) => 1 + index * line.length);

test('members of a line each, of which none ends at its own indentation, are searched once', () => {
  expect(searches(`\n${'{},\n'.repeat(LINES)}`, starts('{},\n'))).toBe(1);
});

test('the next chunk is searched anew', () => {
  const guess = createGuess();
  expect(guess.endOf(Buffer.from('\n{},\n{},\n'), 1)).toBe(-1);
  const pretty = '\n{\n},\n{\n}';
  expect(guess.endOf(Buffer.from(pretty), 1)).toBe(4);
  expect(guess.endOfLast(Buffer.from(pretty), 1)).toBe(pretty.length);
});

test('each indentation is searched for itself', () => {
  const guess = createGuess();
  const chunk = Buffer.from('\n{},\n {\n }');
  expect(guess.endOf(chunk, 1)).toBe(-1);
  expect(guess.endOf(chunk, 6)).toBe(chunk.length);
});
