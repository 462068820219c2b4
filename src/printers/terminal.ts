// What a terminal does with text: characters that act, and a screen drawn over the last one.

import { isAscii } from '../base/text.ts';
import type { Screen } from './printer.ts';

/**
 * Controls (C0, DEL, C1), bidirectional controls, line and paragraph separators, lone surrogates, the byte order
 * mark and interlinear annotations. None is legal in a Kubernetes name; all of them can make a terminal lie.
 */
const ACTING = String.raw`[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}\ufeff\ufff9-\ufffb]`;
let acting: RegExp | undefined;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from outside as one line that leaves a terminal alone: what would act is spelled out (`\n`, `\x1b`,
 * `\u202e`). A lone surrogate becomes U+FFFD, which is what an encoder would make of it.
 */
export function printable(text: string): string {
  // Nearly all texts are plain, which is told three times as fast as that nothing in them acts.
  if (isAscii(text)) return text;
  // Made only then: Unicode's tables take a millisecond to look up.
  acting ??= new RegExp(ACTING, 'gu');
  return text.replace(acting, spell);
}

function spell(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) {
    return '\ufffd';
  }
  const hex = code.toString(16);
  return NAMED[character] ?? (code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}

/** The same set without what JSON.stringify escapes by itself, and without the line breaks that it writes. */
const ACTING_IN_JSON = String.raw`[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff\ufff9-\ufffb]`;
let actingInJson: RegExp | undefined;

/** JSON text in which every character that would act on a terminal is written as `\uXXXX`: the same value. */
export function escapeActing(json: string): string {
  actingInJson ??= new RegExp(ACTING_IN_JSON, 'gu');
  return json.replace(
    actingInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * JSON text from outside without raw controls. JSON has none but white space: what would act on a terminal is written
 * as an escape, and a carriage return, which would hide the line before it, as a line feed.
 */
export function escapeControls(json: string): string {
  return json
    .replaceAll('\r', '\n')
    .replace(
      /[\x00-\x08\x0b-\x1f]/g,
      (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

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
