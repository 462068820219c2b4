// What `check` tells a CI system: each finding as a test.

import { type CheckResult, type Finding, textsOf } from '../../model/findings/check.ts';
import { ACROSS_CODES, type AnyCode } from '../../model/findings/codes.ts';
import type { Report } from '../../printers/printer.ts';
import type { TestCase, TestSuite } from '../../printers/shapes.ts';
import { displayObject } from '../reports/columns.ts';
import type { CheckFindings } from './checked.ts';
import { sentenceOf } from './columns.ts';

/** Critical ones and warnings fail, information only speaks; ztunnels that could not be asked are errors. */
export function findingTests(check: CheckFindings, failures: Report['failures']): TestSuite {
  const { result, parts, reference } = check;
  const ofParts = parts.flatMap(({ cluster, looked }) => casesOf(looked.result, cluster));
  // What is wrong between clusters is in none of them.
  const across = new Set<AnyCode>(ACROSS_CODES);
  const between = casesOf(
    {
      findings: result.findings.filter(({ code }) => across.has(code)),
      notEvaluated: result.notEvaluated.filter(({ code }) => across.has(code)),
      evaluated: result.evaluated.filter((code) => across.has(code)),
    },
    undefined,
  );
  const time = reference.time.toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    name: 'kubectl ztunnel check',
    time,
    cases: [...ofParts, ...between, ...failures.flatMap(failureCase)],
  };
}

function casesOf(
  { findings, notEvaluated, evaluated }: Pick<CheckResult, 'findings' | 'notEvaluated' | 'evaluated'>,
  cluster: string | undefined,
): readonly TestCase[] {
  const byCode = new Map(findings.map((finding) => [finding.code, finding]));
  const gaps = new Map(notEvaluated.map(({ code, why }) => [code, why]));
  return evaluated.map((code): TestCase => {
    const { title, severity } = textsOf(code);
    const test = { name: `${code}: ${title}`, group: groupOf(severity, cluster) };
    const finding = byCode.get(code);
    const why = gaps.get(code);
    if (finding !== undefined) return { ...test, ...outcomeOf(finding) };
    if (why === undefined) return test;
    return { ...test, outcome: { kind: 'skipped', message: `not evaluated: ${why}`, lines: [] } };
  });
}

/** `critical`, or of several clusters `east.critical`. */
function groupOf(group: string, cluster: string | undefined): string {
  return cluster === undefined ? group : `${cluster}.${group}`;
}

function outcomeOf(finding: Finding): Pick<TestCase, 'outcome' | 'output'> {
  const lines = [
    ...finding.objects.map((object) =>
      [displayObject(object), ...(object.detail === null ? [] : [object.detail])].join(': '),
    ),
    finding.remedy,
    ...(finding.particulars === null ? [] : [finding.particulars]),
  ];
  if (finding.severity === 'information') return { output: lines };
  return { outcome: { kind: 'failure', message: sentenceOf(finding.title), lines } };
}

function failureCase({
  cluster,
  ztunnel,
  severity,
  message,
  hint,
}: Report['failures'][number]): readonly TestCase[] {
  if (severity !== 'error') return [];
  const outcome = { kind: 'error', message, lines: [hint] } as const;
  if (ztunnel === null) return [{ name: `cluster ${cluster}`, group: 'clusters', outcome }];
  const name = `ztunnel ${ztunnel.namespace === null ? '' : `${ztunnel.namespace}/`}${ztunnel.name}`;
  return [{ name, group: groupOf('ztunnels', cluster), outcome }];
}
