// How a command looks at a live mesh again and again, and tells what has changed.

import { formatDuration } from '../base/duration.ts';
import { ForbiddenError, messageOf, UsageError, UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import { DEFAULT_INTERVAL_MS, type WatchOptions } from '../commands/flags/watchflags.ts';
import { describeCondition, lackOf, parseCondition } from '../model/certificates/condition.ts';
import { type FirstListing, firstBeginning, rememberFirst } from '../model/certificates/firstlisting.ts';
import { wordOf } from '../model/documents/difference.ts';
import type { CertificateItem } from '../model/items.ts';
import { compareText } from '../model/order.ts';
import type { Event, Report } from '../printers/printer.ts';
import { lookWithin } from './rounds.ts';
import { currentTime } from './time.ts';

/** What one look has found. */
export interface Round<S> {
  /** The whole, as a screen shows it; its `events` are those of this round. */
  readonly report: Report;
  readonly events: readonly Event[];
  /** Each event's sort, for the count at the end: `renewed`, `went`. */
  readonly changes: readonly string[];
  /** What --until is about. */
  readonly certificates: readonly CertificateItem[];
  /** Nodes of ztunnels that answered. */
  readonly nodes: readonly (string | null)[];
  /** What the next round compares itself with. */
  readonly state: S;
}

export type LookAgain<S> = (
  context: CommandContext,
  previous: S | undefined,
  /** By the API server's clock. */
  time: () => Promise<Date>,
) => Promise<Round<S>>;

/** Far beyond what the bounds on each request and each ztunnel leave of a round. */
const LONGEST_ROUND_MS = 5 * 60_000;

/** A report for each look, until --until is true or the user interrupts; then one that sums up. */
export async function* watch<S>(
  look: LookAgain<S>,
  options: WatchOptions,
  context: CommandContext,
): AsyncGenerator<Report> {
  const begun = context.clock.now().getTime();
  const tally = new Map<string, number>();
  const elapsed = () => (context.clock.now().getTime() - begun) / 1000;
  let ending: string | undefined;
  let last: Report | undefined;
  try {
    for await (const { report, changes, isDone } of rounds(look, options, context)) {
      for (const change of changes) tally.set(change, (tally.get(change) ?? 0) + 1);
      last = report;
      yield report;
      if (isDone) {
        ending = `all are ${describeCondition(parseCondition(options.until!, 'until'))}; `;
        break;
      }
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
  yield summingUp(`${ending ?? ''}watched for ${formatDuration(elapsed())}: ${describeTally(tally)}.`, last);
}

interface Told {
  readonly report: Report;
  readonly changes: readonly string[];
  readonly isDone: boolean;
}

async function* rounds<S>(
  look: LookAgain<S>,
  options: WatchOptions,
  outer: CommandContext,
): AsyncGenerator<Told> {
  const time = async () => (await currentTime(undefined, outer)).time;
  // Each look is judged at its own time.
  const context = { ...outer, cluster: { ...outer.cluster, reference: () => currentTime(undefined, outer) } };
  const since = { at: undefined as number | undefined, first: new Map() as FirstListing };
  let state: S | undefined;
  for (;;) {
    // A person waits for the first look only.
    const progress = state === undefined ? outer.progress : SILENT;
    const round = await tryRound(look, state, time, { ...context, progress });
    if (typeof round === 'string') yield { report: sorry(round), changes: [], isDone: false };
    else {
      since.at ??= (await time()).getTime();
      since.first = rememberFirst(since.first, round.nodes, round.certificates);
      state = round.state;
      const report = { ...round.report, views: { ...round.report.views, events: () => round.events } };
      yield { report, changes: round.changes, isDone: isDone(round, since.at, since.first, options) };
    }
    await context.clock.sleep(options.interval ?? DEFAULT_INTERVAL_MS, context.signal);
    context.signal.throwIfAborted();
  }
}

const SILENT = { update: () => {}, clear: async () => {} };

/** The sentence that says why a look failed. What fails at first, or for want of rights, would fail again. */
async function tryRound<S>(
  look: LookAgain<S>,
  state: S | undefined,
  time: () => Promise<Date>,
  context: CommandContext,
): Promise<Round<S> | string> {
  try {
    const round = await lookWithin(LONGEST_ROUND_MS, context, (bounded) => look(bounded, state, time));
    return round ?? 'the mesh did not answer in time';
  } catch (error) {
    const isLasting = error instanceof ForbiddenError || error instanceof UsageError;
    if (!(error instanceof UserError) || isLasting || state === undefined) throw error;
    return messageOf(error);
  }
}

function isDone<S>(
  { certificates, report }: Round<S>,
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

function sorry(sentence: string): Report {
  return { ...NOTHING, views: { events: () => [] }, warnings: [`${sentence}; looking again`], partial: true };
}

/** The watch ends as its last look alone would have. */
function summingUp(sentence: string, last: Report | undefined): Report {
  const { failed = false, partial = false, worst } = last ?? {};
  return { ...NOTHING, views: { events: () => [] }, empty: sentence, failed, partial, worst };
}

/** `3 renewed, 1 went`, `nothing changed`. */
function describeTally(tally: ReadonlyMap<string, number>): string {
  if (tally.size === 0) return 'nothing changed';
  return [...tally]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([change, number]) => `${number} ${wordOf(change)}`)
    .join(', ');
}
