// What `reach SRC` and `reach --to DST` report: who reaches what, folded, or with `-o wide` as a matrix by workload.

import { pairDocument, summaryOfReach } from '../../model/documents/reach.ts';
import type { Workload } from '../../model/dump.ts';
import { explainAnswer, type MatrixAnswer, type MatrixLine } from '../../model/reach/ask.ts';
import { nameOfService } from '../../model/reach/destination.ts';
import type { ReachSummary } from '../../model/reach/fold.ts';
import { formatSocket, nameOf } from '../../model/reach/inbound.ts';
import type { Destination } from '../../model/reach/targets.ts';
import type { ReachWorld } from '../../model/reach/world.ts';
import type { Report, Table } from '../../printers/printer.ts';
import { renderTable, sortItems } from '../reports/columns.ts';
import { documentOf } from '../reports/document.ts';
import { count } from '../reports/sentences.ts';
import { allPairColumns, listNames, matrixCell, type PairRow, pairColumns } from './columns.ts';
import type { Options } from './command.ts';
import { commonParts, type Heard } from './report.ts';

interface Matrix {
  readonly world: ReachWorld;
  readonly lines: readonly MatrixLine[];
  /** The sources were given; else the destination. */
  readonly toSources: boolean;
  readonly heard: Heard;
}

/** Of one destination and port. */
interface Pair extends PairRow {
  readonly answer: MatrixAnswer;
}

export function matrixReport(
  { world, lines, toSources, heard }: Matrix,
  { problems, sortBy }: Pick<Options, 'problems' | 'sortBy'>,
): Report {
  const each = lines.flatMap((line) => line.answers.map((answer) => pairOf(world, line.sources, answer)));
  const wanted = problems ? each.filter(({ outcome }) => outcome !== 'reached') : each;
  const pairs = foldSources(world, wanted).toSorted(worstFirst);
  const rows = sortItems(allPairColumns, foldDestinations(pairs), sortBy);
  const total = lines.reduce((sum, { sources }) => sum + sources.length, 0);
  const from = !toSources || pairs.some(({ sources }) => sources.length < total);
  const columns = pairColumns(rows, { from });
  const summary = summarizePairs(each);
  return {
    ...commonParts(summary, heard, problems),
    views: {
      table: ({ wide }) => (wide ? matrixTable(wanted, toSources) : renderTable(columns, rows, false)),
      short: () => ({
        header: ['SOURCE', 'DESTINATION', 'PORT', 'RESULT', 'STEP'],
        rows: pairs.flatMap(({ sources, destinations, port, outcome, decisive }) =>
          sources.map((source) => [
            nameOf(source),
            destinations[0]!,
            port?.toString() ?? '-',
            outcome,
            decisive?.step ?? '-',
          ]),
        ),
        padding: 1,
      }),
      document: () =>
        documentOf({
          kind: 'ReachPairList',
          reference: heard.reference,
          items: pairs
            .values()
            .map(({ sources, answer, decisive }) => pairDocument(sources, answer, decisive)),
          summary: summaryOfReach(summary, heard),
          failures: heard.failures,
        }),
    },
    rowCount: rows.length,
    summary: sentenceOf(summary),
  };
}

/** Equal for what comes to the same for the same reason. */
function outcomeOf({ outcome, port, reached, total, answer }: Pair): string {
  const share = reached > 0 && reached < total ? `${reached}/${total}` : '';
  return `${outcome} ${port} ${share} ${answer.cell.why}`;
}

/** Sources that are told apart by other destinations only become one. */
function foldSources(world: ReachWorld, pairs: readonly Pair[]): readonly Pair[] {
  const groups = Map.groupBy(pairs, (pair) => `${pair.destinations[0]} ${outcomeOf(pair)}`);
  return Array.from(groups.values(), (members) => {
    const [first] = members;
    if (members.length === 1) return first!;
    const sources = members.flatMap((each) => each.sources);
    return pairOf(world, sources, first!.answer);
  });
}

