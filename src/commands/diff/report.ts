// What `diff` reports: its table, document, counts and sentences.

import { formatTime } from '../../base/duration.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Part } from '../../mesh/clusters.ts';
import {
  CHANGES,
  countDifferences,
  DIFFERENCE_KINDS,
  type Difference,
  type DifferenceKind,
  wordOf,
} from '../../model/difference.ts';
import { differenceDocument } from '../../model/documents/findings.ts';
import type { ClusterFailure, Failure, Reference } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { Document } from '../../printers/shapes.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import { toneOf } from '../reports/changes.ts';
import { type ClusterState, inClusters, inWordsOf, tagged, withCluster } from '../reports/clusters.ts';
import { type ColumnSpec, renderTable } from '../reports/columns.ts';
import { documentOf, referenceDocument } from '../reports/document.ts';
import { count } from '../reports/sentences.ts';
import type { Comparable, Side } from './side.ts';

/** `--sort-by` knows these. */
export function differenceColumnsOver(severalClusters: boolean): readonly ColumnSpec<Difference>[] {
  return withCluster(differenceColumns, severalClusters, ({ cluster }) => cluster);
}

const differenceColumns: readonly ColumnSpec<Difference>[] = [
  {
    header: 'CHANGE',
    cell: (difference) => ({ text: difference.changes.join('+'), tone: toneOf(difference) }),
    key: ({ changes }) => CHANGES.indexOf(changes[0]!),
  },
  { header: 'KIND', cell: ({ kind }) => plain(kind), key: ({ kind }) => DIFFERENCE_KINDS.indexOf(kind) },
  { header: 'NAME', fit: 'middle', cell: (difference) => plain(displayRef(difference)) },
  { header: 'NODE', fit: 'node', cell: ({ node }) => plain(node ?? '-') },
  { header: 'ID', wide: true, cell: ({ id }) => plain(id) },
  { header: 'DETAIL', fit: 'detail', cell: ({ detail }) => plain(detail) },
];

/** Two states of one mesh. */
export interface Compared {
  readonly before: Side;
  readonly after: Side;
  readonly comparable: Comparable;
  readonly differences: readonly Difference[];
}

export interface Comparison {
  /** Of all clusters, in the order shown. */
  readonly differences: readonly Difference[];
  readonly parts: readonly Part<Compared>[];
  /** undefined where only one mesh is compared. */
  readonly clusters: readonly ClusterState[] | undefined;
  /** Clusters that could not be compared. */
  readonly failures: readonly ClusterFailure[];
  /** Of several clusters, the latest. */
  readonly reference: Reference;
  /** What is compared, as the user named it. */
  readonly names: { readonly before: string; readonly after: string };
}

export function differenceReport(comparison: Comparison): Report {
  const { differences, parts, clusters } = comparison;
  const sides = parts.flatMap(({ looked: { before, after } }) => [before, after]);
  const failures = [...parts.flatMap(failuresIn), ...comparison.failures];
  const partial = sides.some((side) => side.partial);
  const isWhole = !partial && failures.every(({ severity }) => severity !== 'error');
  const isAll = isWhole && parts.every(({ looked }) => looked.comparable.warnings.length === 0);
  const where = describe(comparison);
  return {
    views: {
      table: ({ wide }) => renderTable(differenceColumnsOver(clusters !== undefined), differences, wide),
      document: () => differencesDocument(comparison, failures),
    },
    rowCount: differences.length,
    failures,
    warnings: [...new Set(parts.flatMap(warningsIn))],
    clusterRole: sides.map(({ clusterRole }) => clusterRole).find((role) => role !== undefined),
    summary: `${count(differences.length, 'change')} ${where}: ${countSentence(differences)}.`,
    empty: emptySentence(
      parts.some(({ looked }) => looked.comparable.any),
      isAll,
      where,
    ),
    partial,
  };
}

function differencesDocument(
  { differences, parts, clusters, reference }: Comparison,
  failures: Report['failures'],
): Document {
  const [only] = clusters === undefined ? parts : [];
  const compared = new Map(parts.map(({ cluster, looked }) => [cluster, looked]));
  return documentOf({
    kind: 'DifferenceList',
    reference,
    clusters: clusters?.map(({ name }) => {
      const { before = null, after = null } = compared.get(name) ?? {};
      return { name, before: before && sideDocument(before), after: after && sideDocument(after) };
    }),
    items: differences.values().map(differenceDocument),
    summary: {
      total: differences.length,
      byKind: countDifferences(differences) as JsonObject,
      ...(only && { before: sideDocument(only.looked.before), after: sideDocument(only.looked.after) }),
    },
    failures,
  });
}

function emptySentence(isAny: boolean, isAll: boolean, where: string): string {
  if (!isAny) return `nothing could be compared ${where}.`;
  return isAll ? `nothing has changed ${where}.` : `nothing has changed of what could be compared ${where}.`;
}

const NOUNS = {
  Certificate: 'certificates',
  Trust: 'trusts',
  Workload: 'workloads',
  Service: 'services',
  Policy: 'policies',
  Pair: 'pairs',
} satisfies Record<DifferenceKind, string>;

/** `certificates: 1 added, 2 renewed; workloads: 1 removed`. */
export function countSentence(differences: readonly Difference[]): string {
  const counts = countDifferences(differences);
  return DIFFERENCE_KINDS.flatMap((kind) => {
    const changes = Object.entries(counts[kind] ?? {}).map(
      ([change, number]) => `${number} ${wordOf(change)}`,
    );
    return changes.length === 0 ? [] : [`${NOUNS[kind]}: ${changes.join(', ')}`];
  }).join('; ');
}

function failuresIn({ cluster, looked: { before, after } }: Part<Compared>): readonly Failure[] {
  return [before, after].flatMap(({ name, collected }) =>
    tagged(collected.failures, cluster).map((failure) => ({
      ...failure,
      message: failure.ztunnel.name === name ? failure.message : `${failure.message} (in ${name})`,
    })),
  );
}

function warningsIn({ cluster, looked }: Part<Compared>): readonly string[] {
  const { before, after, comparable } = looked;
  return inWordsOf(
    [...before.warnings, ...after.warnings, ...comparable.warnings, ...caveats(looked)],
    cluster,
  );
}

function caveats({ before, after }: Compared): readonly string[] {
  const isMadeUp = (before.redacted || after.redacted) && before.name !== after.name;
  return isMadeUp ? ['names in a redacted snapshot are made up, so that they match no others'] : [];
}

/** `from A (its time) to B (its time)`; of several clusters, whose times differ, `from A to B in 2 of 2 clusters`. */
function describe({ parts, clusters, names }: Comparison): string {
  const [only] = clusters === undefined ? parts : [];
  if (only === undefined) return `from ${names.before} to ${names.after}${inClusters(clusters)}`;
  return `from ${describeSide(only.looked.before)} to ${describeSide(only.looked.after)}`;
}

function describeSide({ name, reference }: Side): string {
  return `${name} (${formatTime(reference.time.getTime())})`;
}

/** Of `diff -o json`, and of events. */
function sideDocument({ name, reference, collected }: Side): JsonObject {
  return {
    name,
    reference: referenceDocument(reference),
    ztunnels: { asked: collected.asked, answered: collected.answers.length },
  };
}
