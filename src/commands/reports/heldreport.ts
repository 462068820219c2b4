// What `services` and `policies` report: the views, counts and sentences of rows that ztunnels agree or differ about.

import type { JsonObject } from '../../base/json.ts';
import type { Collected } from '../../mesh/collect.ts';
import type { Summary } from '../../model/certificates/summary.ts';
import { type Agreement, summarizeHeld } from '../../model/documents/meshsummary.ts';
import type { Answer, Reference } from '../../model/types.ts';
import type { Report, ShortTable } from '../../printers/printer.ts';
import { type ColumnSpec, renderTable } from './columns.ts';
import { documentOf, summaryDocument } from './document.ts';
import { type HeldItem, withoutAgreement } from './held.ts';
import { asKnownBy, count, emptySentence } from './sentences.ts';

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
