// What `certs --watch` tells of each look: what has changed since the last, and a table in which that is marked.

import { formatDuration } from '../../base/duration.ts';
import type { Asked } from '../../mesh/clusters.ts';
import { diffCertificates, keyOfCertificate } from '../../model/certificates/diff.ts';
import type { Grouping } from '../../model/certificates/group.ts';
import { findRotations, type Rotation } from '../../model/certificates/rotation.ts';
import { compareDifferences, type Difference } from '../../model/difference.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { RootUse } from '../../model/trust/roots.ts';
import { keyOfNode } from '../../model/ztunnels/ztunnels.ts';
import type { Report } from '../../printers/printer.ts';
import { certificateColumns } from '../reports/certificatecolumns.ts';
import { describeRotation, differenceEvent, rotationEvent } from '../reports/changes.ts';
import type { InCluster } from '../reports/clusters.ts';
import { type ColumnSpec, renderTable } from '../reports/columns.ts';
import type { Observation } from '../reports/watch.ts';
import type { CertificateSource } from './report.ts';
import { rootEvent } from './roots.ts';

/** What one look of `certs` has found. */
export interface LookedCertificates {
  readonly report: Report;
  readonly rootUses: () => readonly RootUse[];
  /** In the order shown. */
  readonly items: readonly CertificateItem[];
  /** The same without the filters that a change can bring one into or out of. */
  readonly inScope: readonly CertificateItem[];
  readonly asked: Asked<Pick<CertificateSource, 'collected' | 'reference'>>;
}

export interface WatchedCertificates {
  /** As last heard: those of a node whose ztunnel fails stay. */
  readonly inScope: readonly CertificateItem[];
  /** Keys of those that were shown. */
  readonly shown: ReadonlySet<string>;
  /** When each last changed, and how. */
  readonly marks: ReadonlyMap<string, Mark>;
  readonly rotations: readonly Rotation[];
  readonly uses: readonly RootUse[];
}

interface Mark {
  readonly changes: readonly string[];
  readonly at: number;
}

export function watchedRound(
  looked: LookedCertificates,
  previous: WatchedCertificates | undefined,
  { by }: { readonly by: Grouping | undefined },
  time: Date,
): Observation<WatchedCertificates> {
  const { items, asked } = looked;
  const isSilent = silenceOf(asked);
  const inScope = [
    ...looked.inScope.filter((item) => !isSilent(item)),
    ...(previous?.inScope ?? looked.inScope).filter(isSilent),
  ];
  const shown = new Set(items.map(keyOfCertificate));
  const differences = (previous === undefined ? [] : diffCertificates(previous.inScope, inScope, () => true))
    .filter((each) => isShown(each, shown) || isShown(each, previous!.shown))
    .toSorted(compareDifferences);
  const uses = by === 'trusts' ? looked.rootUses() : [];
  const rotations =
    by === 'root' ? findRotations(inScope, new Set(previous?.rotations.map(({ root }) => root))) : [];
  const moved = rotations.filter((each) => !previous?.rotations.some((other) => isSame(each, other)));
  const times = timesOf(asked, time);
  const marks = new Map([
    ...(previous?.marks ?? []),
    ...differences.map(
      (each) => [keyOf(each), { changes: each.changes, at: times(each).getTime() }] as const,
    ),
  ]);
  return {
    report: marked(looked, { marks, times }, rotations, by !== undefined, time),
    events: [
      ...differences.map((each) => differenceEvent(each, times(each))),
      ...moved.map((each) => rotationEvent(each, time)),
      ...uses
        .filter((each) => !previous?.uses.some((other) => isSameUse(each, other)))
        .map((each) => rootEvent(each, time)),
    ],
    changes: differences.flatMap(({ changes }) => changes),
    certificates: items,
    nodes: asked.parts.flatMap(({ cluster, looked: { collected } }) =>
      collected.answers.map(({ ztunnel: { node } }) => keyOfNode({ cluster, node })),
    ),
    state: { inScope, shown, marks, rotations, uses },
  };
}

/** A ztunnel, or a cluster, that did not answer says nothing of what has become of its certificates. */
function silenceOf({ parts, failures }: LookedCertificates['asked']): (item: CertificateItem) => boolean {
  const clusters = new Set<string | undefined>(failures.map(({ cluster }) => cluster));
  const nodes = new Set(
    parts.flatMap(({ cluster, looked: { collected } }) =>
      collected.failures
        .filter(({ severity }) => severity === 'error')
        .map(({ ztunnel: { node } }) => keyOfNode({ cluster, node })),
    ),
  );
  return (item) => clusters.has(item.cluster) || nodes.has(keyOfNode(item));
}

type TimeOf = (item: InCluster) => Date;

/** Each cluster goes by its own clock. */
function timesOf({ parts }: LookedCertificates['asked'], time: Date): TimeOf {
  const times = new Map(parts.map(({ cluster, looked: { reference } }) => [cluster, reference.time]));
  return ({ cluster }) => (cluster === undefined ? time : (times.get(cluster) ?? time));
}

function keyOf({ cluster, id, node }: Difference): string {
  return keyOfCertificate({ cluster, identity: id, node });
}

function isShown(difference: Difference, shown: ReadonlySet<string>): boolean {
  return shown.has(keyOf(difference));
}

function isSameUse(a: RootUse, b: RootUse): boolean {
  const of = ({ trustDomain, root, presentedBy, trustedBy, untrustedBy, unknownTo }: RootUse) =>
    JSON.stringify([
      trustDomain,
      root.fingerprintSHA256,
      ...[presentedBy, trustedBy, untrustedBy, unknownTo].map(({ counts }) => counts.certificates),
    ]);
  return of(a) === of(b);
}

function isSame(a: Rotation, b: Rotation): boolean {
  return a.root === b.root && a.total === b.total && a.rotated === b.rotated;
}

/** The report with what has changed since the watch began, and how long ago. */
function marked(
  { report, items }: LookedCertificates,
  changes: Changes,
  rotations: readonly Rotation[],
  grouped: boolean,
  time: Date,
): Report {
  const summary = [report.summary ?? '', ...rotations.map((each) => `${describeRotation(each, time)}.`)];
  const told = { ...report, summary: summary.join(' ').trim() };
  if (grouped) return told;
  const columns = certificateColumns(items).flatMap((column) =>
    column.header === 'STATUS' ? [column, changedColumn(changes)] : [column],
  );
  return {
    ...told,
    views: { ...report.views, table: ({ wide }) => renderTable(columns, items, wide) },
  };
}

interface Changes {
  readonly marks: ReadonlyMap<string, Mark>;
  /** What the marks are so long ago from. */
  readonly times: TimeOf;
}

function changedColumn({ marks, times }: Changes): ColumnSpec<CertificateItem> {
  return {
    header: 'CHANGED',
    cell: (item) => {
      const mark = marks.get(keyOfCertificate(item));
      if (mark === undefined) return { text: '-', tone: 'dim' };
      const ago = (times(item).getTime() - mark.at) / 1000;
      return { text: `${mark.changes.join('+')} ${formatDuration(ago)} ago`, tone: item.severity };
    },
  };
}
