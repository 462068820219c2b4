// How ztunnels are asked in several rounds, each of them once, where the answers of one round say whom to ask in the next.

import type { Answer, Failure, Ztunnel } from '../../model/types.ts';
import type { Asking, Outcome, Wanted } from '../asking.ts';
import { collectDumps } from '../collect.ts';
import type { Mesh } from '../mesh.ts';
import { scopeOfThese } from './scope.ts';

export interface Gathered {
  readonly answers: readonly Answer[];
  readonly failures: readonly Failure[];
  readonly asked: number;
}

export interface Rounds {
  /** Those that have not been asked before. */
  readonly ask: (ztunnels: readonly Ztunnel[]) => Promise<Gathered>;
}

/** `read`: saved dumps that have been read with all that is `wanted`. */
export function createRounds(
  read: ReadonlyMap<Ztunnel, Outcome>,
  wanted: Wanted,
  asking: Asking,
  mesh: Mesh,
): Rounds {
  const asked = new Set<Ztunnel>();
  let gathered: Gathered = { answers: [], failures: [], asked: 0 };
  return {
    ask: async (ztunnels) => {
      const fresh = ztunnels.filter((each) => !asked.has(each));
      for (const each of fresh) asked.add(each);
      if (fresh.length === 0) return gathered;
      const collected = await collectDumps({ ...scopeOfThese(fresh), read }, wanted, asking, mesh);
      gathered = {
        answers: [...gathered.answers, ...collected.answers],
        failures: [...gathered.failures, ...collected.failures],
        asked: gathered.asked + collected.asked,
      };
      return gathered;
    },
  };
}
