// How wide a text is on a terminal, and how it is wrapped, cut and laid out in columns.

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

/** Lines broken between words; a word longer than a line is broken where the line ends. No line for no words. */
export function wrapWords(text: string, width: number, measure = asciiMeasure): readonly string[] {
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

export const ELLIPSIS = '…';

/** What a reader sees as single characters: accents and joined emoji stay with their base. */
export function graphemes(text: string): Iterable<string> {
  if (isAscii(text)) {
    return text;
  }
  // Made when needed: the first one takes 16 ms, and most texts are ASCII.
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Iterator.from(segmenter.segment(text)).map(({ segment }) => segment);
}

/** The longest beginning that takes at most `width` columns. */
export function takeStart(text: string, width: number, measure: Measure): string {
  if (isAscii(text)) {
    return text.slice(0, Math.max(0, width));
  }
  let taken = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += measure(grapheme);
    if (used > width) {
      break;
    }
    taken += grapheme;
  }
  return taken;
}

/** The longest end that takes at most `width` columns. */
function takeEnd(text: string, width: number, measure: Measure): string {
  if (isAscii(text)) {
    return text.slice(text.length - Math.max(0, Math.min(width, text.length)));
  }
  const all = [...graphemes(text)];
  let from = all.length;
  let used = 0;
  while (from > 0) {
    used += measure(all[from - 1] ?? '');
    if (used > width) {
      break;
    }
    from -= 1;
  }
  return all.slice(from).join('');
}

/** The text if it fits in `width` columns, else its beginning, `…` and its end; `head` is the beginning's share. */
function shortenMiddle(text: string, width: number, head: number, measure: Measure): string {
  if (measure(text) <= width) {
    return text;
  }
  const kept = Math.max(0, width - 1);
  const start = Math.ceil(kept * head);
  return `${takeStart(text, start, measure)}${ELLIPSIS}${takeEnd(text, kept - start, measure)}`;
}

/** The middle first. Names differ at their ends (a node's number) or after a long prefix (its pool). */
const HEADS = [1 / 2, 2 / 3, 1 / 3, 5 / 6, 1 / 6] as const;

/**
 * Each distinct text with its form of at most `width` columns, shortened at the place where different texts stay
 * different. If there is none, in the middle, and two texts may look alike.
 */
export function shortenAll(
  texts: Iterable<string>,
  width: number,
  measure: Measure,
): ReadonlyMap<string, string> {
  const distinct = [...new Set(texts)];
  const cutAt = (head: number) =>
    new Map(distinct.map((text) => [text, shortenMiddle(text, width, head, measure)]));
  return HEADS.values().map(cutAt).find(isDistinct) ?? cutAt(HEADS[0]);
}

/** True if no two texts have the same form. */
export function isDistinct(forms: ReadonlyMap<string, string>): boolean {
  return new Set(forms.values()).size === forms.size;
}

/** Of a terminal that nobody has made wider. */
export const SCREEN_WIDTH = 80;

/**
 * Pairs in two columns, two spaces in and two apart. The right one is wrapped; a left one that is longer than `most`
 * stands on a line of its own.
 */
export function inColumns(
  rows: readonly (readonly [left: string, right: string])[],
  most: number,
): readonly string[] {
  const column = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= most));
  const indent = ' '.repeat(column + 4);
  return rows.flatMap(([left, right]) => {
    const [first = '', ...others] = wrapWords(right, SCREEN_WIDTH - indent.length);
    const rest = others.map((line) => indent + line);
    if (left.length > column) return [`  ${left}`, indent + first, ...rest];
    return [`  ${left.padEnd(column)}  ${first}`.trimEnd(), ...rest];
  });
}

/** Command lines with their comments beside them, or above them where there is no room. */
export function withComments(rows: readonly (readonly [line: string, comment: string])[]): readonly string[] {
  // The longest line beside which all comments that are to stand there fit.
  const fits = (most: number) => {
    const beside = rows.filter(([line]) => line.length <= most);
    return beside.every(([, comment]) => most + comment.length + 6 <= SCREEN_WIDTH);
  };
  const column = Math.max(0, ...rows.map(([line]) => line.length).filter(fits));
  return rows.flatMap(([line, comment]) =>
    line.length <= column ? [`  ${line.padEnd(column)}  # ${comment}`] : [`  # ${comment}`, `  ${line}`],
  );
}

/** Items two spaces apart, none of them divided. */
export function wrapItems(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + item.length > width) lines.push(item);
    else lines[lines.length - 1] = `${last}  ${item}`;
  }
  return lines;
}
