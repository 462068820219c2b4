// A mesh that changes while a program watches it, and a clock that stands still until the program sleeps.

import type { Scenario } from './scenario.ts';

export interface Passing {
  /** Serves the state of the moment. */
  readonly scenario: Scenario;
  readonly clock: () => Date;
  /** Moves the clock on, and after each sleep the mesh to its next state; the last one stays. */
  readonly sleep: (milliseconds: number) => void;
}

/** States of a mesh, one after the other; `at` (RFC 3339) is when the first begins. */
export function passing(at: string, states: readonly Scenario[], onSleep?: (round: number) => void): Passing {
  let now = Date.parse(at);
  let round = 0;
  const current = () => states[Math.min(round, states.length - 1)]!;
  const keys = [...new Set(states.flatMap((state) => Object.keys(state)))] as (keyof Scenario)[];
  const scenario = Object.defineProperties(
    {},
    Object.fromEntries(
      keys.map((key) => [
        key,
        {
          enumerable: true,
          get: () => (key === 'clock' ? { at: new Date(now).toISOString() } : current()[key]),
        },
      ]),
    ),
  ) as Scenario;
  return {
    scenario,
    clock: () => new Date(now),
    sleep(milliseconds) {
      now += milliseconds;
      round += 1;
      onSleep?.(round);
    },
  };
}
