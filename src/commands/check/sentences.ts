// What `check` says of its findings in one line: how many, where, and what was not looked for.

import { countSeverities, describeSeverities } from '../../model/certificates/summary.ts';
import { hasCertificates, type NotEvaluated } from '../../model/findings/check.ts';
import { countZtunnels, inClusters } from '../reports/clusters.ts';
import { count } from '../reports/sentences.ts';
import type { CheckFindings } from './checked.ts';

/** What was found, or that nothing could be: that nothing was found would say nothing then. */
export function saidOf(check: CheckFindings): string {
  const { parts, clusters } = check;
  const answers = parts.flatMap(({ looked }) => looked.mesh.collected.answers);
  if (check.result.findings.length > 0 || hasCertificates(answers)) {
    return `${countSentence(check)}${gapSentence(check)}`;
  }
  const ztunnels = count(ztunnelsOf(check).asked, 'ztunnel');
  const why =
    answers.length > 0
      ? `no certificates could be read on ${ztunnels}`
      : parts.length === 0 && clusters !== undefined
        ? `0 of ${count(clusters.length, 'cluster')} answered`
        : `0 of ${ztunnels} answered`;
  return `nothing could be checked: ${why}.`;
}

/** Of all clusters together. */
export function ztunnelsOf({ parts }: CheckFindings): { readonly asked: number; readonly answered: number } {
  return countZtunnels(parts.map(({ looked }) => looked.mesh));
}

/** `3 findings in 15 certificates on 3 of 3 ztunnels: 1 critical, 2 warnings.` */
function countSentence(check: CheckFindings): string {
  const { result, parts, clusters } = check;
  const { findings } = result;
  const shown = describeSeverities(countSeverities(findings));
  const { asked, answered } = ztunnelsOf(check);
  const certificates = parts.flatMap(({ looked }) => looked.certificates);
  const listed = certificates.filter(({ ztunnel }) => ztunnel !== null).length;
  const where = `${count(listed, 'certificate')} on ${answered} of ${count(asked, 'ztunnel')}${inClusters(clusters)}`;
  const what = findings.length === 0 ? 'no findings' : count(findings.length, 'finding');
  return `${what} in ${where}${shown === '' ? '' : `: ${shown}`}.`;
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
