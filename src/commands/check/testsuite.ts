// What `check` tells a CI system: each finding as a test.

import { type CheckResult, type Finding, textsOf } from '../../model/findings/check.ts';
import { ACROSS_CODES, type AnyCode } from '../../model/findings/codes.ts';
import type { TestCase, TestSuite } from '../../printers/monitors.ts';
import type { Report } from '../../printers/printer.ts';
import { displayObject } from '../reports/concerned.ts';
import type { CheckFindings } from './checked.ts';
import { sentenceOf } from './columns.ts';

/** Critical ones and warnings fail, information only speaks; ztunnels that could not be asked are errors. */
export function findingTests(check: CheckFindings, failures: Report['failures']): TestSuite {
  const { result, parts, clusters, reference } = check;
  const ofParts = parts.flatMap(({ cluster, looked }) => casesOf(looked.result, cluster));
  // What is wrong between clusters is in none of them, and without --contexts there is nothing between them.
  const across = new Set<AnyCode>(clusters === undefined ? [] : ACROSS_CODES);
  const between = casesOf(
    {
      findings: result.findings.filter(({ cluster }) => cluster === null),
      notEvaluated: result.notEvaluated.filter(
        ({ code, cluster }) => across.has(code) && cluster === undefined,
      ),
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
  const byCode = Map.groupBy(findings, ({ code }) => code);
  const gaps = new Map(notEvaluated.map(({ code, why }) => [code, why]));
  return evaluated.map((code): TestCase => {
    const { title, severity } = textsOf(code);
    const test = { name: `${code}: ${title}`, group: groupOf(severity, cluster) };
    const found = byCode.get(code);
    const why = gaps.get(code);
    if (found !== undefined) return { ...test, ...outcomeOf(found) };
    if (why === undefined) return test;
    return { ...test, outcome: { kind: 'skipped', message: `not evaluated: ${why}`, lines: [] } };
  });
}

/** `critical`, or of several clusters `east.critical`. */
function groupOf(group: string, cluster: string | undefined): string {
  return cluster === undefined ? group : `${cluster}.${group}`;
}

/** What is graver stands before what is less grave. */
function outcomeOf(findings: readonly Finding[]): Pick<TestCase, 'outcome' | 'output'> {
  const [{ title, remedy, particulars }] = findings as readonly [Finding];
  const lines = [
    ...findings
      .flatMap(({ objects }) => objects)
      .map((object) =>
        [displayObject(object), ...(object.detail === null ? [] : [object.detail])].join(': '),
      ),
    remedy,
    ...(particulars === null ? [] : [particulars]),
  ];
  if (findings.every(({ severity }) => severity === 'information')) return { output: lines };
  return { outcome: { kind: 'failure', message: sentenceOf(title), lines } };
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
