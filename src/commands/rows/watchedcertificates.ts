// What `certs --watch` tells of each look: what has changed since the last, and a table in which that is marked.

import { diffCertificates, keyOfCertificate } from '../../model/certificatediff.ts';
import { compareDifferences, type Difference } from '../../model/difference.ts';
import { formatDuration } from '../../model/duration.ts';
import { findRotations, type Rotation } from '../../model/rotation.ts';
import type { CertificateItem } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { Collected } from '../ask/collect.ts';
import type { Round } from '../ask/watch.ts';
import { certificateColumns } from './certificates.ts';
import { describeRotation, differenceEvent, rotationEvent } from './changes.ts';
import { type ColumnSpec, renderTable } from './columns.ts';

/** What one look of `certs` has found. */
export interface LookedCertificates {
  readonly report: Report;
  /** In the order shown. */
  readonly items: readonly CertificateItem[];
  /** The same without the filters that a change can bring one into or out of. */
  readonly inScope: readonly CertificateItem[];
  readonly collected: Collected;
}

export interface WatchedCertificates {
  /** As last heard: those of a node whose ztunnel fails stay. */
  readonly inScope: readonly CertificateItem[];
  /** Keys of those that were shown. */
  readonly shown: ReadonlySet<string>;
  /** When each last changed, and how. */
  readonly marks: ReadonlyMap<string, Mark>;
  readonly rotations: readonly Rotation[];
}

interface Mark {
  readonly changes: readonly string[];
  readonly at: number;
}

export function watchedRound(
  looked: LookedCertificates,
  previous: WatchedCertificates | undefined,
  { byRoot, grouped }: { readonly byRoot: boolean; readonly grouped: boolean },
  time: Date,
): Round<WatchedCertificates> {
  const { items, collected } = looked;
  const silent = failedNodes(collected);
  const inScope = [
    ...looked.inScope.filter(({ node }) => !silent.has(node)),
    ...(previous?.inScope ?? looked.inScope).filter(({ node }) => silent.has(node)),
  ];
  const shown = new Set(items.map(keyOfCertificate));
  const differences = (previous === undefined ? [] : diffCertificates(previous.inScope, inScope, () => true))
    .filter((each) => isShown(each, shown) || isShown(each, previous!.shown))
    .toSorted(compareDifferences);
  const rotations = byRoot
    ? findRotations(inScope, new Set(previous?.rotations.map(({ root }) => root)))
    : [];
  const moved = rotations.filter((each) => !previous?.rotations.some((other) => isSame(each, other)));
  const marks = new Map([
    ...(previous?.marks ?? []),
    ...differences.map((each) => [keyOf(each), { changes: each.changes, at: time.getTime() }] as const),
  ]);
  return {
    report: marked(looked, marks, rotations, grouped, time),
    events: [
      ...differences.map((each) => differenceEvent(each, time)),
      ...moved.map((each) => rotationEvent(each, time)),
    ],
    changes: differences.flatMap(({ changes }) => changes),
    certificates: items,
    nodes: collected.answers.map(({ ztunnel }) => ztunnel.node),
    state: { inScope, shown, marks, rotations },
  };
}

/** A ztunnel that did not answer says nothing of what has become of its certificates. */
function failedNodes({ failures }: Collected): ReadonlySet<string | null> {
  const errors = failures.filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ ztunnel }) => ztunnel.node));
}

function keyOf({ id, node }: Difference): string {
  return keyOfCertificate({ identity: id, node });
}

function isShown(difference: Difference, shown: ReadonlySet<string>): boolean {
  return shown.has(keyOf(difference));
}

function isSame(a: Rotation, b: Rotation): boolean {
  return a.root === b.root && a.total === b.total && a.rotated === b.rotated;
}

/** The report with what has changed since the watch began, and how long ago. */
function marked(
  { report, items }: LookedCertificates,
  marks: ReadonlyMap<string, Mark>,
  rotations: readonly Rotation[],
  grouped: boolean,
  time: Date,
): Report {
  const summary = [report.summary ?? '', ...rotations.map((each) => `${describeRotation(each, time)}.`)];
  const told = { ...report, summary: summary.join(' ').trim() };
  if (grouped) return told;
  const [status, ...others] = certificateColumns(items);
  const columns = [status!, changedColumn(marks, time), ...others];
  return {
    ...told,
    views: { ...report.views, table: ({ wide }) => renderTable(columns, items, wide) },
  };
}

function changedColumn(marks: ReadonlyMap<string, Mark>, time: Date): ColumnSpec<CertificateItem> {
  return {
    header: 'CHANGED',
    cell: (item) => {
      const mark = marks.get(keyOfCertificate(item));
      if (mark === undefined) return { text: '-', tone: 'dim' };
      const ago = (time.getTime() - mark.at) / 1000;
      return { text: `${mark.changes.join('+')} ${formatDuration(ago)} ago`, tone: item.severity };
    },
  };
}
