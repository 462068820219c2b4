// How istioctl lays out a table: the way of Go's text/tabwriter.

import { isAscii } from '../base/text.ts';
import type { ShortTable } from './printer.ts';
import { printable } from './terminal.ts';

/**
 * Lines as istioctl prints them: every column but the last as wide as its widest cell plus the padding, no padding
 * after a line's last cell, widths in code points (tabwriter counts runes: wide characters do not count double).
 * All rows have as many cells as the header, which is printed without any row too, as istioctl does.
 */
export function* renderShort(table: ShortTable, headers: boolean): Generator<string, void, undefined> {
  const lines = headers && table.header.length > 0 ? [table.header] : [];
  for (const row of table.rows) {
    lines.push(row.every(isAscii) ? row : row.map(printable));
  }
  const widths = columnWidths(lines, table.padding);
  for (const cells of lines) {
    let line = '';
    for (let at = 0; at < cells.length - 1; at += 1) line += pad(cells[at]!, widths[at]!);
    yield `${line}${cells.at(-1) ?? ''}\n`;
  }
}

function columnWidths(lines: readonly (readonly string[])[], padding: number): readonly number[] {
  const widths: number[] = [];
  for (const cells of lines) {
    for (let at = 0; at < cells.length; at += 1) {
      widths[at] = Math.max(widths[at] ?? 0, codePoints(cells[at]!) + padding);
    }
  }
  return widths;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(width - codePoints(text));
}

function codePoints(text: string): number {
  if (isAscii(text)) return text.length;
  let surrogatePairs = 0;
  for (let at = 0; at < text.length; at++) {
    // printable() has left no lone surrogate, so each low one ends a pair.
    surrogatePairs += (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? 1 : 0;
  }
  return text.length - surrogatePairs;
}
