// How `wait` asks, relates and reports.

import { formatDuration } from '../../base/duration.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { askedAgain, withMovingTime } from '../../mesh/mesh.ts';
import { poll } from '../../mesh/poll.ts';
import { targetOnHost } from '../../mesh/scope/targeterror.ts';
import { type Condition, describeCondition, parseCondition } from '../../model/certificates/condition.ts';
import { type FirstListing, firstBeginning, rememberFirst } from '../../model/certificates/firstlisting.ts';
import { judgePod, type Standing } from '../../model/certificates/standing.ts';
import { formatTarget, parseTarget, type Target } from '../../model/targets/target.ts';
import type { Report } from '../../printers/printer.ts';
import { count } from '../reports/sentences.ts';
import type { CommandContext } from '../spec/command.ts';
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
  const mesh = withMovingTime(await context.mesh());
  const { clock, signal } = context;
  const once = given.timeout === 0;
  const options = once ? { ...given, timeout: ONE_LOOK_MS } : given;
  const targets = options.words.map(parseTarget);
  const begun = clock.now().getTime();
  const elapsed = () => clock.now().getTime() - begun;
  const left = () => (once ? 0 : options.timeout - elapsed());
  const pace = {
    longest: () => options.timeout - elapsed(),
    // A look that no ztunnel has time to answer would only hide what is known.
    pause: () => Math.min(options.interval, Math.max(left() - SHORTEST_LOOK_MS, 0)) || undefined,
  };
  const look = (bounded: AbortSignal) => {
    const timeout = Math.min(ZTUNNEL_TIMEOUT_MS, options.timeout - elapsed());
    return lookAtPods(targets, { ...options, timeout }, askedAgain(mesh, bounded));
  };
  let state: State = { since: undefined, first: new Map(), met: new Set(), last: undefined };
  let lastError: UserError | undefined;
  for await (const { found, error } of poll(look, pace, { clock, signal })) {
    lastError = error;
    const { met } = state;
    if (found !== undefined) {
      state = judge(found, condition, { ...state, since: state.since ?? found.time.getTime() - elapsed() });
    }
    const { last } = state;
    const news = found === undefined ? [] : readyIn(last).filter(({ uid }) => !met.has(uid));
    yield reportOf(news.map((standing) => waitEvent(standing, condition, last!.time)));
    if (last?.done) return;
    const [onHost] = last?.onHost ?? [];
    if (onHost !== undefined) throw targetOnHost(onHost);
  }
  if (left() > 0) await clock.sleep(left(), signal);
  signal.throwIfAborted();
  yield reportOf(remaining(state).map((standing) => waitEvent(standing, condition, state.last!.time)));
  throw timedOut(state, condition, given, lastError);
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

function judge(look: Look, condition: Condition, state: State): State {
  const { pods, heard, time } = look;
  const since = state.since!;
  const nodes = heard.ztunnels.filter(({ name, namespace }) => heard.answers.has(`${namespace}/${name}`));
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
  const empty = look.empty.map(({ type, name }) => formatTarget(type, name));
  const ready = standings.filter(({ lack }) => lack === undefined);
  const done = empty.length === 0 && ready.length === standings.length;
  return {
    since,
    first,
    met: new Set(ready.map(({ uid }) => uid)),
    last: { standings, empty, onHost: look.onHost, time, done },
  };
}

function readyIn(last: Heard | undefined): readonly Standing[] {
  return last?.standings.filter(({ lack }) => lack === undefined) ?? [];
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
