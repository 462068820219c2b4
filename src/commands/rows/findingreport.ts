// What `check` reports: its views, counts and sentences.

import { type Finding, hasCertificates, type NotEvaluated } from '../../model/check.ts';
import { clusterDocument } from '../../model/document.ts';
import { findingDocument } from '../../model/findings/document.ts';
import { SEVERITIES } from '../../model/order.ts';
import type { Failure, JsonObject, Severity } from '../../model/types.ts';
import type { Report, Views } from '../../printers/printer.ts';
import type { Part } from '../ask/contexts.ts';
import type { CheckedMesh, CheckFindings } from './checkfindings.ts';
import { inClusters, inWordsOf, tagged } from './clusters.ts';
import { renderTable } from './columns.ts';
import { clustersDocument, documentOf } from './document.ts';
import { findingMetrics } from './findingmetrics.ts';
import { findingColumnsOver, listObjects, objectColumnsOver } from './findings.ts';
import { findingTests } from './findingtests.ts';
import { pageOf } from './page.ts';

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
    worst: findings.toSorted((a, b) => rank(a.severity) - rank(b.severity))[0]?.severity,
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
        bySeverity: countFindings(findings),
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
  const { inventory, nodeLeases, istio } = mesh;
  const ofLeases = nodeLeases.warning === undefined ? [] : [nodeLeases.warning];
  return inWordsOf([...inventory.warnings, ...ofLeases, ...istio.warnings], cluster);
}

function calm(failure: Failure): Failure {
  return { ...failure, severity: 'warning' };
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** How many findings of each severity there are, zeros included. */
export function countFindings(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, count(severity)])) as Record<
    Severity,
    number
  >;
}

/** What was found, or that nothing could be: that nothing was found would say nothing then. */
function saidOf(check: CheckFindings): string {
  const { parts, clusters } = check;
  const answers = parts.flatMap(({ looked }) => looked.mesh.collected.answers);
  if (check.result.findings.length > 0 || hasCertificates(answers)) {
    return `${countSentence(check)}${gapSentence(check)}`;
  }
  const ztunnels = plural(ztunnelsOf(check).asked, 'ztunnel');
  const why =
    answers.length > 0
      ? `no certificates could be read on ${ztunnels}`
      : parts.length === 0 && clusters !== undefined
        ? `0 of ${plural(clusters.length, 'cluster')} answered`
        : `0 of ${ztunnels} answered`;
  return `nothing could be checked: ${why}.`;
}

function ztunnelsOf({ parts }: CheckFindings): { readonly asked: number; readonly answered: number } {
  const all = parts.map(({ looked }) => looked.mesh.collected);
  return {
    asked: all.reduce((sum, { asked }) => sum + asked, 0),
    answered: all.reduce((sum, { answers }) => sum + answers.length, 0),
  };
}

/** `3 findings in 15 certificates on 3 of 3 ztunnels: 1 critical, 2 warnings.` */
function countSentence(check: CheckFindings): string {
  const { result, parts, clusters } = check;
  const { findings } = result;
  const { critical, warning, information } = countFindings(findings);
  const counts = [
    [critical, 'critical'],
    [warning, warning === 1 ? 'warning' : 'warnings'],
    [information, 'information'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const { asked, answered } = ztunnelsOf(check);
  const certificates = parts.flatMap(({ looked }) => looked.certificates);
  const listed = certificates.filter(({ ztunnel }) => ztunnel !== null).length;
  const where = `${plural(listed, 'certificate')} on ${answered} of ${plural(asked, 'ztunnel')}${inClusters(clusters)}`;
  const what = findings.length === 0 ? 'no findings' : plural(findings.length, 'finding');
  return `${what} in ${where}${shown.length > 0 ? `: ${shown.join(', ')}` : ''}.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Names what was not, or not everywhere, looked for: ` Not evaluated: CLOCK-SKEW (without an API server).` */
function gapSentence({ result, parts, chosen }: CheckFindings): string {
  const reasons = [...Map.groupBy(wordGaps(result.notEvaluated, parts.length), ({ why }) => why)].map(
    ([why, members]) => `${members.map(({ code }) => code).join(', ')} (${why})`,
  );
  const gaps = reasons.length === 0 ? '' : ` Not evaluated: ${reasons.join('; ')}.`;
  if (result.leftOut.length === 0) return gaps;
  // All but a few: the few are what the user typed.
  const left = chosen ? `all but ${result.evaluated.join(', ') || 'none'}` : result.leftOut.join(', ');
  return `${gaps} Left out: ${left}.`;
}

/** Each code with each reason once; of a reason that is not of all clusters, which have it. */
function wordGaps(gaps: readonly NotEvaluated[], clusters: number): readonly NotEvaluated[] {
  return [...Map.groupBy(gaps, ({ code, why }) => `${code} ${why}`).values()].map((members) => {
    const { code, why } = members[0]!;
    const names = members.flatMap(({ cluster }) => cluster ?? []);
    const isEverywhere = names.length === 0 || names.length === clusters;
    return { code, why: isEverywhere ? why : `${why} in ${names.join(', ')}` };
  });
}

function summaryDocument(check: CheckFindings, exitCode: number): JsonObject {
  const { findings, notEvaluated, leftOut } = check.result;
  return {
    total: findings.length,
    bySeverity: { ...countFindings(findings) },
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
