// How a command collects once, or with --watch again and again, from one cluster or several.

import { formatDuration } from '../../base/duration.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import { type Asked, type Look, onlyMesh, openMeshes } from '../../mesh/clusters.ts';
import { askedAgain, type Clock, SILENT, withMovingTime } from '../../mesh/mesh.ts';
import { poll } from '../../mesh/poll.ts';
import { describeCondition, lackOf, parseCondition } from '../../model/certificates/condition.ts';
import { type FirstListing, firstBeginning, rememberFirst } from '../../model/certificates/firstlisting.ts';
import { wordOf } from '../../model/difference.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Event, Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import { type ContextsOptions, DEFAULT_INTERVAL_MS, type WatchOptions } from '../spec/sharedflags.ts';

/** What one round has found. */
export interface Observation<S> {
  /** The whole, as a screen shows it; its `events` are those of this round. */
  readonly report: Report;
  readonly events: readonly Event[];
  /** Each event's sort, for the count at the end: `renewed`, `removed`. */
  readonly changes: readonly string[];
  /** What --until is about. */
  readonly certificates: readonly CertificateItem[];
  /** Nodes of ztunnels that answered. */
  readonly nodes: readonly (string | null)[];
  /** What the next round compares itself with. */
  readonly state: S;
}

/** Far beyond what the bounds on each request and each ztunnel leave of a round. */
const LONGEST_ROUND_MS = 5 * 60_000;

export interface Watched<S> {
  /** Asks once more; `previous` is the state of the round before, undefined at first. */
  readonly observe: (previous: S | undefined, signal: AbortSignal) => Promise<Observation<S>>;
  /** By the API server's clock. */
  readonly time: () => Promise<Date>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A report for each round, until --until is true or the user interrupts; then one that sums up. */
export async function* watch<S>(watched: Watched<S>, options: WatchOptions): AsyncGenerator<Report> {
  const { clock, signal } = watched;
  const begun = clock.now().getTime();
  const tally = new Map<string, number>();
  const elapsed = () => (clock.now().getTime() - begun) / 1000;
  let ending: string | undefined;
  let last: Report | undefined;
  try {
    for await (const { report, changes, isDone } of rounds(watched, options)) {
      for (const change of changes) tally.set(change, (tally.get(change) ?? 0) + 1);
      last = report;
      yield report;
      if (isDone) {
        ending = `all are ${describeCondition(parseCondition(options.until!, 'until'))}; `;
        break;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  yield summingUp(`${ending ?? ''}watched for ${formatDuration(elapsed())}: ${describeTally(tally)}.`, last);
}

interface Reported {
  readonly report: Report;
  readonly changes: readonly string[];
  readonly isDone: boolean;
}

async function* rounds<S>(
  { observe, time, clock, signal }: Watched<S>,
  options: WatchOptions,
): AsyncGenerator<Reported> {
  const since = { at: undefined as number | undefined, first: new Map() as FirstListing };
  let state: S | undefined;
  const pace = {
    longest: () => LONGEST_ROUND_MS,
    pause: () => options.interval ?? DEFAULT_INTERVAL_MS,
  };
  for await (const { found, error } of poll((bounded) => observe(state, bounded), pace, { clock, signal })) {
    if (found === undefined) {
      const why = error === undefined ? 'the mesh did not answer in time' : messageOf(error);
      yield { report: failedRound(why), changes: [], isDone: false };
      continue;
    }
    since.at ??= (await time()).getTime();
    since.first = rememberFirst(since.first, found.nodes, found.certificates);
    state = found.state;
    const report = { ...found.report, views: { ...found.report.views, events: () => found.events } };
    yield { report, changes: found.changes, isDone: isDone(found, since.at, since.first, options) };
  }
}

function isDone<S>(
  { certificates, report }: Observation<S>,
  since: number,
  first: FirstListing,
  { until }: WatchOptions,
): boolean {
  const failed = report.failures.some(({ severity }) => severity === 'error');
  if (until === undefined || failed || certificates.length === 0) return false;
  const condition = parseCondition(until, 'until');
  const firstOf = (item: CertificateItem) => firstBeginning(first, item);
  return certificates.every((item) => lackOf(condition, item, { since, firstOf }) === undefined);
}

const NOTHING = { rowCount: 0, failures: [], warnings: [], summary: undefined, empty: undefined };

function failedRound(sentence: string): Report {
  return { ...NOTHING, views: { events: () => [] }, warnings: [`${sentence}; looking again`], partial: true };
}

/** The watch ends as its last look alone would have. */
function summingUp(sentence: string, last: Report | undefined): Report {
  const { failed = false, partial = false, worst } = last ?? {};
  return { ...NOTHING, views: { events: () => [] }, empty: sentence, failed, partial, worst };
}

/** `3 renewed, 1 removed`, `nothing changed`. */
function describeTally(tally: ReadonlyMap<string, number>): string {
  if (tally.size === 0) return 'nothing changed';
  return [...tally]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([change, number]) => `${number} ${wordOf(change)}`)
    .join(', ');
}

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
