// How a sentence becomes lines of at most so many terminal columns.

import { graphemes } from './cut.ts';
import type { Measure } from './width.ts';

/** Lines broken between words; a word longer than a line is broken where the line ends. No line for no words. */
export function wrapWords(text: string, width: number, measure: Measure): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    const pieces = measure(word) <= width ? [word] : breakWord(word, width, measure);
    lines.push(...(line === '' ? [] : [line]), ...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return line === '' ? lines : [...lines, line];
}

/** At least one character a line, so that a screen narrower than a wide character still ends. */
function breakWord(word: string, width: number, measure: Measure): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const grapheme of graphemes(word)) {
    const columns = measure(grapheme);
    if (piece !== '' && used + columns > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += grapheme;
    used += columns;
  }
  return [...pieces, piece];
}
