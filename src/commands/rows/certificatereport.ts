// What `certs` reports: its views, counts and sentences.

import { certificateDocument } from '../../model/document.ts';
import type { Grouping } from '../../model/group.ts';
import { type CertificateSummary, formatSummary, summarizeCertificates } from '../../model/summary.ts';
import type { CertificateItem, Reference } from '../../model/types.ts';
import type { Report, Table, Views } from '../../printers/printer.ts';
import type { Collected } from '../ask/collect.ts';
import type { ListedInventory } from '../ask/inventory.ts';
import { certificateNames, certificatePems } from './certificatelines.ts';
import { certificateColumns } from './certificates.ts';
import { shortCertificates } from './certificateshort.ts';
import { renderTable } from './columns.ts';
import { documentOf, summaryDocument } from './document.ts';
import { groupViews } from './groups.ts';
import { pageOf } from './page.ts';

interface CertificateFindings {
  /** After filters, in the order shown. */
  readonly items: readonly CertificateItem[];
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly warnings: readonly string[];
  readonly reference: Reference;
  readonly groupBy: Grouping | undefined;
  readonly failOn: 'critical' | 'warning' | undefined;
  readonly onlyProblems: boolean;
  readonly filtered: boolean;
}

export function certificateReport(findings: CertificateFindings): Report {
  const { items, collected, inventory } = findings;
  const summary = summarizeCertificates(items, collected.asked, collected.answers.length);
  const problems = summary.bySeverity.critical + summary.bySeverity.warning;
  return {
    views: viewsOf(findings, summary),
    rowCount: items.length,
    failures: collected.failures,
    // Where nothing answered, what could not be judged of it goes without saying.
    warnings: [...inventory.warnings, ...(collected.answers.length === 0 ? [] : findings.warnings)],
    clusterRole: inventory.clusterRole,
    summary: formatSummary(summary),
    longHint:
      problems > 0 && !findings.onlyProblems && findings.groupBy === undefined
        ? `--problems shows only the ${problems} that need you`
        : undefined,
    empty: emptySentence(findings),
    failed: failsOn(findings.failOn, summary),
    partial: inventory.partial,
  };
}

function viewsOf(findings: CertificateFindings, summary: CertificateSummary): Partial<Views> {
  const { items, collected, reference, groupBy } = findings;
  const parts = { reference, summary: summaryDocument(summary), failures: collected.failures };
  const page = (table: Table | undefined) =>
    pageOf({
      title: 'Certificates of ztunnels',
      summary: formatSummary(summary),
      bySeverity: summary.bySeverity,
      reference,
      certificates: items,
      table: table ?? renderTable(certificateColumns(items), items, false),
      warnings: [...findings.inventory.warnings, ...findings.warnings],
      failures: collected.failures,
    });
  if (groupBy !== undefined) {
    const grouped = groupViews(items, groupBy, parts);
    return { ...grouped, page: () => page(grouped.table({ wide: false })) };
  }
  const entries = () => new Set(items.flatMap((item) => item.entry ?? []));
  return {
    table: ({ wide }) => renderTable(certificateColumns(items), items, wide),
    short: () => shortCertificates(collected.answers, entries(), reference.time),
    page: () => page(undefined),
    name: () => certificateNames(items),
    pem: () => certificatePems(items),
    document: () =>
      documentOf({ ...parts, kind: 'CertificateList', items: items.values().map(certificateDocument) }),
  };
}

function failsOn(failOn: 'critical' | 'warning' | undefined, { bySeverity }: CertificateSummary): boolean {
  if (failOn === undefined) return false;
  return bySeverity.critical > 0 || (failOn === 'warning' && bySeverity.warning > 0);
}

function emptySentence({ collected, filtered }: CertificateFindings): string | undefined {
  // What could not be read is told as a failure; an empty table then says nothing about the mesh.
  if (!collected.answers.some(({ dump }) => dump.sections.has('certificates'))) return undefined;
  if (filtered) return 'no certificate matches the filters';
  return 'no ztunnel holds a certificate: no HBONE workload runs on its node, or it has just started';
}
