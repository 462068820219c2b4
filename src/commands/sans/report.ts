// What `sans` reports: its columns, views, counts and sentences.

import type { JsonObject } from '../../base/json.ts';
import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory, ListedIstio } from '../../mesh/lists.ts';
import { countBy, countSeverities, describeSeverities } from '../../model/certificates/summary.ts';
import { nameDocument } from '../../model/documents/document.ts';
import { mergeHits } from '../../model/findings/authorities.ts';
import { whyPartial } from '../../model/findings/sans.ts';
import { describeSource, type NameItem, rankName } from '../../model/sans/items.ts';
import { NAME_STATUSES, type NameStatus } from '../../model/sans/judge.ts';
import type { Answer, IstioObjects, Reference } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { ownersCell, plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, renderTable } from '../reports/columns.ts';
import { documentOf } from '../reports/document.ts';
import { asKnownBy, count } from '../reports/sentences.ts';

interface NameFindings {
  /** After filters, in the order shown. */
  readonly items: readonly NameItem[];
  /** The dumps that services were read from. */
  readonly answers: readonly Answer[];
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly istio: ListedIstio;
  readonly source: Cluster['source'];
  readonly reference: Reference;
  readonly filtered: boolean;
}

export function nameReport(findings: NameFindings): Report {
  const { items, answers, collected, inventory, istio, reference } = findings;
  const { failures } = collected;
  return {
    views: {
      table: ({ wide }) => renderTable(nameColumns, items, wide),
      document: () =>
        documentOf({
          kind: 'SubjectAltNameList',
          reference,
          items: items.values().map(nameDocument),
          summary: summaryOf(findings),
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: [...inventory.warnings, ...istio.warnings, ...gapsOf(findings)],
    clusterRole: inventory.clusterRole,
    summary: `${countSentence(items)} ${asKnownBy(answers, items.length)}.`,
    empty: emptySentence(findings),
    partial: inventory.partial || istio.partial || answers.length === 0,
  };
}

const KINDS = ['serviceEntries', 'destinationRules'] as const satisfies readonly (keyof IstioObjects)[];

/** What was left out by choice or for want of a right, in one sentence; what failed has one of its own. */
function gapsOf({ istio, source }: NameFindings): readonly string[] {
  const lacking = KINDS.filter((kind) => {
    const listed = istio.objects[kind];
    return !listed.known && listed.why !== 'failed';
  });
  const why = whyPartial(istio.objects, lacking);
  if (why === undefined) return [];
  const hint = source === 'files' ? '; --resources takes them' : '';
  return [`Not all names that clients expect are known: ${why}${hint}.`];
}

function summaryOf({ items, collected, istio }: NameFindings): JsonObject {
  const statuses = Object.keys(NAME_STATUSES) as readonly NameStatus[];
  return {
    total: items.length,
    bySeverity: { ...countSeverities(items) },
    byStatus: {
      ...countBy(
        statuses,
        items.map(({ status }) => status),
      ),
    },
    ztunnels: { asked: collected.asked, answered: collected.answers.length },
    notEvaluated: KINDS.flatMap((kind) => {
      const listed = istio.objects[kind];
      return listed.known ? [] : [{ list: kind, why: listed.why }];
    }),
  };
}

/** `5 expected names in 3 lists, 2 OK, 1 critical, 2 warnings`. */
function countSentence(items: readonly NameItem[]): string {
  const lists = new Set(
    items.map(({ source, namespace, host }) => `${namespace}/${host} ${describeSource(source)}`),
  );
  return `${count(items.length, 'expected name')} in ${count(lists.size, 'list')} (${describeSeverities(countSeverities(items))}),`;
}

function emptySentence({ answers, filtered }: NameFindings): string {
  if (answers.length === 0) return 'no ztunnel answered';
  return filtered ? 'no expected name matches the filters' : 'no subjectAltNames are expected of any service';
}

/** `--sort-by` knows every column, shown or not. */
export const nameColumns: readonly ColumnSpec<NameItem>[] = [
  { header: 'NAMESPACE', fit: 'middle', cell: ({ namespace }) => plain(namespace) },
  { header: 'SERVICE', fit: 'middle', cell: ({ service, host }) => plain(service ?? host) },
  {
    header: 'SOURCE',
    fit: 'middle',
    cell: ({ source, namespace }) => plain(describeSource(source, namespace)),
  },
  { header: 'EXPECTED NAME', fit: 'middle', cell: ({ name }) => plain(name ?? '-') },
  { header: 'MATCHES', cell: (item) => plain(displayMatches(item)), key: countMatches },
  {
    header: 'STATUS',
    cell: ({ status, severity }) => ({ text: status, tone: severity }),
    key: rankName,
  },
  { header: 'MODE', wide: true, cell: ({ mode }) => plain(mode ?? '-') },
  { header: 'HOST', wide: true, cell: ({ host }) => plain(host) },
  {
    header: 'OWNERS',
    wide: true,
    cell: ({ endpoints }) => ownersCell(mergeHits(endpoints.map(({ owners }) => owners)), true),
  },
  {
    header: 'REASON',
    fit: 'detail',
    cell: ({ problems }) => plain(problems.map(({ reason }) => reason).join('; ')),
  },
];

/** `2/3`: of so many endpoints' identities. */
function displayMatches(item: NameItem): string {
  return `${countMatches(item)}/${item.endpoints.length}`;
}

function countMatches({ endpoints }: NameItem): number {
  return endpoints.filter(({ matches }) => matches).length;
}
