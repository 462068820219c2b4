// What `workloads` reports: its views, counts and sentences.

import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory } from '../../mesh/lists.ts';
import { summarizeWorkloads } from '../../model/certificates/summary.ts';
import { workloadDocument } from '../../model/documents/document.ts';
import type { Workload } from '../../model/dump.ts';
import type { WorkloadItem } from '../../model/items.ts';
import type { Answer, Reference } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import { renderTable } from '../reports/columns.ts';
import { documentOf, summaryDocument } from '../reports/document.ts';
import { asKnownBy, count } from '../reports/sentences.ts';
import { workloadColumns } from './columns.ts';
import { shortWorkloads } from './short.ts';

interface WorkloadFindings {
  /** After filters, in the order shown. */
  readonly items: readonly WorkloadItem[];
  /** The dumps that the workloads were read from. */
  readonly answers: readonly Answer[];
  readonly isWanted: (workload: Workload) => boolean;
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly reference: Reference;
  readonly filtered: boolean;
}

export function workloadReport(findings: WorkloadFindings): Report {
  const { items, answers, collected, inventory, reference } = findings;
  const { asked, failures } = collected;
  return {
    views: {
      table: ({ wide }) => renderTable(workloadColumns(items, answers.length), items, wide),
      short: () => shortWorkloads(answers, findings.isWanted),
      name: () => items.map(displayName),
      document: () =>
        documentOf({
          kind: 'WorkloadList',
          reference,
          items: items.values().map(workloadDocument),
          summary: summaryDocument(summarizeWorkloads(items, asked, collected.answers.length)),
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: inventory.warnings,
    clusterRole: inventory.clusterRole,
    summary: summarySentence(findings),
    empty: emptySentence(findings),
    partial: inventory.partial || answers.length === 0,
  };
}

/** `pod/x.ns`, as TARGET takes it; what is no pod keeps its own kind. */
function displayName({ kind, workload }: WorkloadItem): string {
  return `${kind.toLowerCase()}/${workload.name}.${workload.namespace}`;
}

/** `19 workloads as ztunnel-4jt7m knows them: 15 HBONE, 4 TCP.` */
function summarySentence({ items, answers }: WorkloadFindings): string {
  const protocols = [...Map.groupBy(items, ({ workload }) => workload.protocol || 'of unknown protocol')]
    .map(([protocol, members]) => `${members.length} ${protocol}`)
    .sort();
  const kinds = protocols.length === 0 ? '' : `: ${protocols.join(', ')}`;
  return `${count(items.length, 'workload')} ${asKnownBy(answers, items.length)}${kinds}.`;
}

function emptySentence({ answers, filtered }: WorkloadFindings): string | undefined {
  if (!answers.some(({ dump }) => dump.sections.has('workloads'))) return undefined;
  return filtered ? 'no workload matches the filters' : 'ztunnel knows no workload';
}
