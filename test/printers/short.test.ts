// That the short form is istioctl's, byte for byte, for the cells of what it printed.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PIPED, print } from './reports.ts';

const CAPTURES = new URL('../testdata/istioctl/', import.meta.url);

/** Headers by the beginning of a capture's name, with the padding that istioctl uses. */
const TABLES: Readonly<Record<string, { header: readonly string[]; padding: number }>> = {
  certs: {
    header: ['CERTIFICATE NAME', 'TYPE', 'STATUS', 'VALID CERT', 'SERIAL NUMBER', 'NOT AFTER', 'NOT BEFORE'],
    padding: 5,
  },
  workloads: { header: ['NAMESPACE', 'POD NAME', 'ADDRESS', 'NODE', 'WAYPOINT', 'PROTOCOL'], padding: 1 },
  services: { header: ['NAMESPACE', 'SERVICE NAME', 'SERVICE VIP', 'WAYPOINT', 'ENDPOINTS'], padding: 1 },
  policies: { header: ['NAMESPACE', 'POLICY NAME', 'ACTION', 'SCOPE'], padding: 1 },
  connections: {
    header: ['WORKLOAD', 'DIRECTION', 'LOCAL', 'REMOTE', 'REMOTE TARGET', 'PROTOCOL'],
    padding: 1,
  },
};

const files = readdirSync(CAPTURES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.short') && !file.includes('all'))
  .sort((a, b) => (a < b ? -1 : 1));

/** The cells of a capture, cut where the words of its header begin. */
function cellsOf(text: string, header: readonly string[]): readonly (readonly string[])[] {
  const [first = '', ...lines] = text.replace(/\n$/, '').split('\n');
  let from = 0;
  const starts = header.map((title) => {
    const start = first.indexOf(title, from);
    from = start + title.length;
    return start;
  });
  return lines.map((line) => starts.map((start, at) => line.slice(start, starts[at + 1]).trimEnd()));
}

describe('short', () => {
  test.each(files)('%s', async (file) => {
    const text = readFileSync(new URL(file, CAPTURES), 'utf8');
    const table = TABLES[/(\w+)[^/]*$/.exec(file)?.[1] ?? ''];
    expect(table).toBeDefined();
    const { header, padding } = table!;
    const rows = cellsOf(text, header);
    expect(await print('short', { short: () => ({ header, rows, padding }) })).toBe(text);
  });

  test('the captures hold a workload without a node, and tables without rows', () => {
    const workloads = readFileSync(new URL('node-a/workloads.short', CAPTURES), 'utf8');
    const cells = cellsOf(workloads, TABLES.workloads!.header);
    expect(cells.find(([, name]) => name === 'vm-1')?.[3]).toBe('');
    expect(readFileSync(new URL('node-a/connections.short', CAPTURES), 'utf8').split('\n')).toHaveLength(2);
  });

  const shortOf = (rows: readonly (readonly string[])[], headers = true) =>
    print('short', { short: () => ({ header: ['A', 'B'], rows, padding: 2 }) }, { ...PIPED, headers });

  test('without headers, their widths do not count', async () => {
    expect(await shortOf([['x', 'y']], false)).toBe('x  y\n');
  });

  test('code points count once each, wide or not, as Go counts runes', async () => {
    expect(
      await shortOf([
        ['商店', '1'],
        ['😀', '2'],
        ['abc', '3'],
      ]),
    ).toBe('A    B\n商店   1\n😀    2\nabc  3\n');
  });

  test('a line keeps the padding before its empty last cell', async () => {
    expect(await shortOf([['x', '']], false)).toBe('x  \n');
  });

  test('a name cannot forge a row', async () => {
    expect(await shortOf([['x\nshop', '\x1b[2J']], false)).toBe('x\\nshop  \\x1b[2J\n');
  });

  test('rows may be made while they are read, once', async () => {
    const rows = Iterator.from([['1', '2']]);
    expect(await print('short', { short: () => ({ header: ['A', 'B'], rows, padding: 1 }) })).toBe(
      'A B\n1 2\n',
    );
  });
});
