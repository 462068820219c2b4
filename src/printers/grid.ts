// Which cells of a table are shown, and as what text.

import { isAscii, type Measure, shortenAll } from '../base/text.ts';
import { PAUSE } from './chunks.ts';
import { hostNames, shortNodeNames } from './nodes.ts';
import type { Cell, Column, Table } from './printer.ts';
import { fitWidths } from './row.ts';
import { printable } from './terminal.ts';

/** Spaces between two columns. */
export const GAP = 2;

/** Safe cells, a rectangle of them, made when they are gone through; `details` has the text below each row. */
export interface Grid {
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly Cell[]>;
  readonly details: Iterable<Cell> | undefined;
  /** Theirs. */
  readonly detailColumn?: Column | undefined;
}

const isDetail = ({ fit }: Column) => fit === 'detail' || fit === 'wrap';

/**
 * The cells to show: wide columns only if asked for, a `detail` or `wrap` column only if a row fills it, and `below`
 * the rows (or beside them) or as their last column. If `safe`, nothing in it acts on a terminal; else the cells are as they came.
 */
export function toGrid(
  table: Table,
  { wide, below, safe }: { wide: boolean; below: boolean; safe: boolean },
): Grid {
  const shown = [...table.columns.entries()].filter(
    ([at, column]) => (wide || column.wide !== true) && (!isDetail(column) || isFilled(table.rows, at)),
  );
  const detail = below ? shown.find(([, column]) => isDetail(column)) : undefined;
  const inRow = shown.filter((column) => column !== detail);
  const places = inRow.map(([at]) => at);
  const cellOf = safe ? safeCell : (cell: Cell = EMPTY) => cell;
  const isAsItCame = !safe && places.length === table.columns.length;
  return {
    columns: inRow.map(([, column]) => column),
    rows: isAsItCame ? table.rows : mapped(table.rows, (row) => places.map((at) => cellOf(row[at]))),
    details: detail && mapped(table.rows, (row) => cellOf(row[detail[0]])),
    detailColumn: detail?.[1],
  };
}

function isFilled(rows: Iterable<readonly Cell[]>, at: number): boolean {
  for (const row of rows) if ((row[at]?.text ?? '') !== '') return true;
  return false;
}

/** What `change` makes of each value, made anew each time it is gone through. */
function mapped<T, U>(values: Iterable<T>, change: (value: T) => U): Iterable<U> {
  return {
    *[Symbol.iterator]() {
      for (const value of values) yield change(value);
    },
  };
}

const EMPTY: Cell = { text: '' };

function safeCell(cell: Cell = EMPTY): Cell {
  const text = printable(cell.text);
  if (cell.short === undefined) return text === cell.text ? cell : { ...cell, text };
  return { ...cell, text, short: printable(cell.short) };
}

/** The grid with its node names as a terminal shows them. */
export function withShortNodes(grid: Grid, measure: Measure): Grid {
  const forms = grid.columns.map(({ fit }, at) =>
    fit === 'node' ? shortNodeNames(columnTexts(grid, at), measure) : undefined,
  );
  return withForms(grid, forms);
}

/** The grid with cells shortened so that its rows fit a screen, as far as sense allows. */
export function fitToScreen(grid: Grid, columns: number, measure: Measure): Grid {
  const room = columns - GAP * (grid.columns.length - 1);
  const isTooWide = columnWidths(grid, measure).reduce((sum, width) => sum + width, 0) > room;
  return isTooWide ? shortenToFit(withHosts(withShortTexts(grid)), room, measure) : grid;
}

/** Cells that know a shorter way to say the same say it so. */
function withShortTexts(grid: Grid): Grid {
  return {
    ...grid,
    rows: mapped(grid.rows, (row) => row.map((cell) => ({ ...cell, text: cell.short ?? cell.text }))),
  };
}

/** Node names without their domains, where that tells them apart. */
function withHosts(grid: Grid): Grid {
  return withForms(
    grid,
    grid.columns.map(({ fit }, at) => (fit === 'node' ? hostNames(columnTexts(grid, at)) : undefined)),
  );
}

function shortenToFit(grid: Grid, room: number, measure: Measure): Grid {
  const natural = columnWidths(grid, measure);
  const widths = fitWidths(grid.columns, natural, room);
  const forms = widths.map((width, at) =>
    width < (natural[at] ?? 0) ? shortenAll(columnTexts(grid, at), width, measure) : undefined,
  );
  return withForms(grid, forms);
}

/** The grid with other texts in some columns; a text without another form stays. */
function withForms(grid: Grid, forms: readonly (ReadonlyMap<string, string> | undefined)[]): Grid {
  const change = (cell: Cell, at: number) => ({ ...cell, text: forms[at]?.get(cell.text) ?? cell.text });
  return forms.every((each) => each === undefined)
    ? grid
    : { ...grid, rows: mapped(grid.rows, (row) => row.map(change)) };
}

/** The widest text of each column, its header included, in terminal columns. */
export function columnWidths(grid: Grid, measure: Measure): readonly number[] {
  const widths = grid.columns.map(({ header }) => measure(header));
  for (const row of grid.rows) {
    for (const [at, { text }] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? 0, measure(text));
    }
  }
  return widths;
}

/** So many rows are gone through in a few milliseconds. */
export const ROWS_A_TURN = 10_000;

/**
 * The widths of the columns if every text of the grid is printable ASCII, and so safe; undefined if one is not. Pauses
 * now and then.
 */
export function* asciiWidths(grid: Grid): Generator<string, readonly number[] | undefined, undefined> {
  for (const cell of grid.details ?? []) if (!isAsciiCell(cell)) return undefined;
  const widths = grid.columns.map(({ header }) => header.length);
  const last: string[] = [];
  let gone = 0;
  for (const row of grid.rows) {
    gone += 1;
    if (gone % ROWS_A_TURN === 0) yield PAUSE;
    for (let at = 0; at < row.length; at += 1) {
      const cell = row[at]!;
      // Columns repeat themselves: most texts are the one above.
      if (cell.text === last[at] && cell.short === undefined) continue;
      if (!isAsciiCell(cell)) return undefined;
      last[at] = cell.text;
      if (cell.text.length > widths[at]!) widths[at] = cell.text.length;
    }
  }
  return widths;
}

function isAsciiCell({ text, short = '' }: Cell): boolean {
  return isAscii(text) && isAscii(short);
}

function* columnTexts(grid: Grid, at: number): Generator<string, void, undefined> {
  for (const row of grid.rows) {
    yield row[at]?.text ?? '';
  }
}
