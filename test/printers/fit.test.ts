// How node names, widths and sentences are made to fit, rule by rule.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { shortenAll, wrapWords } from '../../src/base/text.ts';
import { measureAny } from '../../src/printers/measure.ts';
import { hostNames, shortNodeNames } from '../../src/printers/nodes.ts';
import { fitWidths } from '../../src/printers/row.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', '商', 'e\u0301', '👩‍💻'), maxLength: 60 });

describe('node names', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['the suffix that all share', ['a.eu.internal', 'b.eu.internal'], ['a', 'b']],
    ['only whole labels of it', ['a.x-eu.internal', 'b.y-eu.internal'], ['a.x-eu', 'b.y-eu']],
    ['not if one has none', ['a.eu.internal', 'b'], ['a.eu.internal', 'b']],
    ['never the first label', ['x.internal', 'a.x.internal'], ['x', 'a.x']],
    ['nor that of a later one', ['a.x.internal', 'x.internal'], ['a.x', 'x']],
    ['a single node too', ['a.eu.internal'], ['a']],
    ['what is no name does not count', ['a.eu.internal', '-', 'b.eu.internal', '', '?'], ['a', 'b']],
    ['not of IP addresses', ['10.0.1.7', '10.1.1.7'], ['10.0.1.7', '10.1.1.7']],
    ['nor of a single one', ['10.0.1.7'], ['10.0.1.7']],
    ['nor behind a trailing dot', ['a.', 'b.'], ['a.', 'b.']],
  ])('lose %s', (_, names, shown) => {
    const short = shortNodeNames(names, stringWidth);
    expect(names.filter((name) => short.has(name)).map((name) => short.get(name))).toEqual(shown);
  });

  test('over 40 columns are shortened in the middle, and 40 are not', () => {
    const forty = `a${'b'.repeat(38)}c`;
    const short = shortNodeNames([forty, `a${'b'.repeat(39)}c`], stringWidth);
    expect([...short.values()]).toEqual([forty, `a${'b'.repeat(19)}…${'b'.repeat(18)}c`]);
  });

  test('differing only where the middle is are cut elsewhere, or not at all', () => {
    const pool = (name: string) => `aks-${name}-12345678-vmss000000`.padEnd(50, '0');
    expect(new Set(shortNodeNames([pool('one'), pool('two')], stringWidth).values()).size).toBe(2);
    const everywhere = Array.from({ length: 50 }, (_, at) => `${'a'.repeat(at)}b${'a'.repeat(49 - at)}`);
    expect([...shortNodeNames(everywhere, stringWidth).values()]).toEqual(everywhere);
  });

  test('stay different, whatever they are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 6 }), (names) => {
        const short = shortNodeNames(names, stringWidth);
        expect(new Set(short.values()).size).toBe(short.size);
        for (const [name, form] of short) {
          expect(form === '').toBe(name === '');
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('node names without their domains', () => {
  test.each<[string, readonly string[], readonly string[] | undefined]>([
    ['of two clusters', ['ip-1.eu-1.aws', 'ip-2.eu-2.aws', '-'], ['ip-1', 'ip-2', '-']],
    ['never where two would become one', ['a.east', 'a.west'], undefined],
    ['not of IP addresses', ['10.0.1.7', '10.1.1.7'], ['10.0.1.7', '10.1.1.7']],
    ['nor of a name without a first label', ['.a', 'b.c'], ['.a', 'b']],
  ])('%s', (_, names, expected) => {
    const hosts = hostNames(names);
    expect(hosts && [...hosts.values()]).toEqual(expected);
  });
});

describe('shortening', () => {
  test('happens where different texts stay different', () => {
    const pools = ['aks-nodepool1-12345678-vmss000000', 'aks-nodepool2-12345678-vmss000000'];
    expect([...shortenAll(pools, 16, stringWidth).values()]).toEqual([
      'aks-nodepool1…00',
      'aks-nodepool2…00',
    ]);
  });

  test('never makes a text wider than the room, nor breaks a character', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const short = shortenAll([text], width, stringWidth).get(text) ?? '';
        expect(stringWidth(short)).toBeLessThanOrEqual(width);
        expect(stringWidth(text) <= width ? short === text : short.includes('…')).toBe(true);
        expect(short).not.toMatch(/^\u0301|…\u0301|\u200d$|\u200d…/);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});

describe('widths', () => {
  const columns = [
    { header: 'STATUS' },
    { header: 'IDENTITY', fit: 'middle' },
    { header: 'NODE', fit: 'node' },
    { header: 'EXPIRES' },
  ] as const;

  test.each<[string, readonly number[], number, readonly number[]]>([
    ['enough room: as they are', [11, 30, 20, 9], 70, [11, 30, 20, 9]],
    ['the widest gives way first', [11, 30, 20, 9], 65, [11, 25, 20, 9]],
    ['then both, to the same width', [11, 30, 20, 9], 50, [11, 15, 15, 9]],
    ['not below what says something', [11, 30, 20, 9], 20, [11, 10, 10, 9]],
    ['a short one is left as it is', [11, 50, 6, 9], 46, [11, 20, 6, 9]],
    ['columns without fit never', [40, 30, 20, 40], 90, [40, 10, 10, 40]],
  ])('%s', (_, natural, room, expected) => {
    expect(fitWidths(columns, natural, room)).toEqual(expected);
  });

  test.each<[string, number, readonly number[]]>([
    ['takes what is left', 68, [60, 8]],
    ['down to its header', 65, [60, 5]],
    ['and no less', 64, [60, 10]],
  ])('the last one %s', (_, room, expected) => {
    expect(fitWidths([{ header: 'POD' }, { header: 'OWNER', fit: 'middle' }], [60, 30], room)).toEqual(
      expected,
    );
  });

  test('not below the header', () => {
    expect(fitWidths([{ header: 'TRUST DOMAINS', fit: 'middle' }], [30], 5)).toEqual([13]);
  });
});

describe('wrapping', () => {
  test.each<[string, string, number, readonly string[]]>([
    ['between words', 'one two three', 8, ['one two', 'three']],
    ['words that just fit', 'one two', 7, ['one two']],
    ['a long word where the line ends', 'a abcdefgh b', 3, ['a', 'abc', 'def', 'gh', 'b']],
    ['runs of spaces', '  a   b ', 9, ['a b']],
    ['nothing', '', 9, []],
    ['wide characters by their width', '签发失败', 5, ['签发', '失败']],
    ['narrower than a character', '签发', 1, ['签', '发']],
  ])('%s', (_, text, width, lines) => {
    expect(wrapWords(text, width, stringWidth)).toEqual(lines);
  });

  test('loses nothing and fits', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 10 }), fc.integer({ min: 2, max: 50 }), (words, width) => {
        const lines = wrapWords(words.join(' '), width, stringWidth);
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
        expect(Math.max(0, ...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('measuring', () => {
  test('agrees with string-width whether its tables were needed or not', () => {
    expect(measureAny('abc')).toBe(3);
    expect(['abc', '商店', 'e\u0301', '👩‍💻'].map(measureAny)).toEqual([3, 4, 1, 2]);
  });
});
