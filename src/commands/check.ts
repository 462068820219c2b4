// `check`: what is wrong with the mesh, worst first, with what to do, and an exit code for monitors.

import { UsageError } from '../errors.ts';
import { type CheckResult, evaluateFindings, type FindingFilter } from '../model/check.ts';
import type { FindingSeverity } from '../model/findings/finding.ts';
import { FINDING_CODES, type FindingCode } from '../model/findings.ts';
import type { CertificateItem, Section } from '../model/types.ts';
import type { Report } from '../printers/printer.ts';
import { collectMesh } from './ask/mesh.ts';
import { narrow } from './ask/narrow.ts';
import { watch } from './ask/watch.ts';
import { type CommandContext, defineCommand } from './command.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { selector } from './narrowing.ts';
import { outputFileFlags } from './outputfile.ts';
import { sortItems } from './rows/columns.ts';
import { findingReport } from './rows/findingreport.ts';
import { findingColumns } from './rows/findings.ts';
import { type LookedFindings, watchedFindings } from './rows/watchedfindings.ts';
import { TARGET } from './target.ts';
import { warnWithin } from './warnwithin.ts';
import { checkWatch, watchFlags } from './watchflags.ts';

const flags = defineFlags({
  selector,
  only: {
    kind: 'strings',
    value: 'CODE',
    choices: FINDING_CODES,
    summary: 'Look only for these findings (repeatable)',
    group: 'command',
  },
  ignore: {
    kind: 'strings',
    value: 'CODE',
    choices: FINDING_CODES,
    summary: 'Leave these findings out (repeatable)',
    group: 'command',
  },
  'min-severity': {
    kind: 'string',
    value: 'SEVERITY',
    choices: ['critical', 'warning', 'information'],
    default: 'information',
    summary: 'Leave out what is less than this',
    group: 'command',
  },
  'warn-within': warnWithin,
  deep: {
    kind: 'boolean',
    summary: 'Compare the whole dumps of all ztunnels',
    group: 'command',
  },
  'allow-partial': {
    kind: 'boolean',
    summary: 'A ztunnel that fails is a warning (1), not an incomplete check (3)',
    group: 'command',
  },
  ...outputFileFlags,
  ...watchFlags,
});
export type CheckOptions = OptionsOf<typeof flags> & CommonOptions;

export const check = defineCommand({
  name: 'check',
  aliases: [],
  summary: 'What is wrong, worst first, and what to do about it',
  examples: [
    { args: 'check', does: 'every finding, worst first' },
    { args: 'check deployment/web', does: 'what concerns one Deployment' },
    { args: 'check -o wide', does: 'each object that is concerned' },
    { args: 'check --min-severity critical', does: 'only what is broken now' },
    { args: 'check --ignore ORPHAN,VERSIONS-DIFFER', does: 'without what is known' },
    { args: 'check -o prometheus --output-file ztunnel.prom', does: 'for the node exporter' },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'json', 'yaml', 'html', 'prometheus', 'junit'],
  check: checkOptions,
  run,
  exitCode,
  usageExitCode: 3,
  errorExitCode: 3,
});

function checkOptions(options: CheckOptions): void {
  checkWatch(options);
  const both = options.only.find((code) => options.ignore.includes(code));
  if (both === undefined) return;
  throw new UsageError(`--only ${both} and --ignore ${both} exclude each other`, 'Leave one of them out.');
}

/** As monitors have it: 2 critical, 3 not known whether all is well, 1 warning, 0 well. */
function exitCode({ worst, failures, partial }: Report): number {
  if (worst === 'critical') return 2;
  if (partial === true || failures.some(({ severity }) => severity === 'error')) return 3;
  return worst === 'warning' ? 1 : 0;
}

async function* run(given: CheckOptions, outer: CommandContext): AsyncGenerator<Report> {
  if (!given.watch) {
    yield (await look(given, outer)).report;
    return;
  }
  yield* watch(
    async (context, previous: Parameters<typeof watchedFindings>[1], time) =>
      watchedFindings(await look(given, context), previous, await time()),
    given,
    outer,
  );
}

async function look(given: CheckOptions, outer: CommandContext): Promise<LookedFindings> {
  const { options, context, keeps, refuseAbsent } = await narrow(given, outer);
  const filter = { ...filterOf(options), isConcerned: keeps.concerned };
  const mesh = await collectMesh(filter, sectionsFor(options, context), options, context);
  const result = evaluateFindings(mesh.situation, filter);
  if (!mesh.partial && mesh.collected.failures.length === 0) refuseAbsent(mesh.collected.answers);
  const isOf = ({ namespace }: CertificateItem) =>
    options.namespace === undefined || namespace === options.namespace;
  const certificates = mesh.situation.joined.items.filter((item) => isOf(item) && keeps.certificate(item));
  const report = findingReport({
    result: sorted(result, options.sortBy),
    mesh,
    certificates,
    filter,
    allowPartial: options.allowPartial,
    exitCode,
  });
  return { report, result, mesh, certificates };
}

function filterOf(options: CheckOptions): Omit<FindingFilter, 'isConcerned'> {
  return {
    only: options.only as readonly FindingCode[],
    ignore: options.ignore as readonly FindingCode[],
    minSeverity: options.minSeverity as FindingSeverity,
    namespace: options.namespace,
  };
}

/** Of every ztunnel, and of one. Saved dumps are always compared. */
function sectionsFor({ deep }: CheckOptions, { cluster }: CommandContext) {
  const all: ReadonlySet<Section> = new Set([...cheap, ...costly, 'version']);
  return deep || cluster.source === 'files'
    ? { each: all, once: undefined, deep: true }
    : { each: cheap, once: new Set<Section>([...cheap, ...costly]), deep: false };
}

const cheap: ReadonlySet<Section> = new Set(['certificates', 'config']);
const costly: ReadonlySet<Section> = new Set(['services', 'workloads', 'workloadState']);

function sorted(result: CheckResult, sortBy: string | undefined): CheckResult {
  return { ...result, findings: sortItems(findingColumns, result.findings, sortBy) };
}
