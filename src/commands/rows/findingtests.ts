// What `check` tells a CI system: each finding as a test.

import type { Finding } from '../../model/check.ts';
import { FINDINGS } from '../../model/findings.ts';
import type { Failure } from '../../model/types.ts';
import type { TestCase, TestSuite } from '../../printers/printer.ts';
import type { CheckFindings } from './checkfindings.ts';
import { displayObject, sentenceOf } from './findings.ts';

/** Critical ones and warnings fail, information only speaks; ztunnels that could not be asked are errors. */
export function findingTests({ result, mesh }: CheckFindings, failures: readonly Failure[]): TestSuite {
  const byCode = new Map(result.findings.map((finding) => [finding.code, finding]));
  const gaps = new Map(result.notEvaluated.map(({ code, why }) => [code, why]));
  const findings = result.evaluated.map((code): TestCase => {
    const name = `${code}: ${FINDINGS[code].title}`;
    const finding = byCode.get(code);
    const why = gaps.get(code);
    if (finding !== undefined) return { name, group: FINDINGS[code].severity, ...outcomeOf(finding) };
    if (why === undefined) return { name, group: FINDINGS[code].severity };
    const outcome = { kind: 'skipped', message: `not evaluated: ${why}`, lines: [] } as const;
    return { name, group: FINDINGS[code].severity, outcome };
  });
  const time = mesh.reference.time.toISOString().replace(/\.\d+Z$/, 'Z');
  return { name: 'kubectl ztunnel check', time, cases: [...findings, ...failures.flatMap(failureCase)] };
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

function failureCase({ ztunnel, severity, message, hint }: Failure): readonly TestCase[] {
  if (severity !== 'error') return [];
  const name = `ztunnel ${ztunnel.namespace === null ? '' : `${ztunnel.namespace}/`}${ztunnel.name}`;
  return [{ name, group: 'ztunnels', outcome: { kind: 'error', message, lines: [hint] } }];
}
