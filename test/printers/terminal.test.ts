// That no text from outside acts on a terminal, and that none is lost.

import { describe, expect, test } from '@jest/globals';
import { escapeActing, printable } from '../../src/printers/terminal.ts';
import { ACTING } from './reports.ts';

/** Every UTF-16 code unit alone between two letters, lone surrogates included. */
const EVERY_UNIT = Array.from({ length: 0x10000 }, (_, unit) => `a${String.fromCharCode(unit)}z`);

describe('printable', () => {
  test.each([
    ['plain', 'shop/cart', 'shop/cart'],
    ['other scripts', '商店 café שלום 👩‍💻', '商店 café שלום 👩‍💻'],
    ['line breaks and tabs', 'a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['colour', '\x1b[31mred', '\\x1b[31mred'],
    ['window title', '\x1b]0;x\x07', '\\x1b]0;x\\x07'],
    ['C1 introducer', '\x9b2J', '\\x9b2J'],
    ['NUL, backspace, DEL', '\0\b\x7f', '\\x00\\x08\\x7f'],
    ['bidirectional override', 'a\u202eb\u2066c\u061c', 'a\\u202eb\\u2066c\\u061c'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['byte order mark', '\ufeffa', '\\ufeffa'],
    ['lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['surrogate pairs', '\ud83d\ude00', '\ud83d\ude00'],
  ])('%s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test('leaves no character that acts, and changes no other', () => {
    const wrong = EVERY_UNIT.filter((text) => {
      const safe = printable(text);
      const isStranger = ACTING.test(text) || !text.isWellFormed() || /[\ufff9-\ufffb]/.test(text);
      return ACTING.test(safe) || !safe.isWellFormed() || (safe !== text) !== isStranger;
    });
    expect(wrong).toEqual([]);
  });
});

describe('escapeActing', () => {
  test('leaves no character that acts, and keeps every value', () => {
    const wrong = EVERY_UNIT.filter((text) => {
      const json = escapeActing(JSON.stringify(text));
      return ACTING.test(json) || JSON.parse(json) !== text;
    });
    expect(wrong).toEqual([]);
  });
});
