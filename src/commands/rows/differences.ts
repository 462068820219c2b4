// What `diff` reports: its table, document, counts and sentences.

import {
  CHANGES,
  countDifferences,
  DIFFERENCE_KINDS,
  type Difference,
  wordOf,
} from '../../model/difference.ts';
import { clusterDocument } from '../../model/document.ts';
import { formatTime } from '../../model/duration.ts';
import type { Failure, JsonObject } from '../../model/types.ts';
import type { Report, Tone } from '../../printers/printer.ts';
import type { Comparable } from '../ask/comparable.ts';
import type { Side } from '../ask/side.ts';
import { displayRef, plain } from './certificates.ts';
import { type ColumnSpec, renderTable } from './columns.ts';
import { documentOf, referenceDocument } from './document.ts';
import { count } from './sentences.ts';

export const differenceColumns: readonly ColumnSpec<Difference>[] = [
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

/** What became worse stands out; all else is only said. */
export function toneOf({ severity, changes }: Pick<Difference, 'severity' | 'changes'>): Tone {
  return changes.includes('came') || changes.includes('status') ? severity : 'plain';
}

export function differenceReport(
  /** In the order shown. */
  differences: readonly Difference[],
  before: Side,
  after: Side,
  comparable: Comparable,
  /** What further is to be told. */
  warnings: readonly string[],
): Report {
  const failures = [before, after].flatMap(failuresOf);
  const isWhole = !before.partial && !after.partial && failures.every(({ severity }) => severity !== 'error');
  const where = `from ${describe(before)} to ${describe(after)}`;
  return {
    views: {
      table: ({ wide }) => renderTable(differenceColumns, differences, wide),
      document: () =>
        documentOf({
          kind: 'DifferenceList',
          reference: after.reference,
          items: differences.values().map(differenceDocument),
          summary: {
            total: differences.length,
            byKind: countDifferences(differences) as JsonObject,
            before: sideDocument(before),
            after: sideDocument(after),
          },
          failures,
        }),
    },
    rowCount: differences.length,
    failures,
    warnings: [...new Set([...before.warnings, ...after.warnings, ...comparable.warnings, ...warnings])],
    clusterRole: before.clusterRole ?? after.clusterRole,
    summary: `${count(differences.length, 'change')} ${where}: ${countSentence(differences)}.`,
    empty: emptySentence(comparable.any, isWhole && comparable.warnings.length === 0, where),
    partial: before.partial || after.partial,
  };
}

function emptySentence(isAny: boolean, isAll: boolean, where: string): string {
  if (!isAny) return `nothing could be compared ${where}.`;
  return isAll ? `nothing has changed ${where}.` : `nothing has changed of what could be compared ${where}.`;
}

const NOUNS = { Certificate: 'certificates', Workload: 'workloads', Service: 'services', Policy: 'policies' };

/** `certificates: 1 came, 2 renewed; workloads: 1 went`. */
export function countSentence(differences: readonly Difference[]): string {
  const counts = countDifferences(differences);
  return DIFFERENCE_KINDS.flatMap((kind) => {
    const changes = Object.entries(counts[kind] ?? {}).map(
      ([change, number]) => `${number} ${wordOf(change)}`,
    );
    return changes.length === 0 ? [] : [`${NOUNS[kind]}: ${changes.join(', ')}`];
  }).join('; ');
}

function failuresOf({ name, collected }: Side): readonly Failure[] {
  return collected.failures.map((failure) => ({ ...failure, message: `${failure.message} (in ${name})` }));
}

function describe({ name, reference }: Side): string {
  return `${name} (${formatTime(reference.time.getTime())})`;
}

/** Of `diff -o json`, and of events. */
export function differenceDocument(difference: Difference): JsonObject {
  const { kind, namespace, name, node, id, changes, severity, detail, before, after } = difference;
  return {
    ...clusterDocument(difference),
    kind,
    namespace,
    name,
    node,
    id,
    changes: [...changes],
    severity,
    detail,
    before,
    after,
  };
}

function sideDocument({ name, reference, collected }: Side): JsonObject {
  return {
    name,
    reference: referenceDocument(reference),
    ztunnels: { asked: collected.asked, answered: collected.answers.length },
  };
}
