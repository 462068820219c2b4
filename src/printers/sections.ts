// How several tables follow one another, each below its heading.

import { joined } from './chunks.ts';
import type { ShortTable, Table } from './printer.ts';
import { printable } from './terminal.ts';

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
