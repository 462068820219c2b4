// How a screen is drawn over what it showed before.

import type { Screen } from './printer.ts';

const HOME = '\x1b[H';
const CLEAR = '\x1b[2J';
const ERASE_REST_OF_LINE = '\x1b[K';
const ERASE_BELOW = '\x1b[J';

/**
 * The text from the top of the screen, cut at its end; what it showed before is gone. `first`: what is there is
 * nothing of ours.
 */
export function renderFrame(text: string, { rows = 24 }: Screen, first: boolean): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.length < rows ? lines : [...lines.slice(0, Math.max(0, rows - 2)), '…'];
  const drawn = shown.map((line) => `${line}${ERASE_REST_OF_LINE}\n`).join('');
  return `${first ? CLEAR : ''}${HOME}${drawn}${ERASE_BELOW}`;
}
