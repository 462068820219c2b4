// How a table for people looks, on a terminal and piped.

import { asciiMeasure } from '../base/width.ts';
import { wrapWords } from '../base/wrap.ts';
import { joined, PAUSE } from './chunks.ts';
import { paintOf } from './color.ts';
import {
  asciiWidths,
  columnWidths,
  fitToScreen,
  type Grid,
  ROWS_A_TURN,
  toGrid,
  withShortNodes,
} from './grid.ts';
import { measureAny } from './measure.ts';
import type { Cell, Screen, Table } from './printer.ts';
import { type Pen, renderRow } from './row.ts';

/** Spaces before a detail below its row: further in than any column gap, so that rows still stand out. */
const DETAIL_INDENT = 4;

/**
 * Lines of the table; nothing for a table without rows. Piped (no `screen.columns`): one full line per row. On a
 * terminal: node names shortened, details wrapped below their rows, and rows shortened to the screen unless `wide`,
 * which was asked for to see everything: its longer lines are the terminal's to wrap, as with `kubectl -o wide`.
 */
export async function* renderTable(
  table: Table,
  wide: boolean,
  screen: Screen,
): AsyncGenerator<string, void, undefined> {
  if (table.rows.length === 0) {
    return;
  }
  const { columns } = screen;
  const below = columns !== undefined;
  const raw = toGrid(table, { wide, below, safe: false });
  const pause = table.rows.length < ROWS_A_TURN ? [] : [PAUSE];
  const natural = yield* asciiWidths(raw);
  const full = natural === undefined ? toGrid(table, { wide, below, safe: true }) : raw;
  const measure = natural === undefined ? measureAny : asciiMeasure;
  yield* pause;
  const short = columns === undefined ? full : withShortNodes(full, measure);
  yield* pause;
  const grid = columns === undefined || wide ? short : fitToScreen(short, columns, measure);
  yield* pause;
  const widths = grid === full && natural !== undefined ? natural : columnWidths(grid, measure);
  const pen = { measure, paint: paintOf(screen.color), limit: wide ? undefined : columns };
  if (screen.headers) {
    const header = grid.columns.map((column) => ({ text: column.header, tone: 'header' as const }));
    yield renderRow(header, widths, pen);
  }
  yield* joined(renderRows(grid, widths, columns, pen));
}

function* renderRows(
  { rows, details }: Grid,
  widths: readonly number[],
  columns: number | undefined,
  pen: Pen,
): Generator<string, void, undefined> {
  const below = details?.[Symbol.iterator]();
  for (const row of rows) {
    const detail = below?.next().value as Cell | undefined;
    yield renderRow(row, widths, pen) + (detail && columns ? renderDetail(detail, columns, pen) : '');
  }
}

function renderDetail(detail: Cell, columns: number, { measure, paint }: Pen): string {
  // A screen so narrow that the indentation would take a large part of it does without.
  const indent = columns >= 5 * DETAIL_INDENT ? DETAIL_INDENT : 0;
  return wrapWords(detail.text, Math.max(1, columns - indent), measure)
    .map((line) => `${' '.repeat(indent)}${paint(line, detail.tone)}\n`)
    .join('');
}
