// What stands on stderr, word for word.

import { describe, expect, test } from '@jest/globals';
import type { Failure } from '../../src/model/types.ts';
import {
  renderEmpty,
  renderError,
  renderFailures,
  renderSummary,
  renderWarnings,
} from '../../src/printers/notes.ts';
import { PIPED, reportOf, terminal } from './reports.ts';

const REFUSED: Failure = {
  ztunnel: { namespace: 'istio-system', name: 'ztunnel-4jt7m', node: 'node-a' },
  severity: 'error',
  message: 'connection refused on port 15000',
  hint: 'Set --proxy-admin-port.',
};

describe('failures', () => {
  test('name the ztunnel, its namespace and its node, the cause and the next step, on one line', () => {
    expect(renderFailures([REFUSED])).toBe(
      'error: ztunnel ztunnel-4jt7m in namespace istio-system on node node-a: connection refused on port 15000. Set --proxy-admin-port.\n',
    );
  });

  test('are warnings where the result is not partial', () => {
    expect(renderFailures([{ ...REFUSED, severity: 'warning', hint: '' }])).toBe(
      'warning: ztunnel ztunnel-4jt7m in namespace istio-system on node node-a: connection refused on port 15000.\n',
    );
  });

  test('of a dump file name the file', () => {
    const ztunnel = { namespace: null, name: 'dump.json', node: null };
    expect(renderFailures([{ ...REFUSED, ztunnel, message: 'cut off.' }])).toBe(
      'error: dump.json: cut off. Set --proxy-admin-port.\n',
    );
  });

  test('cannot forge another line or act on the terminal', () => {
    const ztunnel = { namespace: 'a\n', name: '\x1b[2J', node: '\u202e' };
    expect(renderFailures([{ ...REFUSED, ztunnel, message: 'x\nerror: y', hint: '' }])).toBe(
      'error: ztunnel \\x1b[2J in namespace a\\n on node \\u202e: x\\nerror: y.\n',
    );
  });
});

describe('errors and warnings', () => {
  test('a hint of several lines is indented below', () => {
    expect(renderError('a: 403', 'Apply this:\nkind: ClusterRole\n\x07')).toBe(
      'error: a: 403. Apply this:\n  kind: ClusterRole\n  \\x07\n',
    );
  });

  test('no hint, no space', () => {
    expect(renderError('what?', '')).toBe('error: what?\n');
  });

  test('warnings stand one a line', () => {
    expect(renderWarnings(['a', 'b\n.'])).toBe('warning: a.\nwarning: b\\n.\n');
    expect(renderWarnings([])).toBe('');
  });
});

describe('summary', () => {
  const report = {
    ...reportOf({}),
    rowCount: 25,
    summary: '25 certificates.',
    longHint: '--problems shows 5',
  };

  test.each([
    [
      'says more when the rows outnumber the screen',
      report,
      terminal(80),
      '25 certificates. (--problems shows 5)\n',
    ],
    ['not when they fit', { ...report, rowCount: 24 }, terminal(80), '25 certificates.\n'],
    ['not when piped', report, PIPED, '25 certificates.\n'],
    ['not without anything to say', { ...report, longHint: undefined }, terminal(80), '25 certificates.\n'],
    ['is none without rows', { ...report, rowCount: 0 }, terminal(80), ''],
    ['is none if the report has none', { ...report, summary: undefined }, terminal(80), ''],
  ])('%s', (_, given, screen, expected) => {
    expect(renderSummary(given, screen)).toBe(expected);
  });

  test('the sentence for no rows stands only then', () => {
    expect(renderEmpty({ ...report, rowCount: 0, empty: 'No certificates in\x1b shop.' })).toBe(
      'No certificates in\\x1b shop.\n',
    );
    expect(renderEmpty(report)).toBe('');
  });
});
