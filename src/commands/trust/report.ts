// What `trust` reports: its views, counts and sentences.

import type { JsonObject } from '../../base/json.ts';
import { compareBy, compareText } from '../../base/order.ts';
import type { Part } from '../../mesh/clusters.ts';
import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory } from '../../mesh/lists.ts';
import type { Verification } from '../../model/certificates/verification.ts';
import { trustClassDocument, trustPairDocument } from '../../model/documents/trust.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { NamedEnd } from '../../model/trust/ends.ts';
import type { TrustMatrix } from '../../model/trust/matrix.ts';
import { findOwnFlaw } from '../../model/trust/pair.ts';
import type { ClusterFailure, Reference } from '../../model/types.ts';
import type { Report, ShortTable, Table, Views } from '../../printers/printer.ts';
import type { Matrix } from '../../printers/shapes.ts';
import { type ClusterState, countZtunnels, inClusters, inWordsOf, tagged } from '../reports/clusters.ts';
import { type ColumnSpec, renderTable, sortItems } from '../reports/columns.ts';
import { clustersDocument, documentOf } from '../reports/document.ts';
import { pageOf } from '../reports/page.ts';
import { count } from '../reports/sentences.ts';
import {
  classColumns,
  describeOutcomes,
  displayEnd,
  type NumberedClass,
  type PairRow,
  pairColumnsOver,
  rankWorks,
  type WayRow,
  wayColumns,
  worksCell,
} from './columns.ts';

export type { PairRow } from './columns.ts';

/** What one cluster told. */
export interface TrustSource {
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly reference: Reference;
  readonly items: readonly CertificateItem[];
  readonly verification: Verification;
  readonly missingNotEvaluated: string | undefined;
}

/** Between all, from SRC, or from SRC to DST. */
export type Judged =
  | {
      readonly what: 'classes';
      readonly matrix: TrustMatrix;
      /** SRC's; undefined without one. */
      readonly source: readonly NamedEnd[] | undefined;
      /** Whether a certificate is one of those that were asked about. */
      readonly isConcerned: (item: CertificateItem) => boolean;
      /** All of these. */
      readonly items: readonly CertificateItem[];
    }
  | { readonly what: 'pairs'; readonly pairs: readonly PairRow[] };

interface TrustFindings {
  readonly parts: readonly Part<TrustSource>[];
  readonly clusters: readonly ClusterState[] | undefined;
  readonly failures: readonly ClusterFailure[];
  readonly warnings: readonly string[];
  /** Of several clusters, the latest. */
  readonly reference: Reference;
  readonly judged: Judged;
  readonly sortBy: string | undefined;
}

/** What there is to show, whatever was asked. */
interface Shown {
  readonly views: (base: Base) => Partial<Views>;
  readonly rowCount: number;
  readonly outcomes: Readonly<Record<'works' | 'fails' | 'unknown', number>>;
  readonly summary: string;
  readonly empty: string;
  readonly warnings: readonly string[];
}

/** What all views of a report have in common. */
interface Base {
  readonly findings: TrustFindings;
  readonly failures: Report['failures'];
  readonly warnings: readonly string[];
  readonly summary: string;
}

export function trustReport(findings: TrustFindings): Report {
  const { parts, judged } = findings;
  const shown = judged.what === 'pairs' ? showPairs(judged.pairs, findings) : showClasses(judged, findings);
  const failures = [
    ...parts.flatMap(({ cluster, looked }) => tagged(looked.collected.failures, cluster)),
    ...findings.failures,
  ];
  const warnings = [...findings.warnings, ...parts.flatMap(warningsOf), ...shown.warnings];
  const { asked, answered } = countZtunnels(parts.map(({ looked }) => looked));
  const where = `${answered} of ${count(asked, 'ztunnel')}${inClusters(findings.clusters)}`;
  const summary = `${shown.summary} (${where}).`;
  return {
    views: shown.views({ findings, failures, warnings, summary }),
    rowCount: shown.rowCount,
    failures,
    warnings,
    clusterRole: parts.find(({ looked }) => looked.inventory.clusterRole)?.looked.inventory.clusterRole,
    summary,
    empty: answered === 0 ? 'no ztunnel answered' : shown.empty,
    failed: shown.outcomes.fails > 0,
    partial:
      shown.outcomes.unknown > 0 ||
      shown.rowCount === 0 ||
      parts.some(({ looked }) => looked.inventory.partial),
  };
}

function warningsOf({ cluster, looked }: Part<TrustSource>): readonly string[] {
  const { inventory, missingNotEvaluated, collected } = looked;
  const unsaid = missingNotEvaluated === undefined || collected.answers.length === 0;
  return inWordsOf([...inventory.warnings, ...(unsaid ? [] : [missingNotEvaluated])], cluster);
}

