// How items become rows of a table, and by which columns they can be sorted.

import { UsageError } from '../../base/errors.ts';
import type { Cell, Column, Table } from '../../printers/printer.ts';

/** One column of a table over items of a kind. */
export interface ColumnSpec<Item> extends Column {
  readonly cell: (item: Item, wide: boolean) => Cell;
  /** What `--sort-by` compares; the cell's text if absent. Items without a key come last. */
  readonly key?: (item: Item) => string | number | undefined;
}

export function renderTable<Item>(
  columns: readonly ColumnSpec<Item>[],
  items: readonly Item[],
  wide: boolean,
): Table {
  const shown = columns.filter((column) => wide || column.wide !== true);
  const row = (item: Item) => shown.map((column) => column.cell(item, wide));
  return {
    columns: shown,
    rows: { length: items.length, [Symbol.iterator]: () => items.values().map(row) },
  };
}

/** `--sort-by STATUS,not-after`: names are compared without case, `-` and `_` stand for a space. */
export function sortItems<Item>(
  columns: readonly ColumnSpec<Item>[],
  items: readonly Item[],
  sortBy: string | undefined,
): readonly Item[] {
  if (sortBy === undefined) return items;
  const keys = sortBy.split(',').map((name) => keyOf(columns, name));
  // Each key once: making a cell takes longer than comparing two.
  return items
    .map((item) => ({ item, keys: keys.map((key) => key(item)) }))
    .sort((a, b) => {
      for (const [at, key] of a.keys.entries()) {
        const order = compareKeys(key, b.keys[at]);
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ item }) => item);
}

function keyOf<Item>(columns: readonly ColumnSpec<Item>[], name: string) {
  const wanted = normalized(name);
  const column = columns.find(({ header }) => normalized(header) === wanted);
  if (column === undefined) {
    const names = columns.map(({ header }) => header.toLowerCase().replaceAll(' ', '-'));
    throw new UsageError(`--sort-by knows no column "${name}"`, `It is one of: ${names.join(', ')}.`);
  }
  return column.key ?? ((item: Item) => column.cell(item, true).text);
}

function normalized(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_ ]+/g, '-');
}

/** Numbers by size, texts by code unit, the absent last. */
function compareKeys(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
