// How `check` asks, relates and reports.

import { type CheckResult, evaluateFindings, type FindingFilter } from '../../model/check.ts';
import type { FindingCode } from '../../model/findings/codes.ts';
import type { FindingSeverity } from '../../model/findings/finding.ts';
import type { CertificateItem, Section } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import { collectMesh } from '../ask/mesh.ts';
import { narrow } from '../ask/narrow.ts';
import { watch } from '../ask/watch.ts';
import { type CheckOptions, exitCode } from '../check.ts';
import type { CommandContext } from '../command.ts';
import { sortItems } from '../rows/columns.ts';
import { findingReport } from '../rows/findingreport.ts';
import { findingColumns } from '../rows/findings.ts';
import { type LookedFindings, watchedFindings } from '../rows/watchedfindings.ts';

export async function* run(given: CheckOptions, outer: CommandContext): AsyncGenerator<Report> {
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
