// How the cells of a row become a line, and how columns share the width of the screen.

import { ELLIPSIS, type Measure, takeStart } from '../base/text.ts';
import type { Paint } from './color.ts';
import { GAP } from './grid.ts';
import type { Cell, Column, Tone } from './printer.ts';

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

/**
 * Columns below which a shortened cell says too little. A STATUS, a time or a count has no `fit` and is never
 * shortened: half of it would be another one.
 */
const LEAST = { node: 10, middle: 10, detail: 0, wrap: 0 } satisfies Record<
  NonNullable<Column['fit']>,
  number
>;

/**
 * Widths of the columns within `room`, from their natural ones. The widest columns that may be shortened give way
 * first, down to the same width, so that none is sacrificed while another stays long. If even their least widths do
 * not fit, the last column takes what is left, down to its header; if that is not enough either, the row is then cut
 * at the screen's edge, as `less -S` does, STATUS being first.
 */
export function fitWidths(
  columns: readonly Column[],
  natural: readonly number[],
  room: number,
): readonly number[] {
  const least = columns.map(({ fit, header }, at) => {
    const width = natural[at] ?? 0;
    return fit === undefined ? width : Math.min(width, Math.max(LEAST[fit], header.length));
  });
  const capped = (cap: number) => natural.map((width, at) => Math.max(least[at] ?? 0, Math.min(width, cap)));
  if (total(natural) <= room) {
    return natural;
  }
  let cap = Math.max(0, room);
  while (cap > 0 && total(capped(cap)) > room) {
    cap -= 1;
  }
  return lastInRoom(columns, capped(cap), room);
}

/** Once more for the last column, which would be cut at the edge after it was shortened: two gaps in one name. */
function lastInRoom(columns: readonly Column[], widths: readonly number[], room: number): readonly number[] {
  const last = columns.at(-1);
  const left = (widths.at(-1) ?? 0) - Math.max(0, total(widths) - room);
  return last?.fit !== undefined && left >= last.header.length ? widths.with(-1, left) : widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}
