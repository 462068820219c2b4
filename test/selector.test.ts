// Tests of which labels a selector matches, by kubectl's grammar.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UsageError } from '../src/base/errors.ts';
import { matchesSelector, parseSelector } from '../src/base/selector.ts';

const LABELS = { app: 'web', tier: 'front', rank: '7', empty: '', 'istio.io/rev': 'stable', in: 'x' };

describe('a selector matches', () => {
  test.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    [' app = web ', true],
    ['app=shop', false],
    ['app!=web', false],
    ['app!=shop', true],
    ['absent!=web', true],
    ['app', true],
    ['absent', false],
    ['!absent', true],
    ['!app', false],
    ['app in (shop, web)', true],
    ['app in (shop)', false],
    ['absent in (web)', false],
    ['app notin (shop)', true],
    ['app notin (shop,web)', false],
    ['absent notin (web)', true],
    ['app=web,tier=front', true],
    ['app=web,tier=back', false],
    ['app in (web),!absent,tier!=back', true],
    ['istio.io/rev=stable', true],
    ['empty=', true],
    ['empty=,app=web', true],
    ['app=', false],
    ['empty in (a,)', true],
    ['app in (a,)', false],
    ['in in (x)', true],
    ['in', true],
    ['rank>6', true],
    ['rank>7', false],
    ['rank<10', true],
    ['rank<7', false],
    ['app>6', false],
    ['toString', false],
  ])('%s: %s', (text, expected) => {
    expect(matchesSelector(parseSelector(text), LABELS)).toBe(expected);
  });

  test('nothing but absence where a pod has no labels', () => {
    expect(matchesSelector(parseSelector('app'), undefined)).toBe(false);
    expect(matchesSelector(parseSelector('!app,tier!=x'), undefined)).toBe(true);
  });
});

describe('a selector that kubectl refuses is a usage error that quotes it', () => {
  test.each([
    'app=web,',
    ',app',
    'app=web tier=front',
    'app in web',
    'app in ()',
    'app in (a',
    'app in (a b)',
    'app in',
    '!',
    '!app=web',
    '=web',
    'app=web=x',
    'app ~ web',
    'a/b/c=d',
    '-app=web',
    'app=we b',
    'app=-web',
    'app>x',
    `${'a'.repeat(64)}=b`,
    `a=${'b'.repeat(64)}`,
    'UPPER.example/x=y',
    'app constructor (web)',
    '!__proto__',
  ])('%s', (text) => {
    expect(() => parseSelector(text)).toThrow(UsageError);
    expect(() => parseSelector(text)).toThrow(`"${text}"`);
  });
});

describe('for any text and labels', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);

  test('reading ends with a selector or a usage error', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a1=!,()<> in/.-') });
    fc.assert(
      fc.property(text, (any) => {
        try {
          parseSelector(any);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(UsageError);
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  test('an operator and its negation never agree', () => {
    fc.assert(
      fc.property(fc.dictionary(word, word), word, word, (labels, key, value) => {
        const holds = (text: string) => matchesSelector(parseSelector(text), labels);
        expect(holds(`${key}=${value}`)).toBe(!holds(`${key}!=${value}`));
        expect(holds(`${key} in (${value},x)`)).toBe(!holds(`${key} notin (${value},x)`));
        expect(holds(key)).toBe(!holds(`!${key}`));
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
