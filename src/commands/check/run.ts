// How `check` asks, relates and reports.

import { type Asked, latestOf, type Part } from '../../mesh/clusters.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findTargetScope } from '../../mesh/scope/scope.ts';
import { type Earlier, NOTHING_EARLIER, rememberHeard } from '../../model/capture/earlier.ts';
import type { Section } from '../../model/dump.ts';
import type { FindingState } from '../../model/findings/changes.ts';
import { type CheckResult, evaluateFindings, type FindingFilter } from '../../model/findings/check.ts';
import { joinChecks } from '../../model/findings/checkacross.ts';
import type { AnyCode } from '../../model/findings/codes.ts';
import type { FindingSeverity } from '../../model/findings/finding.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Report } from '../../printers/printer.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { listClusters } from '../reports/clusters.ts';
import { sortItems } from '../reports/columns.ts';
import { reportLooks } from '../reports/watch.ts';
import type { CommandContext } from '../spec/command.ts';
import type { CheckedMesh } from './checked.ts';
import { collectMesh, type Reading } from './collect.ts';
import { findingColumnsOver } from './columns.ts';
import { type CheckOptions, exitCode } from './command.ts';
import { findingReport } from './report.ts';
import { type LookedFindings, watchedFindings } from './watched.ts';

export async function* run(options: CheckOptions, context: CommandContext): AsyncGenerator<Report> {
  // By cluster: what is so at one look may be so for long at the next.
  const earlier = new Map<string | undefined, Earlier>();
  yield* reportLooks(options, context, {
    look: async (given: CheckOptions, mesh, cluster) => {
      const before = earlier.get(cluster) ?? NOTHING_EARLIER;
      const looked = await look(given, mesh, before);
      const { situation } = looked.mesh;
      earlier.set(cluster, rememberHeard(situation.capture().heard, before, situation.reference));
      return looked;
    },
    join: (asked: Asked<CheckedMesh>) => join(asked, options, context),
    watched: (looked: LookedFindings, previous: FindingState | undefined, time) =>
      watchedFindings(looked, previous, time),
  });
}

async function look(options: CheckOptions, mesh: Mesh, earlier: Earlier): Promise<CheckedMesh> {
  const reading = sectionsFor(options, mesh.cluster);
  const wanted = { sections: reading.each, once: reading.once, keepRaw: false };
  const scope = await findTargetScope(options, wanted, mesh);
  const { keeps, namespace, refuseAbsent } = scope;
  const filter: FindingFilter = { ...choiceOf(options), namespace, isConcerned: keeps.concerned };
  const collected = await collectMesh(scope, filter, reading, options, mesh, earlier);
  const result = evaluateFindings(collected.situation, filter);
  const { answers, failures } = collected.collected;
  if (!collected.partial && failures.length === 0) refuseAbsent(answers);
  const isOf = (item: CertificateItem) => namespace === undefined || item.namespace === namespace;
  const certificates = collected.situation.joined.items.filter(
    (item) => isOf(item) && keeps.certificate(item),
  );
  return { mesh: collected, result, certificates, filter };
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
      context.clock,
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
function sectionsFor({ deep }: CheckOptions, { source }: Cluster): Reading {
  const all: ReadonlySet<Section> = new Set([...cheap, ...costly, 'version']);
  return deep || source === 'files'
    ? { each: all, once: undefined, deep: true }
    : { each: cheap, once: new Set<Section>([...cheap, ...costly]), deep: false };
}

/** What each has taken over comes after its policies and services, and before the workloads of the whole mesh. */
const cheap: ReadonlySet<Section> = new Set(['certificates', 'config', 'workloadState']);

const costly: ReadonlySet<Section> = new Set(['policies', 'services', 'workloads']);
