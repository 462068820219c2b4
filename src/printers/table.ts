// How one table for people, or several below headings, look on a terminal and piped.

import { asciiMeasure, wrapWords } from '../base/text.ts';
import { joined, PAUSE } from './chunks.ts';
import { paintOf } from './color.ts';
import {
  asciiWidths,
  columnWidths,
  fitToScreen,
  GAP,
  type Grid,
  ROWS_A_TURN,
  toGrid,
  withShortNodes,
} from './grid.ts';
import { measureAny } from './measure.ts';
import type { Cell, Screen, ShortTable, Table } from './printer.ts';
import { type Pen, renderRow } from './row.ts';
import { printable } from './terminal.ts';

/** Spaces before a detail below its row: further in than any column gap, so that rows still stand out. */
const DETAIL_INDENT = 4;

/** With less room than this beside the rows, details stand below them. */
const LEAST_BESIDE = 24;

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
  const beside = columns === undefined ? undefined : placeBeside(grid, widths, columns);
  if (screen.headers) {
    const shown = beside === undefined ? grid.columns : [...grid.columns, grid.detailColumn!];
    const header = shown.map((column) => ({ text: column.header, tone: 'header' as const }));
    yield renderRow(header, widths, pen);
  }
  yield* joined(renderRows(grid, widths, columns, beside, pen));
}

/** Where details begin that stand beside their rows; undefined where they don't. */
function placeBeside({ detailColumn }: Grid, widths: readonly number[], columns: number): number | undefined {
  const indent = widths.reduce((sum, width) => sum + width + GAP, 0);
  return detailColumn?.fit === 'wrap' && columns - indent >= LEAST_BESIDE ? indent : undefined;
}

function* renderRows(
  { rows, details }: Grid,
  widths: readonly number[],
  columns: number | undefined,
  beside: number | undefined,
  pen: Pen,
): Generator<string, void, undefined> {
  const below = details?.[Symbol.iterator]();
  for (const row of rows) {
    const detail = below?.next().value as Cell | undefined;
    if (detail === undefined || columns === undefined) yield renderRow(row, widths, pen);
    else if (beside === undefined) yield renderRow(row, widths, pen) + renderDetail(detail, columns, pen);
    else yield renderBeside(row, detail, widths, beside, columns - beside, pen);
  }
}

/** `indent`: where the detail begins; `room`: how wide it may be. */
function renderBeside(
  row: readonly Cell[],
  detail: Cell,
  widths: readonly number[],
  indent: number,
  room: number,
  pen: Pen,
): string {
  const [first = '', ...more] = wrapWords(detail.text, room, pen.measure);
  const lines = more.map((line) => `${' '.repeat(indent)}${pen.paint(line, detail.tone)}\n`);
  return renderRow([...row, { ...detail, text: first }], widths, pen) + lines.join('');
}

function renderDetail(detail: Cell, columns: number, { measure, paint }: Pen): string {
  // A screen so narrow that the indentation would take a large part of it does without.
  const indent = columns >= 5 * DETAIL_INDENT ? DETAIL_INDENT : 0;
  return wrapWords(detail.text, Math.max(1, columns - indent), measure)
    .map((line) => `${' '.repeat(indent)}${paint(line, detail.tone)}\n`)
    .join('');
}

/** One table or several; heading lines come with `--no-headers` too, which is about the tables' own. */
export async function* renderSections<T extends Table | ShortTable>(
  tables: T | readonly T[],
  render: (table: T) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const list = Array.isArray(tables) ? (tables as readonly T[]) : [tables as T];
  for (const table of list) {
    for (const line of table.heading ?? []) {
      yield `${printable(line)}\n`;
    }
    const pieces = render(table);
    yield* Symbol.iterator in pieces ? joined(pieces) : pieces;
  }
}
