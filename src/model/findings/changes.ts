// Which findings have come and gone between two looks.

import type { Finding } from './check.ts';
import type { Concerned } from './finding.ts';

export interface FindingChange {
  readonly change: 'added' | 'removed';
  readonly finding: Finding;
  readonly object: Concerned;
}

/** One object of one finding. */
export type FindingState = ReadonlyMap<string, Omit<FindingChange, 'change'>>;

/** Each object of each finding, by what tells it from all others. */
export function indexFindings(findings: readonly Finding[]): FindingState {
  return new Map(
    findings.flatMap((finding) =>
      finding.objects.map((object) => {
        const { cluster, kind, namespace, name, node, ztunnel } = object;
        const key = JSON.stringify([finding.code, cluster, kind, namespace, name, node, ztunnel?.name]);
        return [key, { finding, object }] as const;
      }),
    ),
  );
}

/** What is new, then what is gone. `whole` is false where something could not be looked at: then nothing is known to have gone. */
export function diffFindings(
  before: FindingState,
  after: FindingState,
  whole: boolean,
): { readonly changes: readonly FindingChange[]; readonly state: FindingState } {
  const added = [...after].filter(([key]) => !before.has(key)).map(([, one]) => one);
  const removed = whole ? [...before].filter(([key]) => !after.has(key)).map(([, one]) => one) : [];
  return {
    changes: [
      ...added.map((one) => ({ change: 'added' as const, ...one })),
      ...removed.map((one) => ({ change: 'removed' as const, ...one })),
    ],
    state: whole ? after : new Map([...before, ...after]),
  };
}
