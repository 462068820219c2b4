// How a text is cut to a number of terminal columns without breaking a character.

import { isAscii, type Measure } from './width.ts';

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
