// How `certs` asks, judges and reports.

import { once } from '../../base/cache.ts';
import { UserError } from '../../base/errors.ts';
import { type Asked, latestOf } from '../../mesh/clusters.ts';
import { collectDumps } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/lists.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findTargetScope } from '../../mesh/scope/scope.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import type { Grouping } from '../../model/certificates/group.ts';
import { createVerification } from '../../model/certificates/verification.ts';
import { SECTIONS, type Section } from '../../model/dump.ts';
import type { CertificateItem } from '../../model/items.ts';
import { compareCertificates } from '../../model/order.ts';
import { groupByTrust } from '../../model/trust/classes.ts';
import { listRootUses } from '../../model/trust/roots.ts';
import type { Report } from '../../printers/printer.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { columnsOver } from '../reports/certificatecolumns.ts';
import { listClusters, tagged } from '../reports/clusters.ts';
import { sortItems } from '../reports/columns.ts';
import { reportLooks } from '../reports/watch.ts';
import type { CommandContext } from '../spec/command.ts';
import { isDocument } from '../spec/common.ts';
import { type CertsOptions, plainFormats } from './command.ts';
import { type CertificateSource, certificateReport } from './report.ts';
import { type LookedCertificates, type WatchedCertificates, watchedRound } from './watched.ts';

/** What one look at one cluster has found. */
interface Looked extends CertificateSource {
  readonly items: readonly CertificateItem[];
  /** The same without the filters that a change can bring one into or out of. */
  readonly inScope: readonly CertificateItem[];
  /** Something may have been left out. */
  readonly filtered: boolean;
}

export async function* run(options: CertsOptions, context: CommandContext): AsyncGenerator<Report> {
  const shown = { by: options.groupBy as Grouping | undefined };
  yield* reportLooks(options, context, {
    look,
    join: (asked: Asked<Looked>) => join(asked, options, context),
    watched: (looked: LookedCertificates, previous: WatchedCertificates | undefined, time) =>
      watchedRound(looked, previous, shown, time),
  });
}

async function look(options: CertsOptions, mesh: Mesh): Promise<Looked> {
  if (options.output === 'pem' && mesh.cluster.redacted) {
    throw new UserError('a redacted snapshot holds no certificates', 'Ask for -o pem of the mesh itself.');
  }
  const joined = needsJoin(options);
  const wanted = {
    sections: sectionsFor(joined, options, mesh.cluster),
    keepRaw: isDocument(options),
    // For owners and MISSING; the rest is compared only by --deep.
    ownWorkloads: !options.deep,
  };
  const scope = await findTargetScope(options, wanted, mesh);
  const { keeps, filtered, namespace, refuseAbsent } = scope;
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    joined ? listInventory(mesh, namespace) : noInventory,
  ]);
  const reference = await mesh.reference();
  const { items, verification, missingNotEvaluated } = joinCertificates({
    ...collected,
    inventory,
    reference: reference.time,
    source: mesh.cluster.source,
    warnWithin: options.warnWithin,
    evaluateMissing: joined,
  });
  const inScope = items.filter((item) => isOf(namespace, item) && keeps.certificate(item));
  const kept = inScope.filter((item) => isWanted(item, options));
  if (kept.length === 0 && collected.failures.length === 0) refuseAbsent(collected.answers);
  // Formats that never show MISSING don't speak of it.
  const isSilent = missingNotEvaluated === undefined || plainFormats.has(options.output);
  const warnings = isSilent ? [] : [missingNotEvaluated];
  const isNarrowed = filtered || namespace !== undefined;
  return {
    items: kept,
    inScope,
    verification,
    collected,
    inventory,
    warnings,
    reference,
    filtered: isNarrowed,
  };
}

/** Of one cluster, or of several together. */
function join(asked: Asked<Looked>, options: CertsOptions, context: CommandContext): LookedCertificates {
  const { parts, failures, warnings } = asked;
  const together = (of: (looked: Looked) => readonly CertificateItem[]) =>
    parts.flatMap(({ cluster, looked }) => tagged(of(looked), cluster));
  const clusters = listClusters(options.contexts, parts);
  const items = together((looked) => looked.items);
  const ordered = parts.length > 1 ? items.toSorted(compareCertificates) : items;
  const sorted = sortItems(columnsOver(clusters !== undefined), ordered, options.sortBy);
  const reference = latestOf(
    parts.map(({ looked }) => looked.reference),
    context.clock,
  );
  const rootUses = once(() =>
    listRootUses(
      groupByTrust(items, parts[0]?.looked.verification ?? createVerification(), reference.time.getTime()),
    ),
  );
  const report = certificateReport({
    items: sorted,
    parts,
    clusters,
    failures,
    warnings,
    reference,
    groupBy: options.groupBy as Grouping | undefined,
    rootUses,
    failOn: options.failOn as 'critical' | 'warning' | undefined,
    onlyProblems: options.problems,
    filtered: options.problems || options.status.length > 0 || parts.some(({ looked }) => looked.filtered),
  });
  return { report, rootUses, items: sorted, inScope: together((looked) => looked.inScope), asked };
}

/** Owners and MISSING need the pods (live) or the dump's workloads (files). */
function needsJoin(options: CertsOptions): boolean {
  if (options.noOwners) return false;
  return (
    !plainFormats.has(options.output) ||
    options.problems ||
    options.failOn !== undefined ||
    options.status.includes('MISSING')
  );
}

/** No more than what is shown and judged, so that reading can stop there. */
function sectionsFor(joined: boolean, options: CertsOptions, cluster: Cluster): ReadonlySet<Section> {
  if (options.deep) return new Set(SECTIONS);
  if (cluster.source === 'live') return new Set(joined ? ['certificates', 'config'] : ['certificates']);
  if (joined) return new Set(['certificates', 'config', 'workloads']);
  // A file's node stands in its config; the formats that don't show nodes do without, unless rows are
  // chosen by them.
  const narrowed = options.words.length > 0 || options.selector !== undefined;
  const plain = plainFormats.has(options.output) && !narrowed;
  return new Set(plain ? ['certificates'] : ['certificates', 'config']);
}

function isOf(namespace: string | undefined, item: CertificateItem): boolean {
  return namespace === undefined || item.namespace === namespace;
}

function isWanted(item: CertificateItem, options: CertsOptions): boolean {
  if (options.status.length > 0 && !options.status.includes(item.status)) return false;
  return !options.problems || item.severity === 'critical' || item.severity === 'warning';
}
