// How metrics become Prometheus' text exposition format, and a test suite JUnit's XML.

import type { Metric, Sample, TestCase, TestSuite } from './shapes.ts';
import { printable } from './terminal.ts';

/**
 * HELP and TYPE once for each metric, then its samples; no timestamps, which the textfile collector refuses. A second
 * sample with the same labels would make the whole file invalid, so that the first counts.
 */
export function* renderPrometheus(metrics: Iterable<Metric>): Generator<string, void, undefined> {
  for (const { name, help, type, samples } of metrics) {
    yield `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    const seen = new Set<string>();
    for (const sample of samples) {
      const labels = renderLabels(sample);
      if (seen.has(labels)) continue;
      seen.add(labels);
      yield `${name}${labels} ${sample.value}\n`;
    }
  }
}

function renderLabels({ labels }: Sample): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** What would act on a terminal is spelled out first, so that a line break can't come from outside. */
function escapeValue(text: string): string {
  return printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return printable(text).replaceAll('\\', '\\\\');
}

/** One `testsuite`, its counts first, then one `testcase` each. */
export function* renderJunit({ name, time, cases }: TestSuite): Generator<string, void, undefined> {
  const count = (kind: string) => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  const counts = {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
  const attributes = renderAttributes({ name, ...counts, timestamp: time });
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite${attributes}>\n`;
  for (const each of cases) yield renderCase(each);
  yield '  </testsuite>\n</testsuites>\n';
}

function renderCase({ name, group, outcome, output }: TestCase): string {
  const attributes = renderAttributes({ classname: group, name });
  const inner = [
    ...(outcome === undefined
      ? []
      : [renderElement(outcome.kind, renderAttributes({ message: outcome.message }), outcome.lines)]),
    ...(output === undefined ? [] : [renderElement('system-out', '', output)]),
  ];
  if (inner.length === 0) return `    <testcase${attributes}/>\n`;
  return `    <testcase${attributes}>\n${inner.join('')}    </testcase>\n`;
}

function renderElement(tag: string, attributes: string, lines: readonly string[]): string {
  if (lines.length === 0) return `      <${tag}${attributes}/>\n`;
  return `      <${tag}${attributes}>${lines.map(escapeText).join('\n')}</${tag}>\n`;
}

function renderAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeText(String(value)).replaceAll('"', '&quot;')}"`)
    .join('');
}

// Two code points that XML 1.0 has no place for, even escaped; the others are spelled out by `printable`.
const NO_XML = /[\ufffe\uffff]/g;

function escapeText(text: string): string {
  return printable(text)
    .replaceAll(NO_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
