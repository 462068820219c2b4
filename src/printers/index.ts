// How each output format is printed.

import { inChunks, renderLines } from './chunks.ts';
import { renderJsonDumps, renderYamlDumps } from './dumps.ts';
import { eventPrinters } from './events.ts';
import { type Format, formats } from './formats.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit, renderPrometheus } from './monitors.ts';
import { renderJsonObjects, renderYamlObjects } from './objects.ts';
import type { Printer, Report, Screen, Views } from './printer.ts';
import { renderShort } from './short.ts';
import { renderSections, renderTable } from './table.ts';
import { renderYaml } from './yaml.ts';

/** By the name that `-o` takes. Give a printer only reports that have its view: which do is the command's table. */
export const printers = {
  table: { ...formats.table, render: (report, screen) => inChunks(table(report, screen, false)) },
  wide: { ...formats.wide, render: (report, screen) => inChunks(table(report, screen, true)) },
  short: { ...formats.short, render: (report, screen) => inChunks(short(report, screen)) },
  name: { ...formats.name, render: ({ views }) => inChunks(renderLines(views.name?.() ?? missing('name'))) },
  pem: { ...formats.pem, render: ({ views }) => inChunks(renderLines(views.pem?.() ?? missing('pem'))) },
  json: { ...formats.json, render: ({ views }) => inChunks(json(views)) },
  yaml: { ...formats.yaml, render: ({ views }) => inChunks(yaml(views)) },
  html: { ...formats.html, render: page },
  prometheus: {
    ...formats.prometheus,
    render: ({ views }) => inChunks(renderPrometheus(views.metrics?.() ?? missing('metrics'))),
  },
  junit: {
    ...formats.junit,
    render: ({ views }) => inChunks(renderJunit(views.tests?.() ?? missing('tests'))),
  },
} satisfies Record<Format, Printer>;

/** True for a report that goes on, and has a table, on a screen that can be drawn anew. */
export function isRedrawn({ views }: Report, format: Format, screen: Screen): boolean {
  return (
    views.events !== undefined && views.table !== undefined && screen.rows !== undefined && format !== 'json'
  );
}

/** The printer of a report: one that has events is printed as these, unless its table is drawn anew. */
export function printerOf(report: Report, format: Format, screen: Screen): Printer {
  const { views } = report;
  if (isRedrawn(report, format, screen)) return printers[format];
  if (views.events === undefined) return printers[format];
  if (!(format in eventPrinters)) throw new Error(`${format} can't print events: the command must refuse it`);
  return { view: 'events', render: eventPrinters[format as keyof typeof eventPrinters] };
}

function table({ views }: Report, screen: Screen, wide: boolean): AsyncIterable<string> {
  return renderSections(views.table?.({ wide }) ?? missing('table'), (each) =>
    renderTable(each, wide, screen),
  );
}

function short({ views }: Report, screen: Screen): AsyncIterable<string> {
  return renderSections(views.short?.() ?? missing('short'), (each) => renderShort(each, screen.headers));
}

function page({ views }: Report): AsyncIterable<string> {
  return inChunks(renderHtml(views.page?.() ?? missing('page')));
}

function json({ dumps, objects, document }: Partial<Views>): Iterable<string> | AsyncIterable<string> {
  if (dumps !== undefined) return renderJsonDumps(dumps({ parsed: false }));
  if (objects !== undefined) return renderJsonObjects(objects());
  return renderJson(document?.() ?? missing('document'));
}

function yaml({ dumps, objects, document }: Partial<Views>): Iterable<string> | AsyncIterable<string> {
  if (dumps !== undefined) return renderYamlDumps(dumps({ parsed: true }));
  if (objects !== undefined) return renderYamlObjects(objects());
  return renderYaml(document?.() ?? missing('document'));
}

function missing(view: keyof Views): never {
  throw new Error(`the report has no ${view} view: the command's formats promise what it does not make`);
}
