// How workloads are joined where nothing else wants a turn meanwhile.

import type { WorkloadItem } from '../../src/model/items.ts';
import { joinWorkloadsInSteps, type WorkloadInput } from '../../src/model/workloads/workloads.ts';

export function joinWorkloads(input: WorkloadInput): readonly WorkloadItem[] {
  const steps = joinWorkloadsInSteps(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
