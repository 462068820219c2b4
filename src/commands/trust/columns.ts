// The columns of `trust`: classes, ways between classes, and ways between two ends.

import { describeRoots, examplesOf, shortenPrint } from '../../model/findings/trust.ts';
import type { TrustClass } from '../../model/trust/classes.ts';
import type { NamedEnd } from '../../model/trust/ends.ts';
import type { PairTrust, RuleOutcome } from '../../model/trust/matrix.ts';
import type { PairVerdict } from '../../model/trust/pair.ts';
import type { Cell } from '../../printers/printer.ts';
import { plain } from '../reports/certificatecolumns.ts';
import { withCluster } from '../reports/clusters.ts';
import type { ColumnSpec } from '../reports/columns.ts';

/** A class by its number, from 1. */
export interface NumberedClass {
  readonly number: number;
  readonly one: TrustClass;
  /** How many of its certificates are SRC's; undefined without SRC. */
  readonly own: number | undefined;
}

/** From one class to another, or to itself. */
export interface WayRow {
  readonly source: NumberedClass;
  readonly destination: NumberedClass;
  readonly trust: PairTrust;
}

/** From one end to another. */
export interface PairRow {
  readonly source: NamedEnd;
  readonly destination: NamedEnd;
  readonly verdict: PairVerdict;
}

/** SRC is a column where there is one. */
export function classColumns(hasSource: boolean): readonly ColumnSpec<NumberedClass>[] {
  return allClassColumns.filter(({ header }) => hasSource || header !== 'SRC');
}

const allClassColumns: readonly ColumnSpec<NumberedClass>[] = [
  { header: 'CLASS', cell: ({ number }) => plain(String(number)) },
  { header: 'SRC', cell: ({ own }) => plain(String(own)) },
  { header: 'PRESENTS', cell: ({ one: { anchor } }) => plain(anchor === null ? '-' : shortenPrint(anchor)) },
  { header: 'TRUSTS', cell: ({ one }) => plain(describeRoots(one.roots).replaceAll(' ', ',')) },
  { header: 'TRUST DOMAIN', fit: 'middle', cell: ({ one }) => plain(one.trustDomain) },
  { header: 'CERTIFICATES', wide: true, cell: ({ one }) => plain(String(one.counts.certificates)) },
  { header: 'IDENTITIES', cell: ({ one }) => plain(String(one.counts.identities)) },
  { header: 'PODS', cell: ({ one }) => plain(String(one.counts.pods ?? '-')) },
  { header: 'NODES', cell: ({ one }) => plain(String(one.counts.nodes)) },
  { header: 'USAGES', wide: true, cell: ({ one }) => plain(usagesOf(one)) },
  { header: 'ROOT', wide: true, cell: ({ one: { anchor } }) => plain(anchor?.subject ?? '-') },
  {
    header: 'SUCH AS',
    fit: 'middle',
    cell: ({ one: { members } }, wide) => plain(examplesOf(members, wide ? 2 : 1)),
  },
];

function usagesOf({ usages }: TrustClass): string {
  const allowed = Object.entries(usages).flatMap(([usage, is]) => (is ? [usage] : []));
  return allowed.join(',') || 'none';
}

/** `--sort-by` knows these, where classes are shown. */
export const wayColumns: readonly ColumnSpec<WayRow>[] = [
  {
    header: 'FROM',
    cell: ({ source }) => plain(`class ${source.number}`),
    key: ({ source }) => source.number,
  },
  {
    header: 'TO',
    cell: (row) => plain(`class ${row.destination.number}`),
    key: (row) => row.destination.number,
  },
  {
    header: 'WORKS',
    cell: ({ trust }) => worksCell(trust.works),
    key: ({ trust }) => rankWorks(trust.works),
  },
  { header: 'REFUSED BY', cell: ({ trust }) => plain(refusersOf(trust.outcomes)) },
  { header: 'IDENTITIES', cell: countsOf(({ identities }) => identities) },
  { header: 'PODS', cell: countsOf(({ pods }) => pods) },
  { header: 'WHY', fit: 'detail', cell: (row) => plain(whyWay(row)) },
];

