// What is said on stderr about a result: errors, warnings, the summary.

import type { ClusterFailure, Failure, ZtunnelRef } from '../model/types.ts';
import type { Report, Screen } from './printer.ts';
import { printable } from './terminal.ts';

/** `error: message. hint`; further lines of a hint (a ClusterRole to apply) are indented below it. */
export function renderError(message: string, hint: string): string {
  return note('error', [message, hint]);
}

/** One note per failure, naming the cluster, if there are several, and the ztunnel, its namespace and its node. */
export function renderFailures(failures: readonly (Failure | ClusterFailure)[]): string {
  return failures
    .map(({ severity, cluster, ztunnel, message, hint }) => {
      const who = [
        ...(cluster === undefined ? [] : [cluster]),
        ...(ztunnel ? [describeZtunnel(ztunnel)] : []),
      ];
      return note(severity, [[...who, message].join(': '), hint]);
    })
    .join('');
}

/** `warning: …` lines. */
export function renderWarnings(warnings: readonly string[]): string {
  return warnings.map((warning) => note('warning', [warning, ''])).join('');
}

/**
 * The line below a table, '' for none. It ends with the report's hint in parentheses if the rows do not fit on the
 * screen.
 */
export function renderSummary(report: Report, screen: Screen): string {
  const { summary, longHint, rowCount } = report;
  if (summary === undefined || rowCount === 0) {
    return '';
  }
  const isLong = screen.rows !== undefined && rowCount > screen.rows;
  const line = isLong && longHint ? `${summary} (${longHint})` : summary;
  return `${printable(line)}\n`;
}

/** The sentence for a result without rows, '' if there are rows or the report leaves it to its failures to say why. */
export function renderEmpty(report: Report): string {
  return report.rowCount === 0 && report.empty !== undefined ? `${printable(report.empty)}\n` : '';
}

/** `ztunnel ztunnel-4jt7m in namespace istio-system on node node-a`, or the dump file's name. */
function describeZtunnel({ namespace, name, node }: ZtunnelRef): string {
  const place = [
    namespace === null ? '' : ` in namespace ${namespace}`,
    node === null ? '' : ` on node ${node}`,
  ];
  // A dump file is named as the user named it, not as a ztunnel.
  return `${namespace === null ? '' : 'ztunnel '}${name}${place.join('')}`;
}

/** Only our own hints have several lines; a message from outside stays on one, so that it can't forge a note. */
function note(kind: 'error' | 'warning', [message, hint]: readonly [string, string]): string {
  const [next = '', ...more] = hint.split('\n').map(printable);
  const sentence = endSentence(printable(message));
  return `${[`${kind}: ${sentence}${next === '' ? '' : ` ${next}`}`, ...more.map((line) => `  ${line}`)].join('\n')}\n`;
}

function endSentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}
