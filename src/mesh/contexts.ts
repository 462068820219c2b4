// How several clusters are asked at the same time, each by its context, and what becomes of one that can't be asked.

import pMap from 'p-map';
import { AbsentTargetError, ForbiddenError, UsageError, UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import type { ContextsOptions } from '../commands/flags/contexts.ts';
import type { ClusterFailure, Reference } from '../model/types.ts';
import type { Cluster } from '../sources/cluster.ts';
import { sharedProgress } from './sharedprogress.ts';
import { currentTime } from './time.ts';

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

export type Look<O, T> = (options: O, context: CommandContext, cluster: string | undefined) => Promise<T>;

export interface Contexts<O> {
  /**
   * Looks at each. Throws what is no matter of one cluster alone: a wrong command line, a bug, an interrupt, and a
   * TARGET that none of them has.
   */
  readonly ask: <T>(look: Look<O, T>, context: CommandContext) => Promise<Asked<T>>;
  /** The given context with a clock for what concerns no single cluster: the latest of those that have answered. */
  readonly outer: CommandContext;
  readonly close: () => Promise<void>;
}

/** The one cluster that the context has. */
export function onlyContext<O>(options: O, outer: CommandContext): Contexts<O> {
  return {
    ask: async (look, context) => ({
      parts: [{ cluster: undefined, looked: await look(options, context, undefined) }],
      failures: [],
      warnings: [],
    }),
    outer,
    close: async () => {},
  };
}

/** `moving`: each look is judged at its own time, as in watching. Nothing is connected to before it is asked. */
export function openContexts<O extends ContextsOptions>(
  options: O,
  outer: CommandContext,
  { moving }: { readonly moving: boolean },
): Contexts<O> {
  const { contexts: names, concurrency } = options;
  const opened = new Map<string, Cluster>();
  const heard = new Set<Cluster>();
  const own = { ...options, concurrency: shareOf(options) };
  const open = async (name: string) => {
    const cluster = opened.get(name) ?? (await outer.connect({ ...own, context: name }));
    opened.set(name, cluster);
    return cluster;
  };
  return {
    ask: async (look, context) => {
      const progress = sharedProgress(context.progress);
      const attempt = async (name: string) => {
        const cluster = await open(name);
        const reference = moving ? () => currentTime(undefined, { ...context, cluster }) : cluster.reference;
        const inside = { ...context, cluster: { ...cluster, reference }, progress: progress.part() };
        const looked = await look({ ...own, context: name }, inside, name);
        heard.add(cluster);
        return looked;
      };
      return attemptEach(names, attempt, concurrency, context, (name) => opened.get(name)?.warnings() ?? []);
    },
    outer: { ...outer, cluster: { ...outer.cluster, ...clockOf(heard, outer) } },
    close: async () => {
      await Promise.all(Array.from(opened.values(), (cluster) => cluster.close()));
    },
  };
}

/** How many ztunnels of each cluster are asked at once, so that over all of them it is no more than was said. */
export function shareOf({ contexts, concurrency }: ContextsOptions): number {
  return Math.max(1, Math.floor(concurrency / contexts.length));
}

/** Attempts each, so many at a time. Throws as Contexts.ask does. */
export async function attemptEach<T>(
  names: readonly string[],
  attempt: (name: string) => Promise<T>,
  concurrency: number,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
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

/** Of those that have answered, the latest; the system's while none has. */
function clockOf(
  heard: ReadonlySet<Cluster>,
  context: CommandContext,
): Pick<Cluster, 'reference' | 'clockSkewSeconds'> {
  const reference = async (): Promise<Reference> =>
    latestOf(
      await Promise.all([...heard].map((cluster) => currentTime(undefined, { ...context, cluster }))),
      context,
    );
  return { reference, clockSkewSeconds: () => undefined };
}

/** Of the times by which several clusters are judged, the latest; the system's if there is none. */
export function latestOf(
  references: readonly Reference[],
  { clock }: Pick<CommandContext, 'clock'>,
): Reference {
  const [latest] = references.toSorted((a, b) => b.time.getTime() - a.time.getTime());
  return latest ?? { time: clock.now(), source: 'system-clock' };
}
