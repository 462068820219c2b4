// The columns of `connections`.

import type { ConnectionEnd, ConnectionItem } from '../../model/items.ts';
import type { Cell } from '../../printers/printer.ts';
import { displayRef, ownersCell, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';

/** `--sort-by` knows every column, shown or not. `raw`: addresses as ztunnel has them, without names. */
export function connectionColumns(raw: boolean): readonly ColumnSpec<ConnectionItem>[] {
  const end = (of: ConnectionEnd | null): Cell =>
    of === null ? { text: '-', tone: 'dim' } : plain((raw ? of.address : of.name) || '-');
  return [
    { header: 'NAMESPACE', fit: 'middle', cell: ({ pod }) => plain(pod.namespace ?? '-') },
    { header: 'POD NAME', fit: 'middle', cell: ({ pod }) => plain(pod.name ?? pod.uid) },
    { header: 'DIRECTION', cell: ({ direction }) => plain(direction) },
    { header: 'LOCAL', fit: 'middle', cell: ({ local }) => end(local) },
    { header: 'REMOTE', fit: 'middle', cell: ({ remote }) => end(remote) },
    { header: 'TARGET', fit: 'middle', cell: ({ target }) => end(target) },
    { header: 'PROTOCOL', cell: ({ protocol }) => plain(protocol || '-') },
    { header: 'NODE', fit: 'node', cell: ({ ztunnel }) => plain(ztunnel.node ?? '-') },
    { header: 'ZTUNNEL', wide: true, cell: ({ ztunnel }) => plain(displayRef(ztunnel)) },
    { header: 'POD UID', wide: true, cell: ({ pod }) => plain(pod.uid) },
    { header: 'OWNER', fit: 'middle', cell: ({ owner }, wide) => ownersCell(owner, wide) },
  ];
}
