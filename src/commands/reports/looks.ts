// How a command asks once, or with --watch again and again, one cluster or several.

import { UserError } from '../../base/errors.ts';
import { type Asked, type Look, onlyMesh, openMeshes } from '../../mesh/clusters.ts';
import { askedAgain, SILENT, withMovingTime } from '../../mesh/mesh.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import type { ContextsOptions } from '../spec/contexts.ts';
import type { WatchOptions } from '../spec/watchflags.ts';
import { type Observation, watch } from './watch.ts';

export interface Steps<O, T, L, S> {
  /** Asks one cluster. */
  readonly look: Look<O, T>;
  /** What all of them have come to. */
  readonly join: (asked: Asked<T>) => L;
  /** With --watch: what is new since the last round. */
  readonly watched: (joined: L, previous: S | undefined, time: Date) => Observation<S>;
}

/** One report, or one for each round. */
export async function* reportLooks<
  O extends ContextsOptions & WatchOptions,
  T,
  L extends { readonly report: Report },
  S,
>(options: O, context: CommandContext, { look, join, watched }: Steps<O, T, L, S>): AsyncGenerator<Report> {
  const { clock, progress, signal } = context;
  const meshes =
    options.contexts.length === 0
      ? onlyMesh(options, await context.mesh())
      : openMeshes(options, context.openMesh, clock);
  try {
    if (!options.watch) {
      yield join(await meshes.ask(look, { progress, signal })).report;
      return;
    }
    // Each round is judged at its own time, and lists everything anew.
    const again: typeof look = (own, mesh, cluster) => look(own, withMovingTime(askedAgain(mesh)), cluster);
    const time = async () => (await meshes.reference()).time;
    const observe = async (previous: S | undefined, bounded: AbortSignal) => {
      // A person waits for the first round only.
      const during = { progress: previous === undefined ? progress : SILENT, signal: bounded };
      const asked = await meshes.ask(again, during);
      if (previous === undefined) refuseNothing(asked);
      return watched(join(asked), previous, await time());
    };
    yield* watch({ observe, time, clock, signal }, options);
  } finally {
    await meshes.close();
  }
}

/** As with one cluster: what can't be asked at first is not worth waiting for. */
function refuseNothing({ parts, failures: [first, ...others] }: Asked<unknown>): void {
  if (parts.length > 0 || first === undefined) return;
  const more =
    others.length === 0 ? '' : `; nor could ${others.map(({ cluster }) => cluster).join(', ')} be asked`;
  throw new UserError(`${first.cluster}: ${first.message}${more}`, first.hint);
}
