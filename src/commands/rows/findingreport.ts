// What `check` reports: its views, counts and sentences.

import { type Finding, hasCertificates } from '../../model/check.ts';
import { findingDocument } from '../../model/findings/document.ts';
import { SEVERITIES } from '../../model/order.ts';
import type { Failure, JsonObject, Severity } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { CheckFindings } from './checkfindings.ts';
import { renderTable } from './columns.ts';
import { documentOf } from './document.ts';
import { findingMetrics } from './findingmetrics.ts';
import { findingColumns, listObjects, objectColumns } from './findings.ts';
import { findingTests } from './findingtests.ts';
import { pageOf } from './page.ts';

export function findingReport(check: CheckFindings): Report {
  const { result, mesh } = check;
  const { findings } = result;
  const said = saidOf(check);
  // A part may be lacking, not all of it: then the exit code is that of an error, and so is what is said.
  const isAllowed = check.allowPartial && !mesh.unheard;
  const failures = isAllowed ? mesh.collected.failures.map(calm) : mesh.collected.failures;
  const report: Report = {
    views: {},
    rowCount: findings.length,
    failures,
    warnings: [
      ...mesh.inventory.warnings,
      ...(mesh.nodeLeases.warning === undefined ? [] : [mesh.nodeLeases.warning]),
      ...mesh.istio.warnings,
    ],
    clusterRole: mesh.inventory.clusterRole ?? mesh.nodeLeases.clusterRole,
    summary: said,
    empty: said,
    worst: findings.toSorted((a, b) => rank(a.severity) - rank(b.severity))[0]?.severity,
    partial: mesh.partial,
  };
  const exitCode = check.exitCode(report);
  const { reference } = mesh;
  return {
    ...report,
    views: {
      table: ({ wide }) =>
        wide
          ? renderTable(objectColumns, listObjects(findings), true)
          : renderTable(findingColumns, findings, false),
      document: () =>
        documentOf({
          kind: 'FindingList',
          reference,
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
          certificates: check.certificates,
          table: renderTable(findingColumns, findings, false),
          warnings: report.warnings,
          failures,
        }),
      metrics: () => findingMetrics(check, exitCode),
      tests: () => findingTests(check, failures),
    },
  };
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
  const { answers, asked } = check.mesh.collected;
  if (check.result.findings.length > 0 || hasCertificates(answers)) {
    return `${countSentence(check)}${gapSentence(check)}`;
  }
  const why =
    answers.length === 0
      ? `0 of ${plural(asked, 'ztunnel')} answered`
      : `no certificates could be read on ${plural(asked, 'ztunnel')}`;
  return `nothing could be checked: ${why}.`;
}

/** `3 findings in 15 certificates on 3 of 3 ztunnels: 1 critical, 2 warnings.` */
function countSentence({ result: { findings }, mesh, certificates }: CheckFindings): string {
  const { critical, warning, information } = countFindings(findings);
  const counts = [
    [critical, 'critical'],
    [warning, warning === 1 ? 'warning' : 'warnings'],
    [information, 'information'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const { asked, answers } = mesh.collected;
  const listed = certificates.filter(({ ztunnel }) => ztunnel !== null).length;
  const where = `${plural(listed, 'certificate')} on ${answers.length} of ${plural(asked, 'ztunnel')}`;
  const what = findings.length === 0 ? 'no findings' : plural(findings.length, 'finding');
  return `${what} in ${where}${shown.length > 0 ? `: ${shown.join(', ')}` : ''}.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Names what was not, or not everywhere, looked for: ` Not evaluated: CLOCK-SKEW (without an API server).` */
function gapSentence({ result, filter }: CheckFindings): string {
  const reasons = [...Map.groupBy(result.notEvaluated, ({ why }) => why)].map(
    ([why, members]) => `${members.map(({ code }) => code).join(', ')} (${why})`,
  );
  const gaps = reasons.length === 0 ? '' : ` Not evaluated: ${reasons.join('; ')}.`;
  if (result.leftOut.length === 0) return gaps;
  // All but a few: the few are what the user typed.
  const left =
    filter.only.length > 0 ? `all but ${result.evaluated.join(', ') || 'none'}` : result.leftOut.join(', ');
  return `${gaps} Left out: ${left}.`;
}

function summaryDocument({ result, mesh }: CheckFindings, exitCode: number): JsonObject {
  const { findings, notEvaluated, leftOut } = result;
  return {
    total: findings.length,
    bySeverity: { ...countFindings(findings) },
    ztunnels: { asked: mesh.collected.asked, answered: mesh.collected.answers.length },
    notEvaluated: notEvaluated.map(({ code, why }) => ({ code, why })),
    leftOut: [...leftOut],
    exitCode,
  };
}
