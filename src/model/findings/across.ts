// Which findings `check` knows of several clusters together: for each what it means, what to do, and who looks for it.

import { type AcrossFinder, clustersApart, trustBrokenAcross } from './clusters.ts';
import type { AcrossCode } from './codes.ts';
import type { FindingTexts } from './finding.ts';
import { FINDINGS } from './table.ts';

/** One row of the table. */
export interface AcrossRule extends FindingTexts {
  readonly find: AcrossFinder;
}

const { severity, title, meaning, remedy } = FINDINGS['TRUST-BROKEN'];

/** By code, in the order of ACROSS_CODES. */
export const ACROSS = {
  'TRUST-BROKEN': { severity, title, meaning, remedy, find: trustBrokenAcross },
  'CLUSTERS-APART': {
    severity: 'information',
    title: 'clusters can not verify each other, and none lists workloads of the other',
    meaning:
      'With --contexts only. Their certificates have no root or no trust domain in common. As long as neither istiod tells its ztunnels of workloads of the other cluster, no connection between them is expected.',
    remedy:
      'There is nothing to do for meshes of their own. If they are to be one mesh, give them one root and one trust domain before the remote secrets.',
    find: clustersApart,
  },
} as const satisfies Record<AcrossCode, AcrossRule>;
