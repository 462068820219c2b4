// Where a member of a pretty-printed list probably ends: at the closing brace that stands below its opening one.

export interface Guess {
  /**
   * The index behind the probable end of the object that begins at `from`; -1 for none. It is right if the text up to
   * there is JSON, since no part of an object is an object, nor is an object with something behind it.
   */
  endOf(chunk: Buffer, from: number): number;
  /**
   * The same of the last of several objects, from the one that begins at `from`: right if all the text is JSON when it
   * is put into brackets. -1 where there is only one.
   */
  endOfLast(chunk: Buffer, from: number): number;
  /** The last guess of one end was wrong. */
  wrong(): void;
  /** The last guess of several was wrong: no other is made in the same chunk. */
  wrongOfSeveral(chunk: Buffer): void;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const DEEPEST_INDENT = 16;

/** A longer member is scanned, which also bounds how deep it nests. A workload has 600 bytes, a certificate 3,500. */
const LONGEST = 8 * 1024;

/** How far several members reach: more at a time take longer each. */
const MOST_TOGETHER = 64 * 1024;

/** Layouts that are not what they seem would be searched in vain for ever. */
const MOST_WRONG = 8;
/** Where a list ends, what looks like its last member may be of the next one: six sections may do that. */
const MOST_WRONG_OF_SEVERAL = 24;

/** Guesses by the indentation of each member, in dumps as ztunnel writes them. */
export function createGuess(): Guess {
  const ends = new Map<number, Buffer>();
  let wrongs = 0;
  let wrongsOfSeveral = 0;
  let spoilt: Buffer | undefined;
  // Where an ending was not found, no later search finds it: each would go through all of the chunk.
  const withoutEnding = new Map<Buffer, Buffer>();

  const endAt = (indent: number): Buffer => {
    const known = ends.get(indent) ?? Buffer.from(`\n${' '.repeat(indent)}}`);
    ends.set(indent, known);
    return known;
  };

  /** What ends the object that begins at `from`, if it begins a line; undefined for other layouts. */
  function endingOf(chunk: Buffer, from: number): Buffer | undefined {
    if (wrongs >= MOST_WRONG) return undefined;
    let line = from - 1;
    while (line >= 0 && chunk[line] === SPACE) line -= 1;
    const indent = from - 1 - line;
    if (line < 0 || chunk[line] !== LINE_FEED || indent > DEEPEST_INDENT) return undefined;
    return endAt(indent);
  }

  function firstOf(ending: Buffer, chunk: Buffer, from: number): number {
    if (withoutEnding.get(ending) === chunk) return -1;
    const found = chunk.indexOf(ending, from);
    if (found < 0) withoutEnding.set(ending, chunk);
    return found;
  }

  return {
    endOf(chunk, from) {
      const ending = endingOf(chunk, from);
      const found = ending === undefined ? -1 : firstOf(ending, chunk, from);
      if (ending === undefined || found < 0) return -1;
      if (found - from <= LONGEST) return found + ending.length;
      wrongs += 1;
      return -1;
    },
    endOfLast(chunk, from) {
      const ending =
        chunk === spoilt || wrongsOfSeveral >= MOST_WRONG_OF_SEVERAL ? undefined : endingOf(chunk, from);
      if (ending === undefined) return -1;
      const first = firstOf(ending, chunk, from);
      if (first < 0 || first - from > LONGEST) return -1;
      const last = chunk.lastIndexOf(ending, from + MOST_TOGETHER);
      return last > first ? last + ending.length : -1;
    },
    wrong() {
      wrongs += 1;
    },
    wrongOfSeveral(chunk) {
      wrongsOfSeveral += 1;
      spoilt = chunk;
    },
  };
}
