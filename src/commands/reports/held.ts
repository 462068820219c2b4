// How a table says which of the compared ztunnels hold a row, and whether they have it differently.

import type { ZtunnelRef } from '../../model/types.ts';
import type { Cell } from '../../printers/printer.ts';
import type { ColumnSpec } from './columns.ts';

/** What several ztunnels may know, and know differently. */
export interface HeldItem {
  readonly ztunnels: readonly ZtunnelRef[];
  readonly differs: boolean;
}

/** `2/3`, `3/3 differ`: of so many dumps that were compared. */
export function ztunnelsColumn(dumps: number): ColumnSpec<HeldItem> {
  return {
    header: 'ZTUNNELS',
    cell: (item): Cell => ({
      text: `${item.ztunnels.length}/${dumps}${item.differs ? ' differ' : ''}`,
      tone: agrees(item, dumps) ? 'plain' : 'warning',
    }),
    key: (item) => item.ztunnels.length - (item.differs ? 0.5 : 0),
  };
}

/** Every ztunnel holds it, and all the same. */
export function agrees(item: HeldItem, dumps: number): boolean {
  return item.ztunnels.length === dumps && !item.differs;
}

/** The columns to show: ZTUNNELS only when there is something to tell. */
export function withoutAgreement<Item extends HeldItem>(
  columns: readonly ColumnSpec<Item>[],
  items: readonly Item[],
  dumps: number,
): readonly ColumnSpec<Item>[] {
  const differ = items.some((item) => !agrees(item, dumps));
  return columns.filter((column) => column.header !== 'ZTUNNELS' || differ);
}
