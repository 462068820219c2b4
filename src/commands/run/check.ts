// How `check` asks, relates and reports.

import { type Earlier, NOTHING_EARLIER, rememberHeard } from '../../model/capture/earlier.ts';
import { type CheckResult, evaluateFindings, type FindingFilter } from '../../model/check.ts';
import { joinChecks } from '../../model/checkacross.ts';
import type { Section } from '../../model/dump.ts';
import type { FindingState } from '../../model/findingchanges.ts';
import type { AnyCode } from '../../model/findings/codes.ts';
import type { FindingSeverity } from '../../model/findings/finding.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Report } from '../../printers/printer.ts';
import { type Asked, latestOf, type Part } from '../ask/contexts.ts';
import { reportLooks } from '../ask/looks.ts';
import { collectMesh } from '../ask/mesh.ts';
import { narrow } from '../ask/narrow.ts';
import { type CheckOptions, exitCode } from '../check.ts';
import type { CommandContext } from '../command.ts';
import type { CheckedMesh } from '../rows/checkfindings.ts';
import { listClusters } from '../rows/clusters.ts';
import { sortItems } from '../rows/columns.ts';
import { findingReport } from '../rows/findingreport.ts';
import { findingColumnsOver } from '../rows/findings.ts';
import { type LookedFindings, watchedFindings } from '../rows/watchedfindings.ts';

export async function* run(options: CheckOptions, context: CommandContext): AsyncGenerator<Report> {
  // By cluster: what is so at one look may be so for long at the next.
  const earlier = new Map<string | undefined, Earlier>();
  yield* reportLooks(options, context, {
    look: async (given: CheckOptions, outer, cluster) => {
      const before = earlier.get(cluster) ?? NOTHING_EARLIER;
      const looked = await look(given, outer, before);
      const { situation } = looked.mesh;
      earlier.set(cluster, rememberHeard(situation.capture().heard, before, situation.reference));
      return looked;
    },
    join: (asked: Asked<CheckedMesh>) => join(asked, options, context),
    watched: async (looked: LookedFindings, previous: FindingState | undefined, time) => {
      return watchedFindings(looked, previous, time);
    },
  });
}

async function look(given: CheckOptions, outer: CommandContext, earlier: Earlier): Promise<CheckedMesh> {
  const { options, context, keeps, refuseAbsent } = await narrow(given, outer);
  const filter: FindingFilter = {
    ...choiceOf(options),
    namespace: options.namespace,
    isConcerned: keeps.concerned,
  };
  const mesh = await collectMesh(filter, sectionsFor(options, context), options, context, earlier);
  const result = evaluateFindings(mesh.situation, filter);
  if (!mesh.partial && mesh.collected.failures.length === 0) refuseAbsent(mesh.collected.answers);
  const isOf = ({ namespace }: CertificateItem) =>
    options.namespace === undefined || namespace === options.namespace;
  const certificates = mesh.situation.joined.items.filter((item) => isOf(item) && keeps.certificate(item));
  return { mesh, result, certificates, filter };
}

/** Of one cluster, or of several together. */
function join(asked: Asked<CheckedMesh>, options: CheckOptions, context: CommandContext): LookedFindings {
  const { parts, failures, warnings } = asked;
  const heard = parts.map(({ cluster, looked: { mesh } }) => ({ cluster, looked: mesh }));
  const clusters = listClusters(options.contexts, heard);
  const all = clusters === undefined ? parts[0]!.looked.result : joinResults(parts, options);
  const columns = findingColumnsOver(clusters !== undefined);
  const result = { ...all, findings: sortItems(columns, all.findings, options.sortBy) };
  const report = findingReport({
    result,
    parts,
    clusters,
    failures,
    warnings,
    reference: latestOf(
      parts.map(({ looked }) => looked.mesh.reference),
      context,
    ),
    chosen: options.only.length > 0,
    allowPartial: options.allowPartial,
    exitCode,
  });
  return { report, result, asked };
}

function joinResults(parts: readonly Part<CheckedMesh>[], options: CheckOptions): CheckResult {
  const clusters = parts.flatMap(({ cluster, looked: { mesh, result, filter } }) =>
    cluster === undefined ? [] : [{ cluster, situation: mesh.situation, result, filter }],
  );
  return joinChecks(clusters, options.contexts, choiceOf(options));
}

function choiceOf({ only, ignore, minSeverity }: CheckOptions) {
  return {
    only: only as readonly AnyCode[],
    ignore: ignore as readonly AnyCode[],
    minSeverity: minSeverity as FindingSeverity,
  };
}

/** Of every ztunnel, and of one. Saved dumps are always compared. */
function sectionsFor({ deep }: CheckOptions, { cluster }: CommandContext) {
  const all: ReadonlySet<Section> = new Set([...cheap, ...costly, 'version']);
  return deep || cluster.source === 'files'
    ? { each: all, once: undefined, deep: true }
    : { each: cheap, once: new Set<Section>([...cheap, ...costly]), deep: false };
}

/** What each has taken over comes after its policies and services, and before the workloads of the whole mesh. */
const cheap: ReadonlySet<Section> = new Set(['certificates', 'config', 'workloadState']);

const costly: ReadonlySet<Section> = new Set(['policies', 'services', 'workloads']);
