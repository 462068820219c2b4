// How several clusters are asked at once, each by its context, with one progress, and failures of some.

import pMap from 'p-map';
import { AbsentTargetError, ForbiddenError, UsageError, UserError } from '../base/errors.ts';
import type { ClusterFailure, Reference } from '../model/types.ts';
import { type Clock, type Mesh, type Progress, withMovingTime } from './mesh.ts';

/** What was found in one cluster; `cluster` is undefined where only one is asked. */
export interface Part<T> {
  readonly cluster: string | undefined;
  readonly looked: T;
}

/** What was found in all of them. */
export interface Asked<T> {
  /** In the order in which they are named; without those that failed or lack TARGET. */
  readonly parts: readonly Part<T>[];
  readonly failures: readonly ClusterFailure[];
  /** Each begins with the name of its cluster. */
  readonly warnings: readonly string[];
}

/** Asks one cluster; `cluster` is its context's name where several are asked. */
export type Look<O, T> = (options: O, mesh: Mesh, cluster: string | undefined) => Promise<T>;

/** What bounds and shows one asking of all clusters. */
type During = Pick<Mesh, 'progress' | 'signal'>;

export interface Meshes<O> {
  /**
   * Asks each. Throws what is no matter of one cluster alone: a wrong command line, a bug, an interrupt, and a TARGET that
   * none of them has.
   */
  readonly ask: <T>(look: Look<O, T>, during: During) => Promise<Asked<T>>;
  /** The time of this moment by the latest clock of those that have answered; the local clock's while none has. */
  readonly reference: () => Promise<Reference>;
  readonly close: () => Promise<void>;
}

/** The one cluster whose mesh is given, which is not closed. */
export function onlyMesh<O>(options: O, mesh: Mesh): Meshes<O> {
  return {
    ask: async (look, during) => ({
      parts: [{ cluster: undefined, looked: await look(options, { ...mesh, ...during }, undefined) }],
      failures: [],
      warnings: [],
    }),
    reference: withMovingTime(mesh).reference,
    close: async () => {},
  };
}

export interface SeveralContexts {
  readonly contexts: readonly string[];
  readonly concurrency: number;
}

/** Nothing is connected to before it is asked. */
export function openMeshes<O extends SeveralContexts>(
  options: O,
  open: (options: O & { readonly context: string }) => Promise<Mesh>,
  clock: Clock,
): Meshes<O> {
  const { contexts: names, concurrency } = options;
  const opened = new Map<string, Mesh>();
  const heard = new Set<Mesh>();
  const own = { ...options, concurrency: shareOf(options) };
  const openOne = async (name: string) => {
    const mesh = opened.get(name) ?? (await open({ ...own, context: name }));
    opened.set(name, mesh);
    return mesh;
  };
  return {
    ask: async (look, during) => {
      const progress = sharedProgress(during.progress);
      const attempt = async (name: string) => {
        const mesh = await openOne(name);
        const inside = { ...mesh, signal: during.signal, progress: progress.part() };
        const looked = await look({ ...own, context: name }, inside, name);
        heard.add(mesh);
        return looked;
      };
      const warningsOf = (name: string) => opened.get(name)?.cluster.warnings() ?? [];
      return attemptEach(names, attempt, concurrency, during, warningsOf);
    },
    reference: async () =>
      latestOf(await Promise.all(Array.from(heard, (mesh) => withMovingTime(mesh).reference())), clock),
    close: async () => {
      await Promise.all(Array.from(opened.values(), ({ cluster }) => cluster.close()));
    },
  };
}

/** How many ztunnels of each cluster are asked at once, so that over all of them it is no more than was said. */
export function shareOf({ contexts, concurrency }: SeveralContexts): number {
  return Math.max(1, Math.floor(concurrency / contexts.length));
}

/** Attempts each, so many at a time. Throws as Contexts.ask does. */
export async function attemptEach<T>(
  names: readonly string[],
  attempt: (name: string) => Promise<T>,
  concurrency: number,
  { progress, signal }: Pick<Mesh, 'progress' | 'signal'>,
  warningsOf: (name: string) => readonly string[] = () => [],
): Promise<Asked<T>> {
  const outcomes = await pMap(names, (name) => settle(name, () => attempt(name)), { concurrency });
  await progress.clear();
  signal.throwIfAborted();
  return gather(outcomes, warningsOf);
}

interface Outcome<T> {
  readonly cluster: string;
  readonly result: { readonly looked: T } | { readonly thrown: unknown };
}

/** Never throws, so that the others come to their end and can be closed. */
async function settle<T>(cluster: string, attempt: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { cluster, result: { looked: await attempt() } };
  } catch (thrown) {
    return { cluster, result: { thrown } };
  }
}

function gather<T>(
  outcomes: readonly Outcome<T>[],
  warningsOf: (cluster: string) => readonly string[],
): Asked<T> {
  const parts = outcomes.flatMap(({ cluster, result }) =>
    'looked' in result ? [{ cluster, looked: result.looked }] : [],
  );
  const errors = outcomes.flatMap(({ cluster, result }) =>
    'thrown' in result ? [{ cluster, error: ofOneCluster(result.thrown) }] : [],
  );
  const [absent, failed] = [true, false].map((is) =>
    errors.filter(({ error }) => error instanceof AbsentTargetError === is),
  ) as [typeof errors, typeof errors];
  if (absent.length === outcomes.length) throw absent[0]!.error;
  return {
    parts,
    failures: failed.map(({ cluster, error }) => failureOf(cluster, error)),
    warnings: [
      ...absent.map(({ cluster, error }) => `${cluster}: ${error.message}`),
      ...outcomes.flatMap(({ cluster }) => warningsOf(cluster).map((text) => `${cluster}: ${text}`)),
    ],
  };
}

/** What concerns the command line, or is a bug, is thrown on. */
function ofOneCluster(thrown: unknown): UserError {
  if (thrown instanceof UserError && !(thrown instanceof UsageError)) return thrown;
  throw thrown;
}

/** A cluster that could not be asked for this reason. */
export function failureOf(cluster: string, error: UserError): ClusterFailure {
  return {
    cluster,
    ztunnel: null,
    severity: 'error',
    message: error.message,
    hint: error.hint,
    clusterRole: error instanceof ForbiddenError ? error.clusterRole : undefined,
  };
}

/** Of the times by which several clusters are judged, the latest; the system's if there is none. */
export function latestOf(references: readonly Reference[], clock: Clock): Reference {
  const [latest] = references.toSorted((a, b) => b.time.getTime() - a.time.getTime());
  return latest ?? { time: clock.now(), source: 'system-clock' };
}

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
