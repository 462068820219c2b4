// How `wait` asks, relates and reports.

import { formatDuration } from '../../base/duration.ts';
import { ForbiddenError, messageOf, UserError } from '../../base/errors.ts';
import { lookWithin } from '../../mesh/rounds.ts';
import { targetOnHost } from '../../mesh/target/targeterror.ts';
import { type Condition, describeCondition, parseCondition } from '../../model/certificates/condition.ts';
import { type FirstListing, firstBeginning, rememberFirst } from '../../model/certificates/firstlisting.ts';
import { judgePod, type Standing } from '../../model/certificates/standing.ts';
import { formatTarget, parseTarget, type Target } from '../../model/targets/target.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import { count } from '../reports/sentences.ts';
import type { Options } from './command.ts';
import { type Look, lookAtPods } from './pods.ts';
import { compareStandings, waitEvent } from './report.ts';

/** Each ztunnel's own bound, while there is that much time left. */
const ZTUNNEL_TIMEOUT_MS = 15_000;

const SHORTEST_LOOK_MS = 2_000;

/** Of `--timeout 0`, which looks once, as kubectl's does. */
const ONE_LOOK_MS = 30_000;

export async function* run(given: Options, context: CommandContext): AsyncGenerator<Report> {
  const condition = parseCondition(given.for, 'for');
  const once = given.timeout === 0;
  const options = once ? { ...given, timeout: ONE_LOOK_MS } : given;
  const begun = context.clock.now().getTime();
  const deadline = begun + options.timeout;
  let state: State = { since: undefined, first: new Map(), met: new Set(), last: undefined };
  for (;;) {
    const round = await lookOnce(condition, state, begun, options, context);
    state = round.state;
    yield reportOf(round.news.map((standing) => waitEvent(standing, condition, state.last!.time)));
    if (state.last?.done) return;
    const [onHost] = state.last?.onHost ?? [];
    if (onHost !== undefined) throw targetOnHost(onHost);
    const left = once ? 0 : deadline - context.clock.now().getTime();
    // A look that no ztunnel has time to answer would only hide what is known.
    const pause = Math.min(options.interval, Math.max(left - SHORTEST_LOOK_MS, 0));
    if (left > 0) await context.clock.sleep(pause > 0 ? pause : left, context.signal);
    context.signal.throwIfAborted();
    if (pause > 0) continue;
    yield reportOf(remaining(state).map((standing) => waitEvent(standing, condition, state.last!.time)));
    throw timedOut(state, condition, given, round.error);
  }
}

interface State {
  /** When the wait began, by the API server's clock, in ms since 1970. */
  readonly since: number | undefined;
  readonly first: FirstListing;
  /** The uids of pods that are what is waited for. */
  readonly met: ReadonlySet<string>;
  readonly last: Heard | undefined;
}

/** What one look has told. */
interface Heard {
  readonly standings: readonly Standing[];
  /** TARGETs without a pod that counts, as one would type them. */
  readonly empty: readonly string[];
  readonly onHost: readonly Target[];
  readonly time: Date;
  readonly done: boolean;
}

interface Round {
  readonly state: State;
  /** Pods that have become what is waited for. */
  readonly news: readonly Standing[];
  /** Why this look failed. */
  readonly error: UserError | undefined;
}

/** What fails at the first look would fail for good; later on an API server may be away for a while. */
async function lookOnce(
  condition: Condition,
  state: State,
  begun: number,
  options: Options,
  context: CommandContext,
): Promise<Round> {
  const elapsed = () => context.clock.now().getTime() - begun;
  const left = options.timeout - elapsed();
  const timeout = Math.min(ZTUNNEL_TIMEOUT_MS, left);
  const targets = options.words.map(parseTarget);
  try {
    const look = await lookWithin(left, context, (bounded) =>
      lookAtPods(targets, { ...options, timeout }, bounded),
    );
    if (look !== undefined) {
      return judge(look, condition, { ...state, since: state.since ?? look.time.getTime() - elapsed() });
    }
    return { state, news: [], error: undefined };
  } catch (error) {
    const isPassing = error instanceof UserError && !(error instanceof ForbiddenError);
    if (!isPassing || state.last === undefined) throw error;
    return { state, news: [], error };
  }
}

function judge(look: Look, condition: Condition, state: State): Round {
  const { pods, heard, time } = look;
  const since = state.since!;
  const nodes = heard.ztunnels.filter(({ name, namespace }) => heard.answered.has(`${namespace}/${name}`));
  const first = rememberFirst(
    state.first,
    nodes.map(({ node }) => node),
    heard.items,
  );
  const beginning = {
    since,
    firstOf: (item: Parameters<typeof firstBeginning>[1]) => firstBeginning(first, item),
  };
  const standings = pods
    .map(({ pod, identity }) => judgePod(pod, identity, condition, { ...heard, beginning }))
    .toSorted(compareStandings);
  const ready = standings.filter(({ lack }) => lack === undefined);
  const empty = look.empty.map(({ type, name }) => formatTarget(type, name));
  const done = empty.length === 0 && ready.length === standings.length;
  return {
    state: {
      since,
      first,
      met: new Set(ready.map(({ uid }) => uid)),
      last: { standings, empty, onHost: look.onHost, time, done },
    },
    news: ready.filter(({ uid }) => !state.met.has(uid)),
    error: undefined,
  };
}

function reportOf(events: readonly ReturnType<typeof waitEvent>[]): Report {
  return {
    views: { events: () => events },
    rowCount: events.length,
    failures: [],
    warnings: [],
    summary: undefined,
    empty: undefined,
  };
}

function remaining({ last }: State): readonly Standing[] {
  return last?.standings.filter(({ lack }) => lack !== undefined) ?? [];
}

function timedOut(
  state: State,
  condition: Condition,
  { timeout }: Options,
  error: UserError | undefined,
): UserError {
  const { last } = state;
  const after = timeout === 0 ? 'looked once' : `timed out after ${formatDuration(timeout / 1000)}`;
  if (last === undefined) {
    return new UserError(`${after}: the API server has not answered`, 'Give it more time with --timeout.');
  }
  const total = last.standings.length;
  const parts = [
    ...(total === 0
      ? []
      : [`${total - remaining(state).length} of ${count(total, 'pod')} ${describeCondition(condition)}`]),
    ...last.empty.map((target) => `${target} has no pod yet`),
    ...(error === undefined ? [] : [`the last look failed: ${messageOf(error)}`]),
  ];
  return new UserError(
    `${after}: ${parts.join('; ')}`,
    'See more with kubectl ztunnel certs and check, or give it more time with --timeout.',
  );
}
