// How a page becomes HTML: one file that loads nothing, runs nothing, and shows outside text as text.

import { asciiMeasure } from '../base/text.ts';
import { shortNodeNames } from './nodes.ts';

import type { Cell, Column, Table } from './printer.ts';
import type { Matrix, Page } from './shapes.ts';
import { printable } from './terminal.ts';
import { type NodeNames, renderTimeline } from './timeline.ts';

/** Piece by piece, each ending with a line break. */
export function* renderHtml(page: Page): Generator<string, void, undefined> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(page.title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.summary)}</p>
<p class="dim">As of <time>${escapeHtml(page.time)}</time></p>
<ul class="counts">
`;
  for (const { label, number, tone } of page.counts) {
    yield `<li class="${number === 0 ? 'none' : tone}"><b>${number}</b>${escapeHtml(label)}</li>\n`;
  }
  yield '</ul>\n';
  yield* renderNotes(page);
  const nodes = nameNodes(page);
  if (page.matrix !== undefined) yield* renderMatrix(page.matrix);
  yield* renderTable(page.table, nodes);
  yield* renderTimeline(page, nodes);
  yield '</body>\n</html>\n';
}

function* renderNotes({ notes }: Page): Generator<string, void, undefined> {
  if (notes.length === 0) return;
  yield '<section>\n<h2>What is not known</h2>\n<ul>\n';
  for (const { kind, text } of notes) {
    yield `<li class="${kind === 'error' ? 'critical' : 'warning'}">${kind}: ${escapeHtml(text)}</li>\n`;
  }
  yield '</ul>\n</section>\n';
}

function* renderMatrix({ title, corner, columns, rows }: Matrix): Generator<string, void, undefined> {
  if (rows.length === 0) return;
  const heads = [corner, ...columns].map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join('');
  yield `<section>\n<h2>${escapeHtml(title)}</h2>\n<div class="wide"><table class="matrix">\n<thead><tr>${heads}</tr></thead>\n<tbody>\n`;
  for (const { head, cells } of rows) {
    const shown = cells.map(({ text, tone = 'plain', title: said }) => {
      const more = said === '' ? '' : ` title="${escapeHtml(said)}"`;
      return `<td class="${tone} short"${more}>${escapeHtml(text)}</td>`;
    });
    yield `<tr><th scope="row">${escapeHtml(head)}</th>${shown.join('')}</tr>\n`;
  }
  yield '</tbody></table></div>\n</section>\n';
}

/** What may be long stands below its row, over its whole width. */
function* renderTable({ columns, rows }: Table, nodes: NodeNames): Generator<string, void, undefined> {
  if (rows.length === 0) return;
  const inRow = [...columns.entries()].filter(([, { fit }]) => fit !== 'detail');
  const detail = columns.findIndex(({ fit }) => fit === 'detail');
  const heads = inRow.map(([, { header }]) => `<th scope="col">${escapeHtml(header)}</th>`).join('');
  yield `<section>\n<h2>Table</h2>\n<div class="wide"><table>\n<thead><tr>${heads}</tr></thead>\n`;
  for (const row of rows) {
    const cells = inRow.map(([at, { fit }]) => renderCell(row[at] ?? { text: '' }, fit, nodes)).join('');
    const more = row[detail]?.text ?? '';
    const below =
      more === '' ? '' : `\n<tr><td class="detail" colspan="${inRow.length}">${escapeHtml(more)}</td></tr>`;
    yield `<tbody>\n<tr>${cells}</tr>${below}\n</tbody>\n`;
  }
  yield '</table></div>\n</section>\n';
}

/** Names may be broken, all else may not. */
function renderCell({ text, tone }: Cell, fit: Column['fit'], nodes: NodeNames): string {
  const classes = [tone === undefined || tone === 'plain' ? '' : tone, fit === 'middle' ? '' : 'short'];
  const given = classes.filter((name) => name !== '').join(' ');
  const shown = fit === 'node' ? nodes(text) : text;
  const whole = shown === text ? '' : ` title="${escapeHtml(text)}"`;
  return `<td${given === '' ? '' : ` class="${given}"`}${whole}>${escapeHtml(shown)}</td>`;
}

/** How a node is shown: without the suffix that all share. */
function nameNodes({ groups, table }: Page): NodeNames {
  const at = table.columns.findIndex(({ fit }) => fit === 'node');
  const inTable = at < 0 ? [] : [...table.rows].map((row) => row[at]?.text ?? '');
  const inLives = groups.flatMap(({ lives }) => lives.map(({ node }) => node));
  const short = shortNodeNames([...inTable, ...inLives], asciiMeasure);
  return (name) => short.get(name) ?? name;
}

/** The style sheet of `-o html`. It loads nothing. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#57606a;--line:#d0d7de;--track:#eef1f4;
--critical:#c0182c;--warning:#8a5a00;--information:#0a5fb4;--ok:#1a7f37;--now:#6b2fb3}
@media (prefers-color-scheme:dark){:root{--back:#14171c;--text:#e6e9ed;--dim:#9aa4af;--line:#39414b;--track:#232931;
--critical:#ff7b80;--warning:#e3b341;--information:#79b8ff;--ok:#56d364;--now:#d2a8ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:90rem;padding:1.5rem;background:var(--back);color:var(--text);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.25rem 0 .4rem}
h3 span,.dim{color:var(--dim);font-weight:normal}p{margin:.25rem 0}
.counts{display:flex;flex-wrap:wrap;gap:.75rem;padding:0;margin:1rem 0;list-style:none}
.counts li{border:1px solid var(--line);border-left:.35rem solid currentColor;border-radius:.3rem;padding:.35rem .9rem}
.counts b{font-size:1.4rem;margin-right:.4rem}.counts .none{color:var(--dim)}
.critical{color:var(--critical)}.warning{color:var(--warning)}.information{color:var(--information)}.ok{color:var(--ok)}
.critical b,td.critical{font-weight:600}
.lives{display:grid;grid-template-columns:fit-content(16rem) fit-content(14rem) minmax(10rem,1fr) max-content;
gap:.2rem .9rem;align-items:center}
.life,.scale{display:grid;grid-template-columns:subgrid;grid-column:1/-1;align-items:center;break-inside:avoid}
.life svg{display:block;width:100%;height:1.1rem;background:var(--track)}
.scale{color:var(--dim);font-size:.8rem}.scale div{grid-column:3;position:relative;height:1.3rem}
.scale span{position:absolute;white-space:nowrap}.scale .end{right:0}
.scale .now{transform:translateX(-50%);color:var(--now);font-weight:600}
.legend{color:var(--dim);font-size:.85rem}
.bar{fill:currentColor;opacity:.55}.half{stroke:var(--text);stroke-dasharray:3 2}.end{stroke:currentColor}
.now{stroke:var(--now)}line{vector-effect:non-scaling-stroke;stroke-width:2}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line)}
th{white-space:nowrap;font-size:.8rem;color:var(--dim)}tbody{break-inside:avoid}
td{overflow-wrap:break-word}td.short{white-space:nowrap}
tr:not(:last-child)>td{border-bottom:0}td.detail{padding:0 0 .5rem 1.5rem;color:var(--dim)}
.matrix{width:auto}.matrix td{text-align:center;border-bottom:1px solid var(--line)!important}
@media (max-width:45rem){.lives{grid-template-columns:1fr max-content}.life svg,.scale div{grid-column:1/-1}
.life{padding-bottom:.4rem}}
@media print{:root{color-scheme:light;--back:#fff;--text:#000;--dim:#444;--line:#bbb;--track:#f0f0f0;--critical:#b00020;
--warning:#7a4f00;--information:#0a4f96;--ok:#146b2e;--now:#5a1fa0}
body{padding:0;font-size:10pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}.wide{overflow:visible}
th,td{padding-right:.4rem}h2,h3{break-after:avoid}}
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text from outside as text, also within a quoted attribute; what would act on a reader is spelled out. */
export function escapeHtml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
