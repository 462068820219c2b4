// A mesh as commands ask it: one cluster, live or saved, with its clock, what has been listed of it, and who is watching.

import type { Reference } from '../model/types.ts';
import type { Cluster } from '../sources/cluster.ts';
import { createListCache, type ListCache } from './listcache.ts';

/** The local clock. `sleep` ends early when the signal does. */
export interface Clock {
  now(): Date;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** How far asking has come; shown where a person is watching. */
export interface Progress {
  update(done: number, total: number, failed: number): void;
  clear(): Promise<void>;
}

export const SILENT: Progress = { update: () => {}, clear: async () => {} };

export interface Mesh {
  readonly cluster: Cluster;
  /** Each kind of object is listed once. */
  readonly lists: ListCache;
  /** When "now" is for what is judged: `--now`, else the API server's clock, else the system's. */
  readonly reference: () => Promise<Reference>;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

interface Surroundings {
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** `now` is `--now`. The reference time stands still: the first answer's, so that all rows are judged alike. */
export function meshOf(cluster: Cluster, now: Date | undefined, surroundings: Surroundings): Mesh {
  const { clock, progress, signal } = surroundings;
  return {
    cluster,
    lists: createListCache(cluster),
    reference: async () => (now === undefined ? cluster.reference() : { time: now, source: 'flag' }),
    clock,
    progress,
    signal,
  };
}

/** The same mesh with a reference time that goes on: the API server's clock of each moment. */
export function withMovingTime(mesh: Mesh): Mesh {
  const { cluster, clock } = mesh;
  const reference = async () => {
    const first = await mesh.reference();
    const skew = cluster.clockSkewSeconds();
    if (skew === undefined || first.source === 'flag') return first;
    return { ...first, time: new Date(clock.now().getTime() - skew * 1000) };
  };
  return { ...mesh, reference };
}

/** The same mesh to be asked once more, with nothing listed yet, within `signal`. */
export function askedAgain(mesh: Mesh, signal: AbortSignal = mesh.signal): Mesh {
  return { ...mesh, lists: createListCache(mesh.cluster), signal };
}