function showClasses(judged: Extract<Judged, { what: 'classes' }>, { sortBy }: TrustFindings): Shown {
  const { matrix, source, isConcerned, items } = judged;
  const classes = matrix.classes.map((one, index): NumberedClass => {
    const own = source && one.members.filter(isConcerned).length;
    return { number: index + 1, one, own };
  });
  const concerned = new Set(classes.filter(({ one }) => one.members.some(isConcerned)));
  const ways = classes.flatMap((from) =>
    classes.flatMap((to): readonly WayRow[] =>
      concerned.has(from) || concerned.has(to)
        ? [{ source: from, destination: to, trust: matrix.pairs[from.number - 1]![to.number - 1]! }]
        : [],
    ),
  );
  const rows = source === undefined ? ways.filter(({ trust }) => trust.works !== true) : ways;
  const sorted = sortItems(wayColumns, rows, sortBy);
  const alone = flawsOf(items, source ?? []);
  const outcomes = {
    works: ways.filter(({ trust }) => trust.works === true).length,
    fails: ways.filter(({ trust }) => trust.works === false).length,
    unknown: ways.filter(({ trust }) => trust.works === undefined).length,
  };
  const tables = (wide: boolean): readonly Table[] => [
    renderTable(classColumns(source !== undefined), classes, wide),
    ...(sorted.length === 0 ? [] : [{ ...renderTable(wayColumns, sorted, wide), heading: [''] }]),
  ];
  return {
    views: (base) => ({
      table: ({ wide }) => tables(wide),
      short: () => [
        shortOf(classColumns(source !== undefined), classes, []),
        ...(sorted.length === 0 ? [] : [shortOf(wayColumns, sorted, [''])]),
      ],
      document: () =>
        documentIn(base, 'TrustClassList', classDocuments(classes, ways, source !== undefined), {
          classes: classes.length,
          pairs: ways.length,
          ...outcomes,
          alone: alone.counts,
        }),
      page: () =>
        pageIn(base, outcomes, items, renderTable(wayColumns, sorted, false), matrixOf(classes, matrix)),
    }),
    rowCount: classes.length,
    outcomes: {
      ...outcomes,
      fails: outcomes.fails + alone.counts.fails,
      unknown: outcomes.unknown + alone.counts.unknown,
    },
    summary: sentenceOf(classes, ways, outcomes),
    empty: source === undefined ? 'no certificate is in use' : 'no certificate in use is what SRC has',
    warnings: alone.sentences,
  };
}

type Outcomes = Shown['outcomes'];

/** `2 trust classes of 4 certificates, 2 of 4 ways fail`. */
function sentenceOf(classes: readonly NumberedClass[], ways: readonly WayRow[], outcomes: Outcomes): string {
  const certificates = classes.reduce((sum, { one }) => sum + one.counts.certificates, 0);
  const what = `${count(classes.length, 'trust class', 'trust classes')} of ${count(certificates, 'certificate')}`;
  if (outcomes.works === ways.length) return `${what}: all can verify each other`;
  return `${what}: ${describeWays(outcomes, ways.length)}`;
}

function describeWays({ fails, unknown }: Outcomes, total: number): string {
  const parts = [
    ...(fails === 0 ? [] : [`${fails} of ${count(total, 'pair')} ${fails === 1 ? 'fails' : 'fail'}`]),
    ...(unknown === 0 ? [] : [`${unknown} of ${count(total, 'pair')} unknown`]),
  ];
  return parts.join(', ');
}

const EXAMPLES_SHOWN = 2;

/** What does not depend on the peer: with these, nothing works, or nothing can be told. */
function flawsOf(items: readonly CertificateItem[], ends: readonly NamedEnd[]) {
  const needed = items.filter(
    ({ use }) => use.state === 'used' || use.state === 'unknown' || ends.length > 0,
  );
  const flaws = [
    ...needed.flatMap((item) => {
      const step = findOwnFlaw(item);
      return step === undefined
        ? []
        : [{ who: `${displayEnd({ ...item, item, pods: [] })}${onNode(item)}`, step }];
    }),
    ...ends
      .filter(({ item }) => item === undefined)
      .map((end) => ({
        who: `${displayEnd(end)}${onNode(end)}`,
        step: {
          outcome: 'unknown' as const,
          text: end.uncaptured ?? 'no ztunnel of the node lists a certificate for it',
        },
      })),
  ];
  const of = (outcome: 'fails' | 'unknown') => flaws.filter(({ step }) => step.outcome === outcome);
  const say = (outcome: 'fails' | 'unknown', what: string) => {
    const all = of(outcome);
    if (all.length === 0) return [];
    const shown = all.slice(0, EXAMPLES_SHOWN).map(({ who, step }) => `${who} (${step.text})`);
    return [
      `${count(all.length, 'certificate')} ${what}: ${shown.join(', ')}${all.length > EXAMPLES_SHOWN ? ', …' : ''}`,
    ];
  };
  return {
    counts: { fails: of('fails').length, unknown: of('unknown').length },
    sentences: [...say('fails', 'can be used with no peer'), ...say('unknown', 'can not be judged')],
  };
}

