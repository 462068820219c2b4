// How many terminal columns a text takes.

/** Columns that a printable text takes on a terminal. */
export type Measure = (text: string) => number;

/** No quantifier: V8 overflows its stack on `^[…]*$` over millions of characters. */
const BEYOND_ASCII = /[^\x20-\x7e]/;

/** True if every character takes one column. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** A measure good for these texts. The tables for wide and combining characters (25 ms) load only if one needs them. */
export async function loadMeasure(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) {
    if (!isAscii(text)) {
      const { default: stringWidth } = await import('string-width');
      return (each) => (isAscii(each) ? each.length : stringWidth(each));
    }
  }
  return (each) => each.length;
}