/** Destinations of which the same sources reach the same become one row. */
function foldDestinations(pairs: readonly Pair[]): readonly PairRow[] {
  const numbers = new Map<string, number>();
  const numberOf = (sources: readonly Workload[]) => {
    const key = sources.map(nameOf).join();
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const groups = Map.groupBy(pairs, (pair) => `${numberOf(pair.sources)} ${outcomeOf(pair)}`);
  return Array.from(groups.values(), (members) => {
    const [first] = members;
    if (members.length === 1) return first!;
    const { sources, port, outcome, reached, total } = first!;
    const destinations = members.flatMap((each) => each.destinations);
    return { sources, destinations, port, outcome, reached, total, decisive: first!.decisive };
  });
}

const WORST = ['refused', 'unknown', 'reached'] as const satisfies readonly Pair['outcome'][];

function worstFirst(a: Pair, b: Pair): number {
  return WORST.indexOf(a.outcome) - WORST.indexOf(b.outcome);
}

/** Why is only found out of what is shown. */
function pairOf(world: ReachWorld, sources: readonly Workload[], answer: MatrixAnswer): Pair {
  const { cell, port } = answer;
  let known: { readonly decisive: PairRow['decisive'] } | undefined;
  return {
    sources,
    destinations: [nameDestination(answer.destination)],
    port,
    outcome: cell.outcome,
    reached: cell.reached,
    total: cell.total,
    answer,
    get decisive() {
      known ??= { decisive: explainAnswer(world, sources[0]!, answer) };
      return known.decisive;
    },
  };
}

function nameDestination(destination: Destination): string {
  if (destination.kind === 'service') return nameOfService(destination.service);
  return destination.kind === 'workload' ? nameOf(destination.workload) : destination.address.text;
}

/** Of pairs of a source, and a destination and port. */
function summarizePairs(pairs: readonly Pair[]): ReachSummary {
  const count = (outcome: Pair['outcome']) =>
    pairs.reduce((sum, pair) => sum + (pair.outcome === outcome ? pair.sources.length : 0), 0);
  const [reached, refused, unknown] = [count('reached'), count('refused'), count('unknown')];
  const outcome = refused > 0 ? 'refused' : unknown > 0 ? 'unknown' : 'reached';
  return { outcome, reached, refused, unknown, total: reached + refused + unknown };
}

function sentenceOf({ reached, refused, unknown, total }: ReachSummary): string {
  const rest = [
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  const more = rest.length === 0 ? '' : `: ${rest.join(', ')}`;
  return `${reached} of ${count(total, 'pair')} reachable${more}.`;
}

/** More columns than this are no matrix that a person reads: then sources that reach the same share one. */
const MOST_COLUMNS = 12;

/** Of sources and destinations, the given ones are columns, since they are fewer. */
function matrixTable(pairs: readonly Pair[], toSources: boolean): Table {
  const groups = [...new Set(pairs.map(({ sources }) => sources))];
  const each = groups.flatMap((sources) => sources.map((source) => ({ sources, name: nameOf(source) })));
  const folded = groups.map((sources) => ({ sources, name: listNames(sources.map(nameOf)) }));
  const nameOfEnd = ({ destinations, port }: Pair) => formatSocket(destinations[0]!, port);
  const index = Map.groupBy(pairs, ({ sources }) => sources);
  const find = new Map(
    Array.from(index, ([sources, own]) => [sources, new Map(own.map((pair) => [nameOfEnd(pair), pair]))]),
  );
  const ends = [...new Set(pairs.map(nameOfEnd))];
  const cellOf = (sources: readonly Workload[], end: string) => matrixCell(find.get(sources)?.get(end));
  if (toSources) {
    const columns = each.length > MOST_COLUMNS ? folded : each;
    return {
      columns: [{ header: 'TO' }, ...columns.map(({ name }) => ({ header: name }))],
      rows: ends.map((end) => [{ text: end }, ...columns.map(({ sources }) => cellOf(sources, end))]),
    };
  }
  return {
    columns: [{ header: 'FROM' }, ...ends.map((header) => ({ header }))],
    rows: each.map(({ sources, name }) => [{ text: name }, ...ends.map((end) => cellOf(sources, end))]),
  };
}
