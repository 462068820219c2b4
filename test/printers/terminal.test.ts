// That no text from outside acts on a terminal, and that none is lost.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapeActing, printable } from '../../src/printers/terminal.ts';
import { ACTING } from './reports.ts';

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

  test('leaves nothing that acts, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(0xffff), (text, unit) => {
        const safe = printable(text + String.fromCharCode(unit));
        expect(safe).not.toMatch(ACTING);
        expect(safe.isWellFormed()).toBe(true);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });
});

describe('escapeActing', () => {
  test('keeps the value and leaves nothing that acts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(0xffff), (text, unit) => {
        const value = text + String.fromCharCode(unit);
        const json = escapeActing(JSON.stringify(value));
        expect(json).not.toMatch(ACTING);
        expect(JSON.parse(json)).toBe(value);
      }),
      { seed: 2, numRuns: 1000 },
    );
  });
});
