// istioctl's policy table: one line per authorization policy of a dump.

import type { Policy } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import { comparePolicies } from '../../model/workloads/policies.ts';
import type { ShortTable } from '../../printers/printer.ts';
import { displayRef } from '../reports/certificatecolumns.ts';

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
