// How a table that is wider than the screen shares out the room that there is.

import type { Column } from './printer.ts';

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
