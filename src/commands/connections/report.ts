// What `connections` reports: its columns, views, counts and sentences.

import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory } from '../../mesh/lists.ts';
import { connectionDocument, summarizeUnjudged } from '../../model/documents/meshdocument.ts';
import type { ConnectionEnd, ConnectionItem } from '../../model/items.ts';
import type { Reference } from '../../model/types.ts';
import type { Cell, Report } from '../../printers/printer.ts';
import { displayRef, ownersCell, plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, renderTable } from '../reports/columns.ts';
import { documentOf, summaryDocument } from '../reports/document.ts';
import { count, emptySentence } from '../reports/sentences.ts';
import { type ShortConnections, shortConnections } from './short.ts';

interface ConnectionFindings {
  /** After filters, in the order shown. */
  readonly items: readonly ConnectionItem[];
  readonly raw: boolean;
  readonly short: ShortConnections;
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly reference: Reference;
  readonly filtered: boolean;
}

export function connectionReport(findings: ConnectionFindings): Report {
  const { items, raw, collected, inventory, reference } = findings;
  const { answers, failures, asked } = collected;
  return {
    views: {
      table: ({ wide }) => renderTable(connectionColumns(raw), items, wide),
      short: () => shortConnections(answers, findings.short),
      document: () =>
        documentOf({
          kind: 'ConnectionList',
          reference,
          items: items.values().map(connectionDocument),
          summary: summaryDocument(summarizeUnjudged(items.length, asked, answers.length)),
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: [...inventory.warnings, ...tooOld(collected)],
    clusterRole: inventory.clusterRole,
    summary: summarySentence(findings),
    empty: emptySentence(answers, findings.filtered, 'connection', 'no captured pod has an open connection'),
    partial: inventory.partial,
  };
}

/** `5 connections on 1 of 1 ztunnel: 3 inbound, 2 outbound.` */
function summarySentence({ items, collected }: ConnectionFindings): string {
  const inbound = items.filter(({ direction }) => direction === 'inbound').length;
  const where = `${collected.answers.length} of ${count(collected.asked, 'ztunnel')}`;
  return `${count(items.length, 'connection')} on ${where}: ${inbound} inbound, ${items.length - inbound} outbound.`;
}

/** Dumps have captured pods since ztunnel 1.22. */
function tooOld({ answers }: Collected): readonly string[] {
  const older = answers.filter(({ dump }) => !dump.sections.has('workloadState'));
  if (older.length === 0) return [];
  const [first] = older;
  const who = older.length === 1 ? `ztunnel ${first!.ztunnel.name}` : `${older.length} ztunnels`;
  return [`${who} can't tell of connections; it takes ztunnel 1.22 or later`];
}

/** `--sort-by` knows every column, shown or not. `raw`: addresses as ztunnel has them, without names. */
export function connectionColumns(raw: boolean): readonly ColumnSpec<ConnectionItem>[] {
  const end = (of: ConnectionEnd | null): Cell =>
    of === null ? { text: '-', tone: 'dim' } : plain((raw ? of.address : of.name) || '-');
  return [
    { header: 'NAMESPACE', fit: 'middle', cell: ({ pod }) => plain(pod.namespace ?? '-') },
    { header: 'POD NAME', fit: 'middle', cell: ({ pod }) => plain(pod.name ?? pod.uid) },
    { header: 'DIRECTION', cell: ({ direction }) => plain(direction) },
    { header: 'LOCAL', fit: 'middle', cell: ({ local }) => end(local) },
    { header: 'REMOTE', fit: 'middle', cell: ({ remote }) => end(remote) },
    { header: 'TARGET', fit: 'middle', cell: ({ target }) => end(target) },
    { header: 'PROTOCOL', cell: ({ protocol }) => plain(protocol || '-') },
    { header: 'NODE', fit: 'node', cell: ({ ztunnel }) => plain(ztunnel.node ?? '-') },
    { header: 'ZTUNNEL', wide: true, cell: ({ ztunnel }) => plain(displayRef(ztunnel)) },
    { header: 'POD UID', wide: true, cell: ({ pod }) => plain(pod.uid) },
    { header: 'OWNER', fit: 'middle', cell: ({ owner }, wide) => ownersCell(owner, wide) },
  ];
}
