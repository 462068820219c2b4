// How many terminal columns a text takes.

/** Columns that a printable text takes on a terminal. */
export type Measure = (text: string) => number;

/** No quantifier: V8 overflows its stack on `^[…]*$` over millions of characters. */
const BEYOND_ASCII = /[^\x20-\x7e]/;

/** True if every character takes one column. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** For texts of which every one is ASCII. */
export const asciiMeasure: Measure = (text) => text.length;
