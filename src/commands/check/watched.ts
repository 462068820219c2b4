// What `check --watch` tells of each look: which findings have come and gone since the last.

import type { Asked } from '../../mesh/clusters.ts';
import { diffFindings, type FindingState, indexFindings } from '../../model/findings/changes.ts';
import type { CheckResult } from '../../model/findings/check.ts';
import { keyOfNode } from '../../model/ztunnels/ztunnels.ts';
import type { Report } from '../../printers/printer.ts';
import { findingEvent } from '../reports/changes.ts';
import { tagged } from '../reports/clusters.ts';
import type { Observation } from '../reports/watch.ts';
import type { CheckedMesh } from './checked.ts';

/** What one look of `check` has found. */
export interface LookedFindings {
  readonly report: Report;
  /** Of all clusters together. */
  readonly result: CheckResult;
  readonly asked: Asked<CheckedMesh>;
}

export function watchedFindings(
  { report, result, asked }: LookedFindings,
  previous: FindingState | undefined,
  time: Date,
): Observation<FindingState> {
  const { parts, failures } = asked;
  const now = indexFindings(result.findings);
  const whole = failures.length === 0 && parts.every(({ looked }) => isWhole(looked));
  const { changes, state } =
    previous === undefined ? { changes: [], state: now } : diffFindings(previous, now, whole);
  // Each cluster goes by its own clock.
  const times = new Map(
    parts.flatMap(({ cluster, looked }) =>
      cluster === undefined ? [] : [[cluster, looked.mesh.reference.time]],
    ),
  );
  return {
    report,
    events: changes.map((change) => findingEvent(change, times.get(change.object.cluster ?? '') ?? time)),
    changes: changes.map(({ change }) => change),
    certificates: parts.flatMap(({ cluster, looked }) => tagged(looked.certificates, cluster)),
    nodes: parts.flatMap(({ cluster, looked: { mesh } }) =>
      mesh.collected.answers.map(({ ztunnel: { node } }) => keyOfNode({ cluster, node })),
    ),
    state,
  };
}

function isWhole({ mesh: { partial, collected } }: CheckedMesh): boolean {
  return !partial && collected.failures.every(({ severity }) => severity !== 'error');
}
