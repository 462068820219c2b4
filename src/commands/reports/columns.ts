// Columns and cells that several tables share.

import { UsageError } from '../../base/errors.ts';
import type { ConfigDump } from '../../model/dump.ts';
import type { Concerned } from '../../model/findings/finding.ts';
import type { Waypointed } from '../../model/workloads/services.ts';
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

/** `shop/web on node-a in east`. */
export function displayObject(object: Concerned): string {
  const { cluster, kind, node } = object;
  const place = [
    node === null || kind === 'Node' ? '' : ` on ${node}`,
    cluster === undefined || kind === 'Cluster' ? '' : ` in ${cluster}`,
  ];
  return `${displayName(object)}${place.join('')}`;
}

export function displayName({ namespace, name }: Concerned): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

/** The name of the service that a destination is an address of; `NA` if the dump has no such service. */
export type WaypointNames = (destination: string) => string;

export function createWaypointNames(dump: ConfigDump): WaypointNames {
  const names = new Map<string, string>();
  for (const { namespace, hostname, vips, name } of dump.services) {
    // istioctl takes the first service that has the address, in the dump's order.
    for (const address of [`${namespace}/${hostname}`, ...vips]) {
      if (!names.has(address)) names.set(address, name);
    }
  }
  return (destination) => names.get(destination) ?? 'NA';
}

export function shortWaypoint({ waypoint }: Waypointed, nameOf: WaypointNames): string {
  return waypoint === undefined ? 'None' : nameOf(waypoint.destination);
}
