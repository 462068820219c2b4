// How `trust` asks, relates and reports.

import type { AbsentTargetError } from '../../base/errors.ts';
import type { Wanted } from '../../mesh/asking.ts';
import { type Asked, type Look, latestOf, onlyMesh, openMeshes, type Part } from '../../mesh/clusters.ts';
import { collectDumps } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/lists.ts';
import type { Named } from '../../mesh/scope/narrow.ts';
import { findEndsScope } from '../../mesh/scope/scope.ts';
import { DEFAULT_WARN_WITHIN, joinCertificates } from '../../model/certificates/certificates.ts';
import { createVerification } from '../../model/certificates/verification.ts';
import type { Section } from '../../model/dump.ts';
import type { CertificateItem } from '../../model/items.ts';
import { groupByTrust } from '../../model/trust/classes.ts';
import { type EndSources, listEnds, type Meant, type NamedEnd } from '../../model/trust/ends.ts';
import { judgeMatrix } from '../../model/trust/matrix.ts';
import { explainPair } from '../../model/trust/pair.ts';
import { keyOfZtunnel } from '../../model/ztunnels/ztunnels.ts';
import type { Report } from '../../printers/printer.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { listClusters, tagged } from '../reports/clusters.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { type Judged, type PairRow, type TrustSource, trustReport } from './report.ts';

/** What one cluster told, and what SRC and DST are there. */
interface Looked extends TrustSource {
  readonly ends: readonly End[];
}

interface End {
  readonly ends: readonly NamedEnd[];
  /** Nothing goes by that name here. */
  readonly absent: AbsentTargetError | undefined;
}

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const { contexts } = options;
  const meshes =
    contexts.length === 0
      ? onlyMesh(options, await context.mesh())
      : openMeshes(options, context.openMesh, context.clock);
  try {
    yield join(await meshes.ask(look, context), options, context);
  } finally {
    await meshes.close();
  }
}

const look: Look<Options, Looked> = async (options, mesh) => {
  const wanted = wantedFor(options.words, mesh.cluster);
  const { scope, named } = await findEndsScope(options, wanted, mesh);
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    options.noOwners ? noInventory : listInventory(mesh, undefined),
  ]);
  const reference = await mesh.reference();
  const { items, verification, missingNotEvaluated } = joinCertificates({
    ...collected,
    inventory,
    reference: reference.time,
    source: mesh.cluster.source,
    warnWithin: DEFAULT_WARN_WITHIN,
    evaluateMissing: !options.noOwners,
  });
  const sources = { items, answers: collected.answers, inventory };
  const ends = named.map((each) => endOf(each, sources, collected.failures.length === 0));
  return { collected, inventory, reference, items, verification, missingNotEvaluated, ends };
};

/** Between all, certificates and who uses them; between two ends, also whether their ztunnels have taken the pods over. */
function wantedFor({ length }: readonly string[], { source }: Pick<Cluster, 'source'>): Wanted {
  const all = new Set<Section>(['certificates', 'config', 'workloads', 'workloadState', 'version']);
  if (source === 'files' || length > 1) return { sections: all, keepRaw: false };
  return { sections: new Set(['certificates', 'config']), once: all, keepRaw: false };
}

function endOf({ found, absent, refuseAbsent }: Named, sources: EndSources, isAllKnown: boolean): End {
  const meant = found && meantBy(found, sources);
  if (meant === undefined) return { ends: [], absent };
  const ends = listEnds(meant, sources);
  if (ends.length === 0 && isAllKnown) refuseAbsent(sources.answers);
  return { ends, absent: undefined };
}

function meantBy(found: NonNullable<Named['found']>, { answers }: EndSources): Meant | undefined {
  if (found.what === 'node') return { what: 'nodes', nodes: new Set([found.node]) };
  if (found.what === 'ztunnels') {
    const own = answers.filter(({ ztunnel }) => found.keys.has(keyOfZtunnel(ztunnel)));
    return { what: 'nodes', nodes: new Set(own.map(({ ztunnel }) => ztunnel.node)) };
  }
  return found.what === 'pods' || found.what === 'identity' ? found : undefined;
}

/** Of one cluster, or of several together. */
function join(asked: Asked<Looked>, options: Options, context: CommandContext): Report {
  const { parts, failures, warnings } = asked;
  const reference = latestOf(
    parts.map(({ looked }) => looked.reference),
    context.clock,
  );
  return trustReport({
    parts,
    clusters: listClusters(options.contexts, parts),
    failures,
    warnings,
    reference,
    judged: judge(parts, options, reference.time.getTime()),
    sortBy: options.sortBy,
  });
}

function judge(parts: readonly Part<Looked>[], { words, namespace }: Options, at: number): Judged {
  const [source, destination] = words.map((_, index) => endsOf(parts, index));
  const verification = parts[0]?.looked.verification ?? createVerification();
  if (source !== undefined && destination !== undefined) {
    return { what: 'pairs', pairs: crossEnds(source, destination, verification, at) };
  }
  const items = parts.flatMap(({ cluster, looked }) => tagged(looked.items, cluster));
  const matrix = judgeMatrix(groupByTrust(items, verification, at), verification, at);
  if (source !== undefined) {
    return { what: 'classes', matrix, source, isConcerned: ofEnds(source), items: itemsOf(source) };
  }
  const isConcerned = (item: CertificateItem) => namespace === undefined || item.namespace === namespace;
  return { what: 'classes', matrix, source, isConcerned, items: items.filter(isConcerned) };
}

/** Throws where no cluster has what the word names. */
function endsOf(parts: readonly Part<Looked>[], index: number): readonly NamedEnd[] {
  const all = parts.map(({ cluster, looked }) => ({ cluster, ...looked.ends[index]! }));
  const absent = all.find((each) => each.absent !== undefined)?.absent;
  if (absent !== undefined && all.every((each) => each.absent !== undefined)) throw absent;
  return all.flatMap(({ cluster, ends }) =>
    tagged(ends, cluster).map((end) =>
      end.item === undefined ? end : { ...end, item: tagged([end.item], cluster)[0]! },
    ),
  );
}

function itemsOf(ends: readonly NamedEnd[]) {
  return ends.flatMap(({ item }) => item ?? []);
}

/** Whether a certificate is one of theirs. */
function ofEnds(ends: readonly NamedEnd[]): (item: { readonly entry: unknown }) => boolean {
  const entries = new Set<unknown>(itemsOf(ends).flatMap(({ entry }) => entry ?? []));
  return ({ entry }) => entries.has(entry);
}

function crossEnds(
  sources: readonly NamedEnd[],
  destinations: readonly NamedEnd[],
  verification: Parameters<typeof explainPair>[2],
  at: number,
): readonly PairRow[] {
  return sources.flatMap((source) =>
    destinations.map((destination) => ({
      source,
      destination,
      verdict: explainPair(source, destination, verification, at),
    })),
  );
}
