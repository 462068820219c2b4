// How a page becomes HTML: one file that loads nothing, runs nothing, and shows text from outside as text.

import { asciiMeasure } from '../base/width.ts';
import { escapeHtml } from './escapehtml.ts';
import { shortNodeNames } from './nodes.ts';
import type { Matrix, Page } from './pages.ts';
import { PAGE_STYLE } from './pagestyle.ts';
import type { Cell, Column, Table } from './printer.ts';
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
