// The columns of `check`: by finding, or with `-o wide` by each object that one concerns.

import { countHits, type Finding } from '../../model/findings/check.ts';
import { ALL_CODES } from '../../model/findings/codes.ts';
import type { Concerned } from '../../model/findings/finding.ts';
import { SEVERITIES } from '../../model/order.ts';
import type { Cell } from '../../printers/printer.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import { withCluster } from '../reports/clusters.ts';
import { type ColumnSpec, displayName } from '../reports/columns.ts';

/** `--sort-by` knows these. */
export function findingColumnsOver(severalClusters: boolean): readonly ColumnSpec<Finding>[] {
  return withCluster(findingColumns, severalClusters, clustersOf);
}

/** What is wrong between clusters has several. */
function clustersOf({ cluster, objects }: Finding): string {
  return cluster ?? [...new Set(objects.flatMap((object) => object.cluster ?? []))].join(',');
}

const findingColumns: readonly ColumnSpec<Finding>[] = [
  { header: 'SEVERITY', cell: severityCell, key: (finding) => SEVERITIES.indexOf(finding.severity) },
  {
    header: 'CODE',
    cell: ({ code }) => plain(code),
    key: ({ code }) => ALL_CODES.indexOf(code),
  },
  { header: 'WORKLOADS', ...counted(({ hits }) => hits?.workloads) },
  { header: 'PODS', ...counted(({ hits }) => hits?.pods) },
  { header: 'CONCERNS', fit: 'middle', cell: ({ objects }) => plain(displaySome(objects)) },
  { header: 'NODE', fit: 'node', cell: ({ objects }) => plain(objects[0]?.node ?? '-') },
  { header: 'WHAT TO DO', fit: 'detail', cell: (finding) => plain(adviceOf(finding)) },
];

/** One object of a finding. */
export interface FindingObject {
  readonly finding: Finding;
  readonly object: Concerned;
}

export function objectColumnsOver(severalClusters: boolean): readonly ColumnSpec<FindingObject>[] {
  return withCluster(objectColumns, severalClusters, ({ object }) => object.cluster);
}

const objectColumns: readonly ColumnSpec<FindingObject>[] = [
  { header: 'SEVERITY', cell: ({ finding }) => severityCell(finding) },
  { header: 'CODE', cell: ({ finding }) => plain(finding.code) },
  { header: 'KIND', cell: ({ object }) => plain(object.kind) },
  { header: 'OBJECT', cell: ({ object }) => plain(displayName(object)) },
  { header: 'NODE', fit: 'node', cell: ({ object }) => plain(object.node ?? '-') },
  { header: 'ZTUNNEL', cell: ({ object }) => plain(displayRef(object.ztunnel)) },
  { header: 'WORKLOADS', cell: ({ object }) => plain(String(countHits([object])?.workloads ?? '-')) },
  { header: 'PODS', cell: ({ object }) => plain(String(countHits([object])?.pods ?? '-')) },
  { header: 'DETAIL', fit: 'detail', cell: ({ object }) => plain(object.detail ?? '') },
];

/** Each object of each finding, in the findings' order. */
export function listObjects(findings: readonly Finding[]): readonly FindingObject[] {
  return findings.flatMap((finding) => finding.objects.map((object) => ({ finding, object })));
}

/** What is wrong, what to do, and where in this mesh, as sentences. */
function adviceOf({ title, remedy, particulars }: Finding): string {
  return [sentenceOf(title), remedy, ...(particulars === null ? [] : [particulars])].join(' ');
}

/** A title as a sentence; `ztunnel` keeps its spelling. */
export function sentenceOf(title: string): string {
  return `${title.startsWith('ztunnel') ? title[0] : title[0]?.toUpperCase()}${title.slice(1)}.`;
}

/** The first, whose node NODE tells, and how many more. */
function displaySome(objects: readonly Concerned[]): string {
  const [first, ...others] = objects;
  if (first === undefined) return '-';
  return `${displayName(first)}${others.length === 0 ? '' : ` +${others.length}`}`;
}

function severityCell({ severity }: Finding): Cell {
  return { text: severity, tone: severity };
}

function counted(count: (finding: Finding) => number | undefined) {
  return { cell: (finding: Finding) => plain(String(count(finding) ?? '-')), key: count };
}
