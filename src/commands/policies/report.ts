// What `policies` shows: its columns, and istioctl's table.

import type { Policy } from '../../model/dump.ts';
import type { PolicyItem } from '../../model/items.ts';
import type { Answer } from '../../model/types.ts';
import { comparePolicies } from '../../model/workloads/policies.ts';
import type { ShortTable } from '../../printers/printer.ts';
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

const header = ['NAMESPACE', 'POLICY NAME', 'ACTION', 'SCOPE'] as const;

/** Byte for byte what istioctl prints for one ztunnel; for several, the same rows and a last column ZTUNNEL. */
export function shortPolicies(answers: readonly Answer[], isWanted: (policy: Policy) => boolean): ShortTable {
  const several = answers.length > 1;
  const rows = answers.flatMap(({ ztunnel, dump }) =>
    dump.policies.filter(isWanted).map((policy) => ({
      policy,
      row: [
        policy.namespace,
        policy.name,
        policy.action,
        policy.scope,
        ...(several ? [displayRef(ztunnel)] : []),
      ],
    })),
  );
  return {
    header: several ? [...header, 'ZTUNNEL'] : header,
    rows: rows.sort((a, b) => comparePolicies(a.policy, b.policy)).map(({ row }) => row),
    padding: 1,
  };
}
