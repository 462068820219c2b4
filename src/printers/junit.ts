// How a test suite becomes JUnit's XML, as CI systems read it.

import type { TestCase, TestSuite } from './monitors.ts';
import { printable } from './terminal.ts';

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
