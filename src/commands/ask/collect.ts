// How every ztunnel in scope is asked for its config dump, a bounded number at a time.

import type { Cluster } from '../../cluster/cluster.ts';
import { createDumpReader } from '../../decode/configdump.ts';
import type { DumpReaderOptions } from '../../decode/dumpcontent.ts';
import type { ConfigDump, Section } from '../../model/dump.ts';
import type { Answer, Failure, Ztunnel } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';
import type { CommonOptions } from '../common.ts';
import { withDeadNodes } from './deadnodes.ts';
import { askEach, failureOf } from './each.ts';
import { findScope, type Scope } from './scope.ts';

/** What is read of each ztunnel's dump. */
export interface Wanted {
  /** Of every ztunnel; empty if one whole dump is all that is wanted. */
  readonly sections: ReadonlySet<Section>;
  /** Of one ztunnel (the first Ready one by node name that answers) besides; undefined for none. */
  readonly once?: ReadonlySet<Section> | undefined;
  /** Keep each element as ztunnel sent it; `several`: if several ztunnels are asked, whose words are compared. */
  readonly keepRaw: boolean | 'several';
  /** Of the workloads, those of the ztunnel's own node are enough. */
  readonly ownWorkloads?: boolean;
}

export interface Collected {
  /** In scope: Running, terminating and pending ones. */
  readonly ztunnels: readonly Ztunnel[];
  /** In the order of `ztunnels`. */
  readonly answers: readonly Answer[];
  /** The answer that `once` was read from, too; undefined if none was asked for or none answered. */
  readonly whole: Answer | undefined;
  readonly failures: readonly Failure[];
  readonly asked: number;
}

interface Outcome {
  readonly answer?: Answer;
  /** Of a ztunnel without an answer, or of those that were asked before one did. */
  readonly failures: readonly Failure[];
}
type Ask = (ztunnel: Ztunnel, sections: ReadonlySet<Section>) => Promise<Outcome>;

/** Asks all ztunnels in scope. A ztunnel that fails becomes a Failure; only not being able to list them throws. */
export async function collectDumps(
  wanted: Wanted,
  options: CommonOptions,
  context: CommandContext,
): Promise<Collected> {
  const scope = await findScope(options, context);
  const keepRaw = wanted.keepRaw === 'several' ? scope.asked.length > 1 : wanted.keepRaw;
  const ask = asker({ keepRaw, ownWorkloads: wanted.ownWorkloads }, options, context);
  const outcomes =
    wanted.sections.size === 0
      ? await askUntilOneAnswers(scope, wanted, ask)
      : await askAll(scope, wanted, ask, options, context);
  const answers = await identifyAll(
    outcomes.flatMap((outcome) => outcome.answer ?? []),
    context,
  );
  const failures = [
    ...scope.failures,
    ...outcomes.flatMap((outcome) => outcome.failures),
    ...answers.flatMap(problems),
  ];
  const whole =
    wanted.once === undefined ? undefined : answers.find((answer) => hasAll(answer.dump, wanted.once!));
  return {
    ztunnels: scope.ztunnels,
    answers,
    whole,
    failures: await withDeadNodes(failures, options, context),
    asked: scope.ztunnels.length,
  };
}

/** One after the other. Those that failed before one answered are only warnings: nothing is missing. */
async function askUntilOneAnswers(scope: Scope, wanted: Wanted, ask: Ask): Promise<readonly Outcome[]> {
  const failures: Failure[] = [];
  for (const ztunnel of scope.wholeDumpOrder) {
    const outcome = await ask(ztunnel, wanted.once!);
    if (outcome.answer === undefined) failures.push(...outcome.failures);
    else
      return [
        { failures: failures.map((failure) => ({ ...failure, severity: 'warning' as const })) },
        outcome,
      ];
  }
  return [{ failures }];
}

