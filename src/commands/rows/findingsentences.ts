// What `check` says of its findings in one line: how many, where, and what was not looked for.

import { type Finding, hasCertificates, type NotEvaluated } from '../../model/check.ts';
import { SEVERITIES } from '../../model/order.ts';
import type { Severity } from '../../model/types.ts';
import type { CheckFindings } from './checkfindings.ts';
import { inClusters } from './clusters.ts';

/** How many findings of each severity there are, zeros included. */
export function countFindings(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, count(severity)])) as Record<
    Severity,
    number
  >;
}

/** What was found, or that nothing could be: that nothing was found would say nothing then. */
export function saidOf(check: CheckFindings): string {
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

/** Of all clusters together. */
export function ztunnelsOf({ parts }: CheckFindings): { readonly asked: number; readonly answered: number } {
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
