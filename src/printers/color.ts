// Which colour a tone has on a terminal.

import { Chalk } from 'chalk';
import type { Tone } from './printer.ts';

/** A text in the colour of its tone, or as it is. */
export type Paint = (text: string, tone: Tone | 'header' | undefined) => string;

export function paintOf(color: boolean): Paint {
  if (!color) return (text) => text;
  // The sixteen colours: a theme has made them readable on its own background, which 256 or true colour would not be.
  const chalk = new Chalk({ level: 1 });
  const styles = {
    critical: chalk.red.bold,
    warning: chalk.yellow,
    ok: chalk.green,
    information: chalk.cyan,
    // Faint, not bright black: that is the very background in some dark themes.
    dim: chalk.dim,
    plain: String,
    header: chalk.bold,
  } satisfies Record<Tone | 'header', (text: string) => string>;
  return (text, tone) => (tone === undefined || text === '' ? text : styles[tone](text));
}
