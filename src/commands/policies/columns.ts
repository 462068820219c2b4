// The columns of `policies`.

import type { PolicyItem } from '../../model/items.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';
import { ztunnelsColumn } from '../reports/held.ts';
import { displayRules } from './rules.ts';

/** `--sort-by` knows every column, shown or not. `dumps`: how many were compared. */
export function policyColumns(dumps: number): readonly ColumnSpec<PolicyItem>[] {
  return [
    { header: 'NAMESPACE', fit: 'middle', cell: ({ policy }) => plain(policy.namespace) },
    { header: 'POLICY', fit: 'middle', cell: ({ policy }) => plain(policy.name) },
    {
      header: 'ACTION',
      cell: ({ policy }) => plain(policy.dryRun ? `${policy.action} (dry run)` : policy.action || '-'),
    },
    { header: 'SCOPE', cell: ({ policy }) => plain(policy.scope || '-') },
    ztunnelsColumn(dumps),
    { header: 'RULES', wide: true, cell: ({ policy }) => plain(displayRules(policy.rules)) },
    { header: 'ZTUNNEL', wide: true, cell: (item) => plain(item.ztunnels.map(displayRef).join(',')) },
  ];
}
