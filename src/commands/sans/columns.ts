// The columns of `sans`.

import { mergeHits } from '../../model/findings/authorities.ts';
import { describeSource, type NameItem, rankName } from '../../model/sans/items.ts';
import { ownersCell, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';

/** `--sort-by` knows every column, shown or not. */
export const nameColumns: readonly ColumnSpec<NameItem>[] = [
  { header: 'NAMESPACE', fit: 'middle', cell: ({ namespace }) => plain(namespace) },
  { header: 'SERVICE', fit: 'middle', cell: ({ service, host }) => plain(service ?? host) },
  {
    header: 'SOURCE',
    fit: 'middle',
    cell: ({ source, namespace }) => plain(describeSource(source, namespace)),
  },
  { header: 'EXPECTED NAME', fit: 'middle', cell: ({ name }) => plain(name ?? '-') },
  { header: 'MATCHES', cell: (item) => plain(displayMatches(item)), key: countMatches },
  {
    header: 'STATUS',
    cell: ({ status, severity }) => ({ text: status, tone: severity }),
    key: rankName,
  },
  { header: 'MODE', wide: true, cell: ({ mode }) => plain(mode ?? '-') },
  { header: 'HOST', wide: true, cell: ({ host }) => plain(host) },
  {
    header: 'OWNERS',
    wide: true,
    cell: ({ endpoints }) => ownersCell(mergeHits(endpoints.map(({ owners }) => owners)), true),
  },
  {
    header: 'REASON',
    fit: 'detail',
    cell: ({ problems }) => plain(problems.map(({ reason }) => reason).join('; ')),
  },
];

/** `2/3`: of so many endpoints' identities. */
function displayMatches(item: NameItem): string {
  return `${countMatches(item)}/${item.endpoints.length}`;
}

function countMatches({ endpoints }: NameItem): number {
  return endpoints.filter(({ matches }) => matches).length;
}
