// That JSON and YAML say the same, exactly what the document holds, in pieces and in order.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { load } from 'js-yaml';
import type { JsonObject } from '../../src/base/json.ts';
import { printers } from '../../src/printers/index.ts';
import type { Printer } from '../../src/printers/printer.ts';
import type { Document } from '../../src/printers/shapes.ts';
import { ACTING, documentOf, PIPED, print, reportOf } from './reports.ts';

const { rawJSON } = JSON as unknown as { rawJSON(text: string): never };

/** A document around any members, in the order that it has in a file. */
function documentWith(items: readonly JsonObject[], summary: JsonObject, failures: readonly JsonObject[]) {
  return { apiVersion: 'ztunnel.kubectl/v1', kind: 'X', reference: {}, items, summary, failures } as const;
}

const object = fc
  .dictionary(fc.string({ unit: 'binary', maxLength: 8 }), fc.jsonValue({ stringUnit: 'binary' }), {
    maxKeys: 5,
  })
  .map((each) => each as JsonObject);
const anyDocument: fc.Arbitrary<Document> = fc
  .tuple(fc.array(object, { maxLength: 3 }), object, fc.array(object, { maxLength: 2 }))
  .map(([items, summary, failures]) => documentWith(items, summary, failures));

describe('json', () => {
  test('is what JSON.stringify writes with four spaces, escapes for terminals apart', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const text = await print('json', { document: () => document });
        const plain = `${JSON.stringify(document, null, 4)}\n`;
        expect(JSON.parse(text)).toEqual(JSON.parse(plain));
        expect(text.replaceAll(/\n */g, '')).not.toMatch(ACTING);
        if (!ACTING.test(plain.replaceAll('\n', ''))) {
          expect(text).toBe(plain);
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test('is identical for what has nothing to escape', async () => {
    const items = [{ a: [], b: {}, c: [{}, [1, 'é']], d: undefined, e: null }, {}, { '"': '\n' }];
    const document = documentWith(items, { n: -1.5e30 }, [{ message: 'x' }]);
    expect(await print('json', { document: () => document })).toBe(`${JSON.stringify(document, null, 4)}\n`);
  });

  test('keeps the digits of lossless numbers', async () => {
    const text = await print(
      'json',
      documentOf([{ n: rawJSON('12345678901234567890'), d: rawJSON('1.10') }]),
    );
    expect(text).toContain('"n": 12345678901234567890,');
    expect(text).toContain('"d": 1.10\n');
  });

  test('an item is made only when those before it are written', async () => {
    let made = 0;
    const items = Iterator.from([1, 2, 3]).map((n) => {
      made = n;
      return { text: 'x'.repeat(70_000) };
    });
    const json: Printer = printers.json;
    const chunks = json.render(reportOf(documentOf(items)), PIPED);
    await chunks[Symbol.asyncIterator]().next();
    expect(made).toBe(1);
  });
});

describe('yaml', () => {
  test('reads back as what the JSON says', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const text = await print('yaml', { document: () => document });
        expect(load(text)).toEqual(JSON.parse(JSON.stringify(document)));
        expect(text.replaceAll('\n', '')).not.toMatch(ACTING);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  /** Words, numbers, dates and marks that one YAML version or another reads as something else. */
  const tricky = [
    ...['', ' ', '~', 'null', 'Null', 'true', 'yes', 'No', 'on', 'OFF', 'y', 'n', '.inf', '.nan', '=', '<<'],
    ...[
      '0',
      '012',
      '0o14',
      '0x1f',
      '1e3',
      '1_000',
      '-1',
      '+1',
      '1:30',
      '12:30:45',
      '2026-11-29',
      '1.24',
      '10.0.0.1',
    ],
    ...[
      '- a',
      '? a',
      'a: b',
      'a:',
      'a #b',
      '#a',
      '&a',
      '*a',
      '!a',
      '%a',
      '@a',
      '`a',
      '|',
      '>',
      '{a}',
      '[a]',
      "'",
      '"',
    ],
    ...[
      'a\n',
      'a\nb',
      'a\nb\n',
      'a\n\nb\n',
      ' a\nb\n',
      'a \nb',
      '\n',
      '\na',
      'a\n\n',
      'a\tb\n',
      '---\na\n',
      'a\r\nb',
    ],
    ...[
      'spiffe://cluster.local/ns/shop/sa/cart',
      'istio-system/ztunnel-4jt7m',
      'O=cluster.local',
      'x'.repeat(3000),
    ],
  ];

  test.each(tricky)('%j stays a string, as a value, in a list and as a key', async (text) => {
    const item = { value: text, list: [text, [text]], [`${text}`]: 1 };
    const yaml = await print('yaml', documentOf([item]));
    expect(load(yaml)).toMatchObject({ items: [item] });
  });

  test.each(['yes', 'n', 'null', '1.24', '2026-11-29T22:03:42Z', '10.0.0.1', '~'])(
    '%j is quoted, for readers of YAML 1.1 as well',
    async (text) => {
      expect(await print('yaml', documentOf([{ text }]))).toContain(`- text: "${text}"\n`);
    },
  );

  test('a member that is undefined is not there, as in JSON', async () => {
    const yaml = await print('yaml', documentOf([{ a: undefined, b: { c: undefined }, d: 1 }]));
    expect(yaml).toContain('items:\n- b: {}\n  d: 1\nsummary:');
  });

  test('identities stay without quotes', async () => {
    const yaml = await print('yaml', documentOf([{ identity: 'spiffe://cluster.local/ns/shop/sa/cart' }]));
    expect(yaml).toContain('- identity: spiffe://cluster.local/ns/shop/sa/cart\n');
  });

  test('keeps the digits of lossless numbers', async () => {
    const numbers = ['12345678901234567890', '1.10', '-0', '1E400'];
    const yaml = await print('yaml', documentOf([{ numbers: numbers.map((digits) => rawJSON(digits)) }]));
    expect(yaml).toContain('- numbers:\n  - 12345678901234567890\n  - 1.10\n  - -0\n  - 1E400\n');
  });

  test('long texts are not folded, and do not overflow the stack', async () => {
    const texts = [
      'x'.repeat(3_000_000),
      'word '.repeat(500_000),
      'a:b'.repeat(2_000_000),
      '日本'.repeat(1_000_000),
      'line\n'.repeat(500_000),
    ];
    const yaml = await print('yaml', documentOf([{ texts }]));
    expect(yaml.split('\n').some((line) => line.length > 2_000_000)).toBe(true);
    expect((load(yaml) as { items: [{ texts: unknown }] }).items[0].texts).toEqual(texts);
  });

  test('__proto__ is a key like others', async () => {
    const item = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const yaml = await print('yaml', documentOf([item]));
    expect(yaml).toContain('- __proto__:\n    polluted: true\n  constructor: 1\n');
    expect(await print('json', documentOf([item]))).toContain('"__proto__": {');
  });
});
