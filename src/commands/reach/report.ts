// What `reach SRC DST` reports: the steps of every way, its lines, its document and its last sentence.

import { routeDocument, summaryOfReach } from '../../model/documents/reach.ts';
import { formatSummary, type ReachSummary, summarizeRoutes } from '../../model/reach/fold.ts';
import { formatSocket } from '../../model/reach/inbound.ts';
import type { Route } from '../../model/reach/route.ts';
import type { Answer, Failure, Reference, Severity } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import { renderTable, sortItems } from '../reports/columns.ts';
import { documentOf } from '../reports/document.ts';
import { count } from '../reports/sentences.ts';
import { listSteps, nameEnd, nameSource, stepColumns } from './columns.ts';
import type { Options } from './command.ts';

/** What the answer rests on. */
export interface Heard {
  readonly answers: readonly Answer[];
  readonly failures: readonly Failure[];
  readonly asked: number;
  readonly reference: Reference;
  readonly warnings: readonly string[];
  readonly clusterRole: string | undefined;
}

const WORST = { refused: 'critical', unknown: 'warning', reached: 'ok' } as const satisfies Record<
  ReachSummary['outcome'],
  Severity
>;

/** What both kinds of reports have alike. */
export function commonParts(summary: ReachSummary, heard: Heard, problems: boolean) {
  const { failures, answers, warnings, clusterRole } = heard;
  const isEmpty = summary.total === 0;
  return {
    failures,
    warnings,
    clusterRole,
    worst: isEmpty && answers.length === 0 ? undefined : WORST[summary.outcome],
    partial: answers.length === 0,
    empty:
      answers.length === 0
        ? 'no ztunnel answered'
        : isEmpty
          ? 'there is nothing to ask about'
          : problems
            ? `No problems: ${summary.reached} of ${count(summary.total, 'way')} can be reached.`
            : undefined,
  };
}

export function routesReport(
  routes: readonly Route[],
  heard: Heard,
  { problems, sortBy }: Pick<Options, 'problems' | 'sortBy'>,
): Report {
  const summary = summarizeRoutes(routes);
  const shown = problems ? routes.filter(({ outcome }) => outcome !== 'reached') : routes;
  const rows = listSteps(routes).filter(
    ({ result }) => !problems || result === 'refused' || result === 'unknown',
  );
  const columns = stepColumns(rows);
  const sorted = sortItems(columns, rows, sortBy);
  return {
    ...commonParts(summary, heard, problems),
    views: {
      table: ({ wide }) => renderTable(columns, sorted, wide),
      short: () => ({
        header: ['SOURCE', 'ADDRESS', 'DESTINATION', 'RESULT', 'STEP'],
        rows: shown.map((route) => [
          nameSource(route.source),
          route.target === undefined ? '-' : formatSocket(route.target.address.text, route.target.port),
          nameEnd(route),
          route.outcome,
          route.decisive?.step ?? '-',
        ]),
        padding: 1,
      }),
      document: () =>
        documentOf({
          kind: 'ReachRouteList',
          reference: heard.reference,
          items: shown.values().map(routeDocument),
          summary: summaryOfReach(summary, heard),
          failures: heard.failures,
        }),
    },
    rowCount: rows.length,
    summary: `${formatSummary(summary)}.`,
  };
}
