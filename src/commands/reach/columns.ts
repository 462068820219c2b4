// The columns of `reach`: of the steps of a way, and of who reaches what.

import type { Workload } from '../../model/dump.ts';
import { STEPS, type StepName, type StepResult } from '../../model/reach/facts.ts';
import { formatFact, keyOfFact } from '../../model/reach/facttexts.ts';
import { nameOf, type Step } from '../../model/reach/inbound.ts';
import type { Outcome, Route } from '../../model/reach/route.ts';
import type { ReachSource } from '../../model/reach/start.ts';
import type { Cell, Tone } from '../../printers/printer.ts';
import { plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';

/** A step, or a note, that some of the ways share. */
export interface StepRow {
  readonly step: StepName | 'note';
  readonly result: StepResult | 'note';
  readonly routes: readonly Route[];
  /** Of all of them. */
  readonly total: number;
  readonly text: string;
}

const SHOWN: Record<StepResult | 'note', Cell> = {
  ok: { text: 'ok', tone: 'ok' },
  refused: { text: 'REFUSED', tone: 'critical' },
  unknown: { text: 'unknown', tone: 'warning' },
  note: { text: 'note', tone: 'information' },
};

export const OUTCOMES = {
  reached: { text: 'reached', tone: 'ok' },
  refused: { text: 'REFUSED', tone: 'critical' },
  unknown: { text: 'unknown', tone: 'warning' },
} as const satisfies Record<Outcome, Cell>;

/** In the order of STEPS, notes last: equal results for the same reason are one row. */
export function listSteps(routes: readonly Route[]): readonly StepRow[] {
  const rowsOf = <T>(
    step: StepRow['step'],
    found: readonly {
      readonly route: Route;
      readonly key: string;
      readonly result: T;
      readonly text: string;
    }[],
  ) =>
    Array.from(Map.groupBy(found, ({ key }) => key).values(), (members) => ({
      step,
      result: members[0]!.result,
      routes: [...new Set(members.map(({ route }) => route))],
      total: routes.length,
      text: summarize(members.map(({ text }) => text)),
    }));
  const steps = STEPS.flatMap((name) =>
    rowsOf(
      name,
      routes.flatMap((route) =>
        route.steps.filter(({ step }) => step === name).map((step) => ({ route, ...describe(step) })),
      ),
    ),
  );
  const notes = routes.flatMap((route) =>
    route.notes.map((fact) => ({
      route,
      key: formatFact(fact),
      result: 'note' as const,
      text: formatFact(fact),
    })),
  );
  return [...steps, ...rowsOf('note', notes)];
}

function describe({ result, fact }: Step) {
  return { key: `${result} ${keyOfFact(fact)}`, result, text: formatFact(fact) };
}

/** The first of them, and how many say the same of others. */
function summarize(texts: readonly string[]): string {
  const others = new Set(texts).size - 1;
  return others === 0 ? texts[0]! : `${texts[0]} (and ${others} more alike)`;
}

/** WAYS is a column only where not all go the same way. */
export function stepColumns(rows: readonly StepRow[]): readonly ColumnSpec<StepRow>[] {
  const differ = rows.some(({ routes, total }) => routes.length < total);
  return columns.filter(({ header }) => header !== 'WAYS' || differ);
}

const columns: readonly ColumnSpec<StepRow>[] = [
  { header: 'STEP', cell: ({ step }) => plain(step) },
  { header: 'RESULT', cell: ({ result }) => SHOWN[result] },
  {
    header: 'WAYS',
    cell: ({ routes, total }) => plain(`${routes.length}/${total}`),
    key: ({ routes }) => routes.length,
  },
  {
    header: 'FROM',
    wide: true,
    cell: ({ routes }) => plain(listNames(routes.map(({ source }) => nameSource(source)))),
  },
  { header: 'TO', wide: true, cell: ({ routes }) => plain(listNames(routes.map(nameEnd))) },
  { header: 'WHAT DECIDES', fit: 'wrap', cell: ({ text }) => plain(text) },
];

export function nameSource(source: ReachSource): string {
  if (source.kind === 'kubelet') return `kubelet of ${source.node}`;
  return source.kind === 'outsider' ? source.address.text : nameOf(source.workload);
}

/** Where it ends, as far as that is known. */
export function nameEnd({ endpoint, target }: Route): string {
  return endpoint === undefined ? (target?.address.text ?? '-') : nameOf(endpoint);
}

const MOST_NAMES = 3;

/** Each once; of many the first. */
export function listNames(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const more = distinct.length - MOST_NAMES;
  return `${distinct.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What some sources reach of some destinations: all of them the same. */
export interface PairRow {
  readonly sources: readonly Workload[];
  readonly destinations: readonly string[];
  readonly port: number | undefined;
  readonly outcome: Outcome;
  readonly reached: number;
  readonly total: number;
  /** Why not. */
  readonly decisive: Route['decisive'];
}

/** WAYS is a column only where some of a pair's are reached and others are not, STEP where something is not. */
export function pairColumns(
  rows: readonly PairRow[],
  { from }: { readonly from: boolean },
): readonly ColumnSpec<PairRow>[] {
  const several = rows.some(({ reached, total }) => reached > 0 && reached < total);
  const refused = rows.some(({ outcome }) => outcome !== 'reached');
  return allPairColumns.filter(
    ({ header }) =>
      (header !== 'FROM' || from) && (header !== 'WAYS' || several) && (header !== 'STEP' || refused),
  );
}

export const allPairColumns: readonly ColumnSpec<PairRow>[] = [
  { header: 'RESULT', cell: ({ outcome }) => OUTCOMES[outcome] },
  { header: 'FROM', fit: 'middle', cell: ({ sources }) => plain(listNames(sources.map(nameOf))) },
  { header: 'TO', fit: 'middle', cell: ({ destinations }) => plain(listNames(destinations)) },
  { header: 'PORT', cell: ({ port }) => plain(port?.toString() ?? '-'), key: ({ port }) => port },
  {
    header: 'WAYS',
    cell: ({ reached, total }) => plain(`${reached}/${total}`),
    key: ({ reached }) => reached,
  },
  { header: 'STEP', cell: ({ decisive }) => plain(decisive?.step ?? '') },
  {
    header: 'WHAT DECIDES',
    fit: 'wrap',
    cell: ({ decisive }) => plain(decisive === undefined ? '' : formatFact(decisive.fact)),
  },
];

/** A cell of the matrix of `-o wide`. */
export function matrixCell(row: PairRow | undefined): Cell {
  if (row === undefined) return { text: '-', tone: 'dim' };
  const { text, tone }: { readonly text: string; readonly tone: Tone } = OUTCOMES[row.outcome];
  return { text: row.decisive === undefined ? text : `${text} ${row.decisive.step}`, tone };
}
