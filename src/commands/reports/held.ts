// How commands about what ztunnels hold (services, policies) collect, compare and report it.

import type { JsonObject } from '../../base/json.ts';
import { wantedOfAll } from '../../mesh/asking.ts';
import { type Collected, collectDumps, shownOf } from '../../mesh/collect.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findServingScope } from '../../mesh/scope/scope.ts';
import type { Summary } from '../../model/certificates/summary.ts';
import { type Agreement, summarizeHeld } from '../../model/documents/meshdocument.ts';
import type { Section } from '../../model/dump.ts';
import type { Answer, Reference, ZtunnelRef } from '../../model/types.ts';
import type { Cell, Report, ShortTable } from '../../printers/printer.ts';
import { type CommonOptions, isDocument } from '../spec/common.ts';
import { namespaceFilter } from '../spec/sharedflags.ts';
import { type ColumnSpec, renderTable, sortItems } from './columns.ts';
import { documentOf, summaryDocument } from './document.ts';
import { asKnownBy, count, emptySentence } from './sentences.ts';

/** What several ztunnels may know, and know differently. */
export interface HeldItem {
  readonly ztunnels: readonly ZtunnelRef[];
  readonly differs: boolean;
}

/** `2/3`, `3/3 differ`: of so many dumps that were compared. */
export function ztunnelsColumn(dumps: number): ColumnSpec<HeldItem> {
  return {
    header: 'ZTUNNELS',
    cell: (item): Cell => ({
      text: `${item.ztunnels.length}/${dumps}${item.differs ? ' differ' : ''}`,
      tone: agrees(item, dumps) ? 'plain' : 'warning',
    }),
    key: (item) => item.ztunnels.length - (item.differs ? 0.5 : 0),
  };
}

/** Every ztunnel holds it, and all the same. */
export function agrees(item: HeldItem, dumps: number): boolean {
  return item.ztunnels.length === dumps && !item.differs;
}

/** The columns to show: ZTUNNELS only when there is something to tell. */
export function withoutAgreement<Item extends HeldItem>(
  columns: readonly ColumnSpec<Item>[],
  items: readonly Item[],
  dumps: number,
): readonly ColumnSpec<Item>[] {
  const differ = items.some((item) => !agrees(item, dumps));
  return columns.filter((column) => column.header !== 'ZTUNNELS' || differ);
}

export interface HeldFindings<Item extends HeldItem> {
  /** After filters, in the order shown. */
  readonly items: readonly Item[];
  readonly collected: Collected;
  /** The dumps to show: with several of them, rows are compared. */
  readonly answers: readonly Answer[];
  readonly reference: Reference;
  readonly filtered: boolean;
  /** `service`, `services`. */
  readonly nouns: readonly [one: string, many: string];
  /** Of the document: `ServiceList`. */
  readonly kind: string;
  /** `service`, as TARGET and kubectl name it. */
  readonly type: string;
  readonly nameOf: (item: Item) => { readonly name: string; readonly namespace: string };
  readonly columns: readonly ColumnSpec<Item>[];
  readonly document: (item: Item) => JsonObject;
  readonly short: () => ShortTable;
}

export function heldReport<Item extends HeldItem>(findings: HeldFindings<Item>): Report {
  const { items, collected, answers, reference, nouns, columns } = findings;
  const { failures, asked } = collected;
  const summary = summarizeHeld(items, answers.length, asked, collected.answers.length);
  const none = `${answers.length === 1 ? 'ztunnel knows' : 'the ztunnels know'} no ${nouns[0]}`;
  return {
    views: {
      table: ({ wide }) => renderTable(withoutAgreement(columns, items, answers.length), items, wide),
      short: findings.short,
      name: () =>
        items.map((item) => {
          const { name, namespace } = findings.nameOf(item);
          return `${findings.type}/${name}.${namespace}`;
        }),
      document: () =>
        documentOf({
          kind: findings.kind,
          reference,
          items: items.values().map(findings.document),
          summary: summaryDocument(summary),
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: [],
    summary: `${count(items.length, ...nouns)} ${asKnownBy(answers, items.length)}${disagreement(summary)}.`,
    empty: emptySentence(answers, findings.filtered, nouns[0], none),
    partial: answers.length === 0,
  };
}

/** `: 1 not on all of them, 2 not the same on all`. */
function disagreement({ byStatus }: Summary<Agreement>): string {
  const parts = [
    ...(byStatus.partial > 0 ? [`${byStatus.partial} not on all of them`] : []),
    ...(byStatus.differ > 0 ? [`${byStatus.differ} not the same on all`] : []),
  ];
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** What such a command is about. */
export interface HeldKind<Item extends HeldItem>
  extends Pick<HeldFindings<Item>, 'nouns' | 'kind' | 'type' | 'nameOf' | 'document'> {
  readonly sections: readonly Section[];
  readonly join: (answers: readonly Answer[]) => readonly Item[];
  /** For so many dumps. */
  readonly columns: (dumps: number) => readonly ColumnSpec<Item>[];
  readonly short: (
    answers: readonly Answer[],
    isWanted: (held: { readonly namespace: string }) => boolean,
  ) => ShortTable;
}

/** `ownNamespace` is what the command's own flag names besides --namespace. */
export async function reportHeld<Item extends HeldItem>(
  { sections, join, columns: columnsFor, short, ...kind }: HeldKind<Item>,
  ownNamespace: string | undefined,
  options: CommonOptions & { readonly deep?: boolean },
  mesh: Mesh,
): Promise<Report> {
  const { deep } = options;
  const keepRaw = isDocument(options);
  const wanted = wantedOfAll({ sections: new Set(sections), deep, keepRaw }, mesh.cluster);
  const scope = await findServingScope(options, wanted, mesh);
  const collected = await collectDumps(scope, wanted, options, mesh);
  const answers = shownOf(collected);
  const isWanted = namespaceFilter(ownNamespace, scope.namespace);
  const all = join(answers);
  const kept = all.filter((item) => isWanted(kind.nameOf(item).namespace));
  const columns = columnsFor(answers.length);
  return heldReport({
    ...kind,
    items: sortItems(columns, kept, options.sortBy),
    collected,
    answers,
    reference: await mesh.reference(),
    filtered: kept.length < all.length,
    columns,
    short: () => short(answers, ({ namespace }) => isWanted(namespace)),
  });
}
