// How workloads are joined where nothing else wants a turn meanwhile.

import type { WorkloadItem } from '../../src/model/items.ts';
import { joinWorkloadsInSteps, type WorkloadInput } from '../../src/model/workloads/workloads.ts';

/** Unless a test says otherwise, of no workload it is known whether it is captured. */
export function joinWorkloads(
  given: Omit<WorkloadInput, 'captureOf'> & Partial<WorkloadInput>,
): readonly WorkloadItem[] {
  const steps = joinWorkloadsInSteps({ captureOf: () => '-', ...given });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
