// How the cells of one row become a line.

import { ELLIPSIS, takeStart } from '../base/cut.ts';
import type { Measure } from '../base/width.ts';
import type { Paint } from './color.ts';
import { GAP } from './grid.ts';
import type { Cell, Tone } from './printer.ts';

/** How lines are made: `limit` is the screen's edge, undefined where lines may be of any length. */
export interface Pen {
  readonly measure: Measure;
  readonly paint: Paint;
  readonly limit: number | undefined;
}

/** A text with the spaces that follow it: they are counted before it is coloured. */
interface Piece {
  readonly text: string;
  readonly tone: Tone | 'header' | undefined;
}

/** One line with its line break, no spaces at its end. */
export function renderRow(
  cells: readonly (Cell | Piece)[],
  widths: readonly number[],
  { measure, paint, limit }: Pen,
): string {
  const last = lastFilled(cells);
  if (limit === undefined) {
    let line = '';
    for (let at = 0; at <= last; at += 1) {
      const { text, tone } = cells[at]!;
      line += paint(at === last ? text.trimEnd() : padded(text, widths[at] ?? 0, measure), tone);
    }
    return `${line}\n`;
  }
  const pieces = cells.slice(0, last + 1).map(({ text, tone }, at) => ({
    text: at === last ? text.trimEnd() : padded(text, widths[at] ?? 0, measure),
    tone,
  }));
  const fitting = cutAt(limit, pieces, measure);
  return `${fitting.map(({ text, tone }) => paint(text, tone)).join('')}\n`;
}

/** The index of the last cell with more than spaces in it; -1 for none. */
function lastFilled(cells: readonly (Cell | Piece)[]): number {
  let last = cells.length - 1;
  while (last >= 0 && cells[last]!.text.trimEnd() === '') last -= 1;
  return last;
}

function padded(text: string, width: number, measure: Measure): string {
  return text.padEnd(width + GAP + text.length - measure(text));
}

/** The pieces up to the screen's edge; `…` in the last column says that there was more. */
function cutAt(limit: number, pieces: readonly Piece[], measure: Measure): readonly Piece[] {
  const lengths = pieces.map(({ text }) => measure(text));
  if (lengths.reduce((sum, length) => sum + length, 0) <= limit) {
    return pieces;
  }
  const kept: Piece[] = [];
  let room = limit - 1;
  for (const [at, piece] of pieces.entries()) {
    const length = lengths[at] ?? 0;
    if (length > room) {
      return [...kept, { ...piece, text: takeStart(piece.text, room, measure) + ELLIPSIS }];
    }
    kept.push(piece);
    room -= length;
  }
  return kept;
}
