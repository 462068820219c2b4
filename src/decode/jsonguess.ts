// Where a member of a pretty-printed list probably ends: at the closing brace that stands below its opening one.

export interface Guess {
  /**
   * The index behind the probable end of the object that begins at `from`; -1 for none. It is right if the text up to
   * there is JSON, since no part of an object is an object, nor is an object with something behind it.
   */
  endOf(chunk: Buffer, from: number): number;
  /** The last guess was wrong. */
  wrong(): void;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const DEEPEST_INDENT = 16;

/** A longer member is scanned, which also bounds how deep it nests. A workload has 600 bytes, a certificate 3,500. */
const LONGEST = 8 * 1024;

/** Layouts that are not what they seem would be searched in vain for ever. */
const MOST_WRONG = 8;

/** Guesses by the indentation of each member, in dumps as ztunnel writes them. */
export function createGuess(): Guess {
  const ends = new Map<number, Buffer>();
  let wrongs = 0;

  const endAt = (indent: number): Buffer => {
    const known = ends.get(indent) ?? Buffer.from(`\n${' '.repeat(indent)}}`);
    ends.set(indent, known);
    return known;
  };

  return {
    endOf(chunk, from) {
      if (wrongs >= MOST_WRONG) return -1;
      let line = from - 1;
      while (line >= 0 && chunk[line] === SPACE) line -= 1;
      const indent = from - 1 - line;
      if (line < 0 || chunk[line] !== LINE_FEED || indent > DEEPEST_INDENT) return -1;
      const end = endAt(indent);
      const found = chunk.indexOf(end, from);
      if (found < 0) return -1;
      if (found - from <= LONGEST) return found + end.length;
      wrongs += 1;
      return -1;
    },
    wrong() {
      wrongs += 1;
    },
  };
}
