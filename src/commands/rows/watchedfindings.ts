// What `check --watch` tells of each look: which findings have come and gone since the last.

import type { CheckResult } from '../../model/check.ts';
import { diffFindings, type FindingState, indexFindings } from '../../model/findingchanges.ts';
import type { CertificateItem } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { Mesh } from '../ask/mesh.ts';
import type { Round } from '../ask/watch.ts';
import { findingEvent } from './changes.ts';

/** What one look of `check` has found. */
export interface LookedFindings {
  readonly report: Report;
  readonly result: CheckResult;
  readonly mesh: Mesh;
  readonly certificates: readonly CertificateItem[];
}

export function watchedFindings(
  { report, result, mesh, certificates }: LookedFindings,
  previous: FindingState | undefined,
  time: Date,
): Round<FindingState> {
  const now = indexFindings(result.findings);
  const whole = !mesh.partial && mesh.collected.failures.every(({ severity }) => severity !== 'error');
  const { changes, state } =
    previous === undefined ? { changes: [], state: now } : diffFindings(previous, now, whole);
  return {
    report,
    events: changes.map((change) => findingEvent(change, time)),
    changes: changes.map(({ change }) => change),
    certificates,
    nodes: mesh.collected.answers.map(({ ztunnel }) => ztunnel.node),
    state,
  };
}
