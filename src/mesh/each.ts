// How each of many ztunnels is asked, a bounded number at a time, and what becomes of one that fails.

import pMap from 'p-map';
import { ForbiddenError, UserError } from '../base/errors.ts';
import type { Failure, Ztunnel } from '../model/types.ts';
import type { Mesh } from './mesh.ts';

/** The outcomes in the order of the ztunnels. One without an `answer` counts as failed where progress is shown. */
export async function askEach<T extends { readonly answer?: unknown }>(
  ztunnels: readonly Ztunnel[],
  ask: (ztunnel: Ztunnel) => Promise<T>,
  concurrency: number,
  { progress }: Pick<Mesh, 'progress'>,
): Promise<readonly T[]> {
  const tally = { done: 0, failed: 0 };
  const outcomes = await pMap(
    ztunnels,
    async (ztunnel) => {
      const outcome = await ask(ztunnel);
      tally.done += 1;
      if (outcome.answer === undefined) tally.failed += 1;
      progress.update(tally.done, ztunnels.length, tally.failed);
      return outcome;
    },
    { concurrency },
  );
  await progress.clear();
  return outcomes;
}

/** A terminating ztunnel is expected to stop answering, so that its failure makes nothing partial. A bug is thrown on. */
export function failureOf(ztunnel: Ztunnel, error: unknown): Failure {
  if (!(error instanceof UserError)) throw error;
  const terminating = ztunnel.pod?.metadata.deletionTimestamp !== undefined;
  return {
    ztunnel: { namespace: ztunnel.namespace, name: ztunnel.name, node: ztunnel.node },
    severity: terminating ? 'warning' : 'error',
    message: terminating ? `${error.message} (the pod is terminating)` : error.message,
    hint: error.hint,
    clusterRole: error instanceof ForbiddenError ? error.clusterRole : undefined,
  };
}
