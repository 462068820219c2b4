// How `log` reads or changes the log levels of ztunnels, and when it asks for confirmation.

import { UsageError, UserError } from '../../base/errors.ts';
import type { Asking } from '../../mesh/asking.ts';
import { withDeadNodes } from '../../mesh/deadnodes.ts';
import { askEach, failureOf } from '../../mesh/each.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findServingScope, type Scope } from '../../mesh/scope/scope.ts';
import type { Failure, Ztunnel } from '../../model/types.ts';
import { formatLevels, parseLevels } from '../../model/ztunnels/loglevel.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { logReport } from './report.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const scope = await findServingScope(options, { sections: new Set(), keepRaw: false }, mesh);
  const collected = await collectLevels(requestOf(options), scope, options, mesh, context.confirm);
  yield logReport({
    ...collected,
    changed: options.level !== undefined || options.reset,
    reference: await mesh.reference(),
    sortBy: options.sortBy,
  });
}

/** Both together reset first and set then, in ztunnel as in istioctl. */
function requestOf({ level, reset, yes }: Options): LogRequest {
  const levels = level === undefined ? undefined : formatLevels(parseLevels(level));
  const parts = [
    ...(levels === undefined ? [] : [`level=${encodeURIComponent(levels)}`]),
    ...(reset ? ['reset'] : []),
  ];
  const changes = [
    ...(reset ? ['reset the log levels'] : []),
    ...(levels === undefined ? [] : [`set the log level ${levels}`]),
  ];
  return {
    query: parts.length === 0 ? '' : `?${parts.join('&')}`,
    change: changes.length === 0 ? undefined : changes.join(' and '),
    yes,
  };
}

/** What is asked of each ztunnel. */
export interface LogRequest {
  /** Of `/logging`: `?level=debug`, `?reset`, or '' to change nothing. */
  readonly query: string;
  /** What the change is, to be read after "do you want to"; undefined if nothing is changed. */
  readonly change: string | undefined;
  /** The user has said yes already. */
  readonly yes: boolean;
}

/** ztunnel's own words. */
export interface LogAnswer {
  readonly ztunnel: Ztunnel;
  readonly text: string;
}

export interface CollectedLevels {
  readonly answers: readonly LogAnswer[];
  readonly failures: readonly Failure[];
  readonly asked: number;
}

/**
 * Asks all ztunnels in scope. One that fails becomes a Failure; none is asked twice. Throws UserError when the
 * user says no, UsageError when several would be changed and nobody can be asked.
 */
export async function collectLevels(
  request: LogRequest,
  scope: Scope,
  asking: Asking,
  mesh: Mesh,
  confirm: CommandContext['confirm'],
): Promise<CollectedLevels> {
  await confirmChange(request, scope.asked, confirm);
  const outcomes = await askEach(
    scope.asked,
    async (ztunnel) => askOne(ztunnel, request.query, asking, mesh),
    asking.concurrency,
    mesh,
  );
  const failures = [...scope.failures, ...outcomes.flatMap(({ failure }) => failure ?? [])];
  return {
    answers: outcomes.flatMap(({ answer }) => answer ?? []),
    failures: await withDeadNodes(failures, mesh),
    asked: scope.ztunnels.length,
  };
}

/** One ztunnel is what the user has named; several may be more than was meant. */
async function confirmChange(
  { change, yes }: LogRequest,
  asked: readonly Ztunnel[],
  confirm: CommandContext['confirm'],
): Promise<void> {
  if (change === undefined || yes || asked.length < 2) return;
  const what = `${change} of ${asked.length} ztunnels`;
  if (confirm === undefined) {
    throw new UsageError(`log would ${what}, which needs --yes`, 'Add --yes, or name one with --node.');
  }
  if (await confirm(`Do you want to ${what}?`)) return;
  throw new UserError(
    'nothing was changed, as you did not say yes',
    'Add --yes to change without a question.',
  );
}

interface Outcome {
  readonly answer?: LogAnswer;
  readonly failure?: Failure;
}

async function askOne(
  ztunnel: Ztunnel,
  query: string,
  asking: Asking,
  { cluster, signal }: Mesh,
): Promise<Outcome> {
  try {
    const request = { port: asking.proxyAdminPort, timeoutMs: asking.timeout, signal };
    return { answer: { ztunnel, text: await cluster.setLogging(ztunnel, query, request) } };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: failureOf(ztunnel, error) };
  }
}