function countsOf(count: (counts: TrustClass['counts']) => number | null) {
  return ({ source, destination }: WayRow) =>
    plain(`${count(source.one.counts) ?? '-'} → ${count(destination.one.counts) ?? '-'}`);
}

/** Both sides by two examples, and what each refuses. */
function whyWay({ source, destination, trust }: WayRow): string {
  if (trust.works === true) return '';
  const between = `${examplesOf(source.one.members, 2)} → ${examplesOf(destination.one.members, 2)}`;
  return `${between}: ${describeOutcomes(trust.outcomes)}`;
}

/** What each side refuses, or what can't be known of it; the first of each is enough. */
export function describeOutcomes(outcomes: readonly RuleOutcome[]): string {
  const isOpen = !outcomes.some(({ outcome }) => outcome === 'fails');
  const told = outcomes.filter(({ outcome }) => outcome === (isOpen ? 'unknown' : 'fails'));
  return [...Map.groupBy(told, ({ side }) => side)]
    .map(([side, [first]]) => `the ${side} ${isOpen ? 'may refuse' : 'refuses'}: ${first!.text}`)
    .join('; ');
}

function refusersOf(outcomes: readonly RuleOutcome[]): string {
  const sides = new Set(outcomes.flatMap(({ outcome, side }) => (outcome === 'fails' ? [side] : [])));
  return sides.size === 2 ? 'both' : ([...sides][0] ?? '-');
}

/** `yes`, `no`, or `unknown` where something can't be told. */
export function worksCell(works: boolean | undefined): Cell {
  if (works === undefined) return { text: 'unknown', tone: 'warning' };
  return works ? { text: 'yes', tone: 'ok' } : { text: 'no', tone: 'critical' };
}

/** What fails comes first, what works last. */
export function rankWorks(works: boolean | undefined): number {
  return works === undefined ? 1 : works ? 2 : 0;
}

/** `--sort-by` knows these, where SRC and DST are given. */
export function pairColumnsOver(severalClusters: boolean): readonly ColumnSpec<PairRow>[] {
  return withCluster(pairColumns, severalClusters, ({ source, destination }) =>
    source.cluster === destination.cluster ? source.cluster : `${source.cluster} → ${destination.cluster}`,
  );
}

const pairColumns: readonly ColumnSpec<PairRow>[] = [
  { header: 'SOURCE', fit: 'middle', cell: ({ source }) => plain(displayEnd(source)) },
  { header: 'NODE', fit: 'node', cell: ({ source }) => plain(source.node ?? '-') },
  { header: 'DESTINATION', fit: 'middle', cell: ({ destination }) => plain(displayEnd(destination)) },
  { header: 'DESTINATION NODE', fit: 'node', cell: ({ destination }) => plain(destination.node ?? '-') },
  {
    header: 'WORKS',
    cell: ({ verdict }) => worksCell(verdict.works),
    key: ({ verdict }) => rankWorks(verdict.works),
  },
  { header: 'STEP', cell: ({ verdict: { decisive } }) => plain(decisive?.rule ?? '-') },
  { header: 'REFUSED BY', wide: true, cell: ({ verdict: { decisive } }) => plain(decisive?.side ?? '-') },
  {
    header: 'PODS',
    wide: true,
    cell: (row) => plain(`${row.source.pods.length} → ${row.destination.pods.length}`),
  },
  { header: 'WHY', fit: 'detail', cell: ({ verdict }) => plain(whyPair(verdict)) },
];

/** An account, or what else is known of it. */
export function displayEnd({ namespace, serviceAccount, identity, pods }: NamedEnd): string {
  if (namespace !== null && serviceAccount !== null) return `${namespace}/${serviceAccount}`;
  return identity ?? pods[0] ?? '-';
}

/** The step that decides, and whom it is about. */
export function whyPair({ decisive }: PairVerdict): string {
  if (decisive === undefined) return '';
  const { about, side, outcome, text } = decisive;
  const who =
    side === undefined
      ? `the ${about}`
      : `the ${side} ${outcome === 'fails' ? 'refuses' : 'may refuse'} the ${about}`;
  return `${who}: ${text}`;
}
