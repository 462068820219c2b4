// Which output formats there are. A new one is one line here.

import { inChunks } from './chunks.ts';
import { renderJson } from './json.ts';
import { renderLines } from './lines.ts';
import type { Printer, Report, Screen, Views } from './printer.ts';
import { renderShort } from './short.ts';
import { renderTable } from './table.ts';
import { renderYaml } from './yaml.ts';

/** By the name that `-o` takes. Give a printer only reports that have its view: which do is the command's table. */
export const printers = {
  table: { view: 'table', render: (report, screen) => inChunks(table(report, screen, false)) },
  wide: { view: 'table', render: (report, screen) => inChunks(table(report, screen, true)) },
  short: { view: 'short', render: (report, screen) => inChunks(short(report, screen)) },
  name: { view: 'name', render: ({ views }) => inChunks(renderLines(views.name?.() ?? missing('name'))) },
  pem: { view: 'pem', render: ({ views }) => inChunks(renderLines(views.pem?.() ?? missing('pem'))) },
  json: {
    view: 'document',
    render: ({ views }) => inChunks(renderJson(views.document?.() ?? missing('document'))),
  },
  yaml: {
    view: 'document',
    render: ({ views }) => inChunks(renderYaml(views.document?.() ?? missing('document'))),
  },
} satisfies Record<string, Printer>;

export type Format = keyof typeof printers;

function table({ views }: Report, screen: Screen, wide: boolean): AsyncIterable<string> {
  return renderTable(views.table?.({ wide }) ?? missing('table'), wide, screen);
}

function short({ views }: Report, screen: Screen): Iterable<string> {
  return renderShort(views.short?.() ?? missing('short'), screen.headers);
}

function missing(view: keyof Views): never {
  throw new Error(`the report has no ${view} view: the command's formats promise what it does not make`);
}
