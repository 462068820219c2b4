// How several askings at the same time show how far they have come as one.

import type { Progress } from './mesh.ts';

/** Each part tells of itself; what is shown is the sum of all that have told. */
export function sharedProgress(whole: Progress): { readonly part: () => Progress } {
  const tallies = new Set<{ done: number; total: number; failed: number }>();
  const sum = (of: 'done' | 'total' | 'failed') => [...tallies].reduce((all, each) => all + each[of], 0);
  return {
    part: () => {
      const tally = { done: 0, total: 0, failed: 0 };
      tallies.add(tally);
      return {
        update: (done, total, failed) => {
          Object.assign(tally, { done, total, failed });
          whole.update(sum('done'), sum('total'), sum('failed'));
        },
        // The others go on; whoever has the whole clears it.
        clear: async () => {},
      };
    },
  };
}
