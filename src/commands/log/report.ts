// What `log` reports: each ztunnel's levels in its own words.

import type { JsonObject } from '../../base/json.ts';
import { summarizeUnjudged } from '../../model/documents/meshdocument.ts';
import type { Reference } from '../../model/types.ts';
import { findLevels } from '../../model/ztunnels/loglevel.ts';
import { compareByNode } from '../../model/ztunnels/ztunnels.ts';
import type { Report, ShortTable } from '../../printers/printer.ts';
import { displayRef, plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, renderTable, sortItems } from '../reports/columns.ts';
import { documentOf, summaryDocument } from '../reports/document.ts';
import { count } from '../reports/sentences.ts';
import type { CollectedLevels, LogAnswer } from './run.ts';

export interface LogFindings extends CollectedLevels {
  /** Levels were set or reset, not only read. */
  readonly changed: boolean;
  readonly reference: Reference;
  readonly sortBy: string | undefined;
}

const columns: readonly ColumnSpec<LogAnswer>[] = [
  { header: 'NODE', fit: 'node', cell: ({ ztunnel }) => plain(ztunnel.node ?? '-') },
  { header: 'ZTUNNEL', fit: 'middle', cell: ({ ztunnel }) => plain(displayRef(ztunnel)) },
  // An answer in other words is shown as it is.
  { header: 'LEVEL', cell: ({ text }) => plain(findLevels(text) ?? text.trim()) },
];

export function logReport({ answers, failures, asked, changed, reference, sortBy }: LogFindings): Report {
  const byNode = answers.toSorted((a, b) => compareByNode(a.ztunnel, b.ztunnel));
  const items = sortItems(columns, byNode, sortBy);
  const summary = summarizeUnjudged(items.length, asked, answers.length);
  return {
    views: {
      table: ({ wide }) => renderTable(columns, items, wide),
      short: () => shortLevels(items),
      document: () =>
        documentOf({
          kind: 'LogLevelList',
          reference,
          items: items.map(levelDocument),
          summary: summaryDocument(summary),
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: [],
    summary: `${changed ? 'Changed' : 'Asked'} ${answers.length} of ${count(asked, 'ztunnel')}.`,
    empty: 'no ztunnel answered',
  };
}

/** As istioctl prints it: `<pod>.<namespace>:` and the answer below. */
function shortLevels(items: readonly LogAnswer[]): ShortTable {
  return {
    header: [],
    rows: items.flatMap(({ ztunnel, text }) => [
      [`${ztunnel.name}.${ztunnel.namespace ?? ''}:`],
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => [line]),
    ]),
    padding: 0,
  };
}

function levelDocument({ ztunnel: { namespace, name, node }, text }: LogAnswer): JsonObject {
  return { node, ztunnel: { namespace, name, node }, level: findLevels(text) ?? null, raw: text };
}
