// How every ztunnel in scope is asked for its config dump, a bounded number at a time.

import type { ConfigDump, Section } from '../model/dump.ts';
import type { Answer, Failure, Ztunnel } from '../model/types.ts';
import { type Asking, type Outcome, readDump, type Wanted } from './asking.ts';
import { withDeadNodes } from './deadnodes.ts';
import { askEach } from './each.ts';
import type { Mesh } from './mesh.ts';
import type { Scope } from './scope/scope.ts';

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

type Ask = (ztunnel: Ztunnel, sections: ReadonlySet<Section>) => Promise<Outcome>;

/** Asks all ztunnels in scope. A ztunnel that fails becomes a Failure. */
export async function collectDumps(
  scope: Scope,
  wanted: Wanted,
  asking: Asking,
  mesh: Mesh,
): Promise<Collected> {
  const keepRaw = wanted.keepRaw === 'several' ? scope.asked.length > 1 : wanted.keepRaw;
  const ask: Ask = async (ztunnel, sections) =>
    scope.read.get(ztunnel) ??
    readDump(ztunnel, { sections, keepRaw, ownWorkloads: wanted.ownWorkloads }, asking, mesh);
  const outcomes =
    wanted.sections.size === 0
      ? await askUntilOneAnswers(scope, wanted, ask)
      : await askAll(scope, wanted, ask, asking.concurrency, mesh);
  const answers = await identifyAll(
    outcomes.flatMap((outcome) => outcome.answer ?? []),
    mesh,
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
    failures: await withDeadNodes(failures, mesh),
    asked: scope.ztunnels.length,
  };
}

/** The one whole dump, where only one was read; else all. With several of them, rows are compared. */
export function shownOf({ whole, answers }: Collected): readonly Answer[] {
  return whole === undefined ? answers : [whole];
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
  concurrency: number,
  mesh: Mesh,
): Promise<readonly Outcome[]> {
  const candidates = wanted.once === undefined ? [] : [...scope.wholeDumpOrder];
  const first = candidates.shift();
  const outcomes = await askEach(
    scope.asked,
    (ztunnel) => ask(ztunnel, ztunnel === first ? wanted.once! : wanted.sections),
    concurrency,
    mesh,
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
  asking: Asking,
  mesh: Mesh,
): Promise<readonly Answer[]> {
  const outcomes = await askEach(
    answers.map(({ ztunnel }) => ztunnel),
    (ztunnel) => readDump(ztunnel, { sections, keepRaw: false }, asking, mesh),
    asking.concurrency,
    mesh,
  );
  return outcomes.map(({ answer }, index) => answer ?? answers[index]!);
}

/** One after the other in the order asked: of two dumps of a node, the first is its ztunnel pod's. */
async function identifyAll(answers: readonly Answer[], { cluster }: Mesh): Promise<readonly Answer[]> {
  const named: Answer[] = [];
  for (const { ztunnel, dump, at } of answers) {
    named.push({ at, dump, ztunnel: await cluster.identify(ztunnel, dump.config.localNode) });
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
