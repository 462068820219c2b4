// How a table that is wider than the screen shares out the room that there is.

import type { Column } from './printer.ts';

/**
 * Columns below which a shortened cell says too little. A STATUS, a time or a count has no `fit` and is never
 * shortened: half of it would be another one.
 */
const LEAST = { node: 10, middle: 10, detail: 0 } satisfies Record<NonNullable<Column['fit']>, number>;

/**
 * Widths of the columns within `room`, from their natural ones. The widest columns that may be shortened give way
 * first, down to the same width, so that none is sacrificed while another stays long. If even their least widths do
 * not fit, those are returned: the row is then cut at the screen's edge, as `less -S` does, STATUS being first.
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
  const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);
  if (total(natural) <= room) {
    return natural;
  }
  let cap = Math.max(0, room);
  while (cap > 0 && total(capped(cap)) > room) {
    cap -= 1;
  }
  return capped(cap);
}
