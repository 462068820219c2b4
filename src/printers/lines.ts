// How lines from a command (names, PEM text) become output.

import { printable } from './terminal.ts';

/** Each line followed by a line break. A line break inside a line is spelled out: no name can forge a second one. */
export function* renderLines(lines: Iterable<string>): Generator<string, void, undefined> {
  for (const line of lines) {
    yield `${printable(line)}\n`;
  }
}
