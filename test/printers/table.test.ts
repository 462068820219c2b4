// What holds of every table, whatever is in it and however narrow the screen.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { printers } from '../../src/printers/index.ts';
import type { Table } from '../../src/printers/printer.ts';
import { ACTING, certificates, PIPED, printTable, terminal } from './reports.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.constantFrom('-', '', 'OK', 'ip-10-0-1-23.eu-west-1.compute.internal', 'Deployment/web'),
);
const anyTable: fc.Arbitrary<Table> = fc
  .array(fc.array(text, { minLength: 6, maxLength: 6 }), { maxLength: 5 })
  .map(certificates);

/** Lines of the output, which must end with a line break. */
function linesOf(output: string): readonly string[] {
  expect(output === '' || output.endsWith('\n')).toBe(true);
  return output.split('\n').slice(0, -1);
}

describe('any table', () => {
  test('stays within the screen, without anything that acts on it and without spaces at line ends', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.integer({ min: 40, max: 200 }), async (table, columns) => {
        for (const line of linesOf(await printTable(table, terminal(columns)))) {
          expect(stringWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(ACTING);
          expect(line).toBe(line.trimEnd());
        }
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test('is the same with colour, colours apart', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.integer({ min: 40, max: 200 }), async (table, columns) => {
        const colored = await printTable(table, { ...terminal(columns), color: true });
        const colors = new RegExp(`${String.fromCharCode(0x1b)}\\[\\d+m`, 'g');
        expect(colored.replaceAll(colors, '')).toBe(await printTable(table, terminal(columns)));
      }),
      { seed: 9, numRuns: 100 },
    );
  });

  test('is one line per row when piped', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        const lines = linesOf(await printTable(table, PIPED));
        expect(lines).toHaveLength(table.rows.length === 0 ? 0 : table.rows.length + 1);
        expect(lines.join('')).not.toMatch(ACTING);
      }),
      { seed: 10, numRuns: 200 },
    );
  });
});

describe('a table', () => {
  const longReason = ['OK', 'shop/cart', 'node-a', 'in 1h', 'Deployment/cart', `because ${'x'.repeat(300)}`];

  test.each([1, 2, 5, 10, 19, 20, 39])('ends on a screen of %d columns', async (columns) => {
    const lines = linesOf(await printTable(certificates([longReason]), terminal(columns)));
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
  });

  test('without rows is nothing, header included', async () => {
    expect(await printTable(certificates([]), terminal(80))).toBe('');
    expect(await printTable(certificates([]), PIPED)).toBe('');
  });

  test('lacks a detail column that no row fills', async () => {
    const table = certificates([['OK', 'shop/cart', 'node-a', 'in 1h', 'Deployment/cart', '']]);
    expect(await printTable(table, PIPED)).not.toContain('REASON');
    expect(await printTable(certificates([longReason]), PIPED)).toContain('REASON');
  });

  test('has no spaces at line ends, even of cells that have', async () => {
    const rows = [
      ['OK', 'shop/cart', 'node-a', 'in 1h', 'Deployment/cart  ', ''],
      ['OK', 'shop/cart', 'node-a', '  ', ' ', ''],
    ];
    const [, first, second] = linesOf(await printTable(certificates(rows), PIPED));
    expect([first, second]).toEqual([
      'OK      shop/cart  node-a  in 1h    Deployment/cart',
      'OK      shop/cart  node-a',
    ]);
  });

  test('has its wide columns only with wide', async () => {
    const table = certificates([longReason]);
    expect(await printTable(table, PIPED)).not.toContain('SERIAL');
    expect(await printTable(table, PIPED, 'wide')).toContain('SERIAL');
  });

  test('shortens nothing when piped', async () => {
    const row = [
      'OK',
      'i'.repeat(200),
      `${'n'.repeat(60)}.eu.internal`,
      'in 1h',
      'o'.repeat(200),
      'r'.repeat(500),
    ];
    const [, line] = linesOf(await printTable(certificates([row]), PIPED));
    expect(line?.split(/ {2,}/)).toEqual(row);
  });

  test('keeps what distinguishes nodes when they must be short', async () => {
    const pools = ['1', '2'].map((pool) => `aks-nodepool${pool}-12345678-vmss000000`);
    const rows = pools.map((node) => [
      'RENEWAL-OVERDUE',
      'p'.repeat(40),
      node,
      'in 23h52m',
      'o'.repeat(40),
      '',
    ]);
    const [, first, second] = linesOf(await printTable(certificates(rows), terminal(80)));
    expect(first).not.toBe(second);
  });
});

test('nodes of two clusters are told apart on a narrow screen', async () => {
  const nodes = ['ip-10-0-12-34.eu-west-1.compute.internal', 'ip-10-0-45-201.eu-west-2.compute.internal'];
  const rows = nodes.map((node) => [
    'UNAVAILABLE',
    'shop/payments',
    node,
    'in 21h58m',
    'Deployment/payments',
    '',
  ]);
  const [, first, second] = linesOf(await printTable(certificates(rows), terminal(80)));
  expect(first).toContain('  ip-10-0-12-34  ');
  expect(second).toContain('  ip-10-0-45-201  ');
});

describe('a cell that knows a shorter way to say the same', () => {
  const owners: Table = {
    columns: [{ header: 'STATUS' }, { header: 'OWNER', fit: 'middle' }],
    rows: [[{ text: 'OK' }, { text: 'Deployment/recommendations', short: 'deploy/recommendations' }]],
  };

  test.each([
    ['in full where there is room', 34, 'OK      Deployment/recommendations'],
    ['shorter where there is not', 33, 'OK      deploy/recommendations'],
    ['shortened only below that', 29, 'OK      deploy/rec…mendations'],
  ])('is shown %s', async (_, columns, expected) => {
    expect(linesOf(await printTable(owners, terminal(columns)))[1]).toBe(expected);
  });

  test('is in full when piped', async () => {
    expect(await printTable(owners, PIPED)).toContain('Deployment/recommendations');
  });
});

test('a long table pauses now and then before its first line, a short one does not', async () => {
  const pauses = async (rows: number) => {
    const table = certificates(Array.from({ length: rows }, () => ['OK', 'a', 'b', 'c', 'd', '']));
    const chunks = await Array.fromAsync(
      printers.table.render({ views: { table: () => table } } as never, PIPED),
    );
    return chunks.filter((chunk) => chunk === '').length;
  };
  expect(await pauses(25_000)).toBeGreaterThan(1);
  expect(await pauses(100)).toBe(0);
});