/** All are asked at once; the whole dump is first wanted of the first candidate, then of the next if that fails. */
async function askAll(
  scope: Scope,
  wanted: Wanted,
  ask: Ask,
  options: CommonOptions,
  context: CommandContext,
): Promise<readonly Outcome[]> {
  const candidates = wanted.once === undefined ? [] : [...scope.wholeDumpOrder];
  const first = candidates.shift();
  const outcomes = await askEach(
    scope.asked,
    (ztunnel) => ask(ztunnel, ztunnel === first ? wanted.once! : wanted.sections),
    options,
    context,
  );
  return first === undefined ? outcomes : retryWhole(outcomes, first, candidates, scope, wanted, ask);
}

/** The first candidate gave no whole dump: the next ones that answered are asked again, one after the other. */
async function retryWhole(
  outcomes: readonly Outcome[],
  first: Ztunnel,
  candidates: readonly Ztunnel[],
  scope: Scope,
  wanted: Wanted,
  ask: Ask,
): Promise<readonly Outcome[]> {
  const result = [...outcomes];
  const gave = (ztunnel: Ztunnel) => result[scope.asked.indexOf(ztunnel)]?.answer;
  if (gave(first) !== undefined) return result;
  for (const ztunnel of candidates) {
    if (gave(ztunnel) === undefined) continue;
    const outcome = await ask(ztunnel, wanted.once!);
    if (outcome.answer === undefined) continue;
    result[scope.asked.indexOf(ztunnel)] = outcome;
    break;
  }
  return result;
}

/** Asks some of those that answered once more, for other sections. What fails now keeps its first answer. */
export async function askAgain(
  answers: readonly Answer[],
  sections: ReadonlySet<Section>,
  options: CommonOptions,
  context: CommandContext,
): Promise<readonly Answer[]> {
  const ask = asker({ keepRaw: false }, options, context);
  const outcomes = await askEach(
    answers.map(({ ztunnel }) => ztunnel),
    (ztunnel) => ask(ztunnel, sections),
    options,
    context,
  );
  return outcomes.map(({ answer }, index) => answer ?? answers[index]!);
}

/** How much of the sections is kept. */
type Kept = Omit<DumpReaderOptions, 'sections'>;

function asker(kept: Kept, options: CommonOptions, context: CommandContext): Ask {
  return async (ztunnel, sections) => {
    try {
      const dump = await fetchDump(context.cluster, ztunnel, { sections, ...kept }, options, context.signal);
      return { answer: { ztunnel, dump }, failures: [] };
    } catch (error) {
      context.signal.throwIfAborted();
      return { failures: [failureOf(ztunnel, error)] };
    }
  };
}

async function fetchDump(
  cluster: Cluster,
  ztunnel: Ztunnel,
  reading: DumpReaderOptions,
  options: CommonOptions,
  signal: AbortSignal,
): Promise<ConfigDump> {
  const reader = createDumpReader({ ...reading, judged: cluster.redacted === true });
  const request = { port: options.proxyAdminPort, timeoutMs: options.timeout, signal, transient: true };
  for await (const chunk of cluster.openDump(ztunnel, request)) {
    if (reader.write(chunk)) break;
  }
  return reader.end();
}

/** One after the other in the order asked: of two dumps of a node, the first is its ztunnel pod's. */
async function identifyAll(
  answers: readonly Answer[],
  { cluster }: CommandContext,
): Promise<readonly Answer[]> {
  const named: Answer[] = [];
  for (const { ztunnel, dump } of answers) {
    named.push({ ztunnel: await cluster.identify(ztunnel, dump.config.localNode), dump });
  }
  return named;
}

/** A section that could not be read is a failure of its ztunnel; the other sections stand. */
function problems({ ztunnel, dump }: Answer): readonly Failure[] {
  return dump.problems.map((problem) => ({
    ztunnel: { namespace: ztunnel.namespace, name: ztunnel.name, node: ztunnel.node },
    severity: 'error',
    message: problem.message,
    hint: problem.hint ?? 'Fetch it again; if it stays so, a newer kubectl ztunnel may know this ztunnel.',
  }));
}

function hasAll(dump: ConfigDump, sections: ReadonlySet<Section>): boolean {
  return [...sections].every((section) => dump.sections.has(section));
}
