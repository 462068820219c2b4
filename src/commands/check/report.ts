// What `check` reports: its views, counts and sentences.

import type { JsonObject } from '../../base/json.ts';
import type { Part } from '../../mesh/clusters.ts';
import { countSeverities } from '../../model/certificates/summary.ts';
import { clusterDocument } from '../../model/documents/document.ts';
import { findingDocument } from '../../model/documents/findings.ts';
import { compareSeverity } from '../../model/order.ts';
import type { Failure } from '../../model/types.ts';
import type { Report, Views } from '../../printers/printer.ts';
import { inWordsOf, tagged } from '../reports/clusters.ts';
import { renderTable } from '../reports/columns.ts';
import { clustersDocument, documentOf } from '../reports/document.ts';
import { pageOf } from '../reports/page.ts';
import type { CheckedMesh, CheckFindings } from './checked.ts';
import { findingColumnsOver, listObjects, objectColumnsOver } from './columns.ts';
import { findingMetrics } from './metrics.ts';
import { saidOf, ztunnelsOf } from './sentences.ts';
import { findingTests } from './testsuite.ts';

export function findingReport(check: CheckFindings): Report {
  const { result, parts } = check;
  const { findings } = result;
  const said = saidOf(check);
  const failures = [...parts.flatMap((part) => failuresIn(part, check.allowPartial)), ...check.failures];
  const report: Report = {
    views: {},
    rowCount: findings.length,
    failures,
    warnings: [...check.warnings, ...parts.flatMap(warningsIn)],
    clusterRole: parts
      .map(({ looked: { mesh } }) => mesh.inventory.clusterRole ?? mesh.nodeLeases.clusterRole)
      .find((role) => role !== undefined),
    summary: said,
    empty: said,
    worst: findings.toSorted((a, b) => compareSeverity(a.severity, b.severity))[0]?.severity,
    partial: parts.some(({ looked }) => looked.mesh.partial),
  };
  return { ...report, views: viewsOf(check, report, check.exitCode(report)) };
}

function viewsOf(check: CheckFindings, report: Report, exitCode: number): Partial<Views> {
  const { result, parts, clusters, reference } = check;
  const { findings } = result;
  const { failures, warnings } = report;
  const several = clusters !== undefined;
  const table = () => renderTable(findingColumnsOver(several), findings, false);
  return {
    table: ({ wide }) =>
      wide ? renderTable(objectColumnsOver(several), listObjects(findings), true) : table(),
    document: () =>
      documentOf({
        kind: 'FindingList',
        reference,
        clusters: clustersDocument(clusters),
        items: findings.values().map(findingDocument),
        summary: summaryDocument(check, exitCode),
        failures,
      }),
    page: () =>
      pageOf({
        title: 'What is wrong with the mesh',
        summary: report.summary ?? '',
        bySeverity: countSeverities(findings),
        reference,
        several,
        certificates: parts.flatMap(({ cluster, looked }) => tagged(looked.certificates, cluster)),
        table: table(),
        warnings,
        failures,
      }),
    metrics: () => findingMetrics(check, exitCode),
    tests: () => findingTests(check, failures),
  };
}

/** A part of a mesh may be lacking, not all of it: then the exit code is that of an error, and so is what is said. */
function failuresIn({ cluster, looked: { mesh } }: Part<CheckedMesh>, allowPartial: boolean) {
  const { failures } = mesh.collected;
  return tagged(allowPartial && !mesh.unheard ? failures.map(calm) : failures, cluster);
}

function warningsIn({ cluster, looked: { mesh } }: Part<CheckedMesh>): readonly string[] {
  const { inventory, nodeLeases, namespaces, istio } = mesh;
  const ofLeases = nodeLeases.warning === undefined ? [] : [nodeLeases.warning];
  const ofNamespaces = namespaces.warning === undefined ? [] : [namespaces.warning];
  return inWordsOf([...inventory.warnings, ...ofLeases, ...ofNamespaces, ...istio.warnings], cluster);
}

function calm(failure: Failure): Failure {
  return { ...failure, severity: 'warning' };
}

function summaryDocument(check: CheckFindings, exitCode: number): JsonObject {
  const { findings, notEvaluated, leftOut } = check.result;
  return {
    total: findings.length,
    bySeverity: { ...countSeverities(findings) },
    ztunnels: { ...ztunnelsOf(check) },
    notEvaluated: notEvaluated.map(({ cluster, code, why }) => ({
      ...clusterDocument({ cluster }),
      code,
      why,
    })),
    leftOut: [...leftOut],
    exitCode,
  };
}
