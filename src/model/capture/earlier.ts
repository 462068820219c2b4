// What an earlier look at the same mesh has shown, so that a later one can say for how long something is so.

import type { Workload } from '../dump.ts';
import type { Answer } from '../types.ts';
import { keyOfWorkload } from '../workloads/workloads.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import type { Heard } from './heard.ts';

export interface Earlier {
  /** Since when a ztunnel's workloads of pods that are gone have been so, in ms since 1970, by ztunnel and workload. */
  readonly goneSince: ReadonlyMap<string, number>;
}

export const NOTHING_EARLIER: Earlier = { goneSince: new Map() };

const LONG_MS = 60_000;

/** Whether its pod was gone more than a minute before the reference time. */
export function isLongGone(
  answer: Answer,
  workload: Workload,
  { goneSince }: Earlier,
  reference: Date,
): boolean {
  const since = goneSince.get(keyOf(answer, workload));
  return since !== undefined && reference.getTime() - since > LONG_MS;
}

/** What the next look needs of this one. */
export function rememberHeard(heard: readonly Heard[], { goneSince }: Earlier, reference: Date): Earlier {
  return {
    goneSince: new Map(
      heard.flatMap(({ answer, gone }) =>
        gone.map((workload) => {
          const key = keyOf(answer, workload);
          return [key, goneSince.get(key) ?? reference.getTime()] as const;
        }),
      ),
    ),
  };
}

function keyOf({ ztunnel }: Answer, workload: Workload): string {
  return `${keyOfZtunnel(ztunnel)} ${keyOfWorkload(workload)}`;
}
