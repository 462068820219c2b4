// What `certs` reports: its views, counts and sentences.

import type { Part } from '../../mesh/clusters.ts';
import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory } from '../../mesh/lists.ts';
import type { Grouping } from '../../model/certificates/group.ts';
import {
  type CertificateSummary,
  formatSummary,
  summarizeCertificates,
} from '../../model/certificates/summary.ts';
import type { Verification } from '../../model/certificates/verification.ts';
import { certificateDocument } from '../../model/documents/document.ts';
import { rootUseDocument } from '../../model/documents/trust.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { RootUse } from '../../model/trust/roots.ts';
import type { ClusterFailure, Reference } from '../../model/types.ts';
import type { Report, Table, Views } from '../../printers/printer.ts';
import { certificateColumns } from '../reports/certificatecolumns.ts';
import { type ClusterState, countZtunnels, inClusters, inWordsOf, tagged } from '../reports/clusters.ts';
import { renderTable } from '../reports/columns.ts';
import { clustersDocument, documentOf, summaryDocument } from '../reports/document.ts';
import { pageOf } from '../reports/page.ts';
import { groupViews } from './groups.ts';
import { certificateNames, certificatePems } from './lines.ts';
import { rootSentences, rootTable } from './roots.ts';
import { shortCertificatesOf } from './short.ts';

/** What one cluster told. */
export interface CertificateSource {
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly verification: Verification;
  /** What could not be judged. */
  readonly warnings: readonly string[];
  readonly reference: Reference;
}

interface CertificateFindings {
  /** After filters, in the order shown. */
  readonly items: readonly CertificateItem[];
  readonly parts: readonly Part<CertificateSource>[];
  /** undefined where only one is asked. */
  readonly clusters: readonly ClusterState[] | undefined;
  /** Clusters that could not be asked. */
  readonly failures: readonly ClusterFailure[];
  /** What concerns clusters as a whole. */
  readonly warnings: readonly string[];
  /** Of several clusters, the latest. */
  readonly reference: Reference;
  readonly groupBy: Grouping | undefined;
  /** Of the items: who presents and who trusts each root. */
  readonly rootUses: () => readonly RootUse[];
  readonly failOn: 'critical' | 'warning' | undefined;
  readonly onlyProblems: boolean;
  readonly filtered: boolean;
}

export function certificateReport(findings: CertificateFindings): Report {
  const { items, parts, clusters } = findings;
  const { asked, answered } = countZtunnels(parts.map(({ looked }) => looked));
  const summary = summarizeCertificates(items, asked, answered);
  const problems = summary.bySeverity.critical + summary.bySeverity.warning;
  const failures = [
    ...parts.flatMap(({ cluster, looked }) => tagged(looked.collected.failures, cluster)),
    ...findings.failures,
  ];
  const report = {
    rowCount: items.length,
    failures,
    warnings: [...findings.warnings, ...parts.flatMap(warningsOf)],
    clusterRole: parts.find(({ looked }) => looked.inventory.clusterRole)?.looked.inventory.clusterRole,
    summary: summaryOf(findings, formatSummary(summary, inClusters(clusters))),
    longHint:
      problems > 0 && !findings.onlyProblems && findings.groupBy === undefined
        ? `--problems shows only the ${problems} that need attention`
        : undefined,
    empty: emptySentence(findings),
    failed: failsOn(findings.failOn, summary),
    partial: parts.some(({ looked }) => looked.inventory.partial),
  };
  return { ...report, views: viewsOf(findings, summary, report) };
}

/** Of roots, what may be done with each is what is asked. */
function summaryOf({ groupBy, rootUses }: CertificateFindings, counts: string): string {
  return groupBy === 'trusts' ? [counts, ...rootSentences(rootUses())].join(' ') : counts;
}

/** Where nothing answered, what could not be judged of it goes without saying. */
function warningsOf({ cluster, looked }: Part<CertificateSource>): readonly string[] {
  const judged = looked.collected.answers.length === 0 ? [] : looked.warnings;
  return inWordsOf([...looked.inventory.warnings, ...judged], cluster);
}

function viewsOf(
  findings: CertificateFindings,
  summary: CertificateSummary,
  report: Pick<Report, 'failures' | 'warnings'> & { readonly summary: string },
): Partial<Views> {
  const { items, parts, clusters, reference, groupBy } = findings;
  const { failures } = report;
  const document = {
    reference,
    clusters: clustersDocument(clusters),
    summary: summaryDocument(summary),
    failures,
  };
  const page = (table: Table | undefined) =>
    pageOf({
      title: 'Certificates of ztunnels',
      summary: report.summary,
      bySeverity: summary.bySeverity,
      reference,
      several: clusters !== undefined,
      certificates: items,
      table: table ?? renderTable(certificateColumns(items), items, false),
      warnings: [
        ...findings.warnings,
        ...parts.flatMap(({ cluster, looked }) =>
          inWordsOf([...looked.inventory.warnings, ...looked.warnings], cluster),
        ),
      ],
      failures,
    });
  if (groupBy === 'trusts') {
    const uses = findings.rootUses();
    return {
      table: ({ wide }) => rootTable(uses, wide),
      document: () =>
        documentOf({ ...document, kind: 'RootUseList', items: uses.values().map(rootUseDocument) }),
      page: () => page(rootTable(uses, false)),
    };
  }
  if (groupBy !== undefined) {
    const grouped = groupViews(items, groupBy, document);
    return { ...grouped, page: () => page(grouped.table({ wide: false })) };
  }
  return {
    table: ({ wide }) => renderTable(certificateColumns(items), items, wide),
    short: () => shortView(findings, summary),
    page: () => page(undefined),
    name: () => certificateNames(items),
    pem: () => certificatePems(items),
    document: () =>
      documentOf({ ...document, kind: 'CertificateList', items: items.values().map(certificateDocument) }),
  };
}

function shortView({ items, parts, clusters }: CertificateFindings, { ztunnels }: CertificateSummary) {
  return shortCertificatesOf(
    parts.map(({ cluster, looked: { collected, reference } }) => ({
      cluster,
      answers: collected.answers,
      at: reference.time,
    })),
    new Set(items.flatMap((item) => item.entry ?? [])),
    { clusters: clusters !== undefined, ztunnels: ztunnels.answered > 1 },
  );
}

function failsOn(failOn: 'critical' | 'warning' | undefined, { bySeverity }: CertificateSummary): boolean {
  if (failOn === undefined) return false;
  return bySeverity.critical > 0 || (failOn === 'warning' && bySeverity.warning > 0);
}

function emptySentence({ parts, filtered }: CertificateFindings): string | undefined {
  const answers = parts.flatMap(({ looked }) => looked.collected.answers);
  // What could not be read is told as a failure; an empty table then says nothing about the mesh.
  if (!answers.some(({ dump }) => dump.sections.has('certificates'))) return undefined;
  if (filtered) return 'no certificate matches the filters';
  return 'no ztunnel holds a certificate: no HBONE workload runs on its node, or it has just started';
}