function onNode({ node }: { readonly node: string | null }): string {
  return node === null ? '' : ` on ${node}`;
}

function* classDocuments(classes: readonly NumberedClass[], ways: readonly WayRow[], hasSource: boolean) {
  const from = Map.groupBy(ways, ({ source }) => source);
  for (const each of classes) {
    const own = (from.get(each) ?? []).map((way) => ({
      destination: way.destination.number,
      trust: way.trust,
    }));
    yield trustClassDocument(each.one, each.number, hasSource ? (each.own ?? 0) : null, own);
  }
}

/** Rows are sources, columns destinations. */
function matrixOf(classes: readonly NumberedClass[], { pairs }: TrustMatrix): Matrix {
  return {
    title: 'Who can connect to whom',
    corner: 'from ↓ to →',
    columns: classes.map(({ number }) => String(number)),
    rows: classes.map(({ number, one }, at) => ({
      head: `${number}: ${one.anchor?.subject ?? 'unknown root'}, ${one.trustDomain}, ${count(one.counts.identities, 'identity', 'identities')}`,
      cells: pairs[at]!.map(({ works, outcomes }) => ({
        ...worksCell(works),
        title: works === true ? '' : describeOutcomes(outcomes),
      })),
    })),
  };
}

const comparePairs = compareBy<PairRow>(
  (a, b) => rankWorks(a.verdict.works) - rankWorks(b.verdict.works),
  (a, b) => compareText(a.source.cluster ?? '', b.source.cluster ?? ''),
  (a, b) => compareText(displayEnd(a.source), displayEnd(b.source)),
  (a, b) => compareText(a.source.node ?? '', b.source.node ?? ''),
  (a, b) => compareText(a.destination.cluster ?? '', b.destination.cluster ?? ''),
  (a, b) => compareText(displayEnd(a.destination), displayEnd(b.destination)),
  (a, b) => compareText(a.destination.node ?? '', b.destination.node ?? ''),
);

function showPairs(pairs: readonly PairRow[], { clusters, sortBy }: TrustFindings): Shown {
  const columns = pairColumnsOver(clusters !== undefined);
  const rows = sortItems(columns, pairs.toSorted(comparePairs), sortBy);
  const outcomes = {
    works: pairs.filter(({ verdict }) => verdict.works === true).length,
    fails: pairs.filter(({ verdict }) => verdict.works === false).length,
    unknown: pairs.filter(({ verdict }) => verdict.works === undefined).length,
  };
  const items = pairs.flatMap(({ source, destination }) =>
    [source.item ?? [], destination.item ?? []].flat(),
  );
  return {
    views: (base) => ({
      table: ({ wide }) => renderTable(columns, rows, wide),
      short: () => shortOf(columns, rows, []),
      document: () =>
        documentIn(
          base,
          'TrustPairList',
          rows
            .values()
            .map(({ source, destination, verdict }) => trustPairDocument(source, destination, verdict)),
          { total: pairs.length, ...outcomes },
        ),
      page: () => pageIn(base, outcomes, [...new Set(items)], renderTable(columns, rows, false), undefined),
    }),
    rowCount: pairs.length,
    outcomes,
    summary:
      outcomes.works === pairs.length
        ? `${count(pairs.length, 'pair')}: certificates verify each other, policies are not asked`
        : describeWays(outcomes, pairs.length),
    empty: 'SRC or DST has no certificate in use',
    warnings: [],
  };
}

function shortOf<Item>(
  columns: readonly ColumnSpec<Item>[],
  items: readonly Item[],
  heading: readonly string[],
): ShortTable {
  return {
    heading,
    header: columns.map(({ header }) => header),
    rows: items
      .values()
      .map((item) => columns.map(({ cell }) => cell(item, true).text))
      .toArray(),
    padding: 5,
  };
}

function documentIn(
  { findings, failures }: Base,
  kind: string,
  items: Iterable<JsonObject>,
  summary: JsonObject,
) {
  const { reference, clusters, parts } = findings;
  const ztunnels = { ...countZtunnels(parts.map(({ looked }) => looked)) };
  return documentOf({
    kind,
    reference,
    clusters: clustersDocument(clusters),
    items,
    summary: { ...summary, ztunnels },
    failures,
  });
}

function pageIn(
  { findings, failures, warnings, summary }: Base,
  { works, fails, unknown }: Outcomes,
  certificates: readonly CertificateItem[],
  table: Table,
  matrix: Matrix | undefined,
) {
  const page = pageOf({
    title: 'Trust between certificates of ztunnels',
    summary,
    bySeverity: { critical: fails, warning: unknown, information: 0, ok: works },
    reference: findings.reference,
    several: findings.clusters !== undefined,
    certificates,
    table,
    warnings,
    failures,
  });
  return matrix === undefined ? page : { ...page, matrix };
}
