// Which formats there are, and how their output comes.

import { describe, expect, test } from '@jest/globals';
import { printers } from '../../src/printers/index.ts';
import { PIPED, print, reportOf } from './reports.ts';

describe('formats', () => {
  test('are these, each with its view', () => {
    expect(Object.entries(printers).map(([format, { view }]) => `${format} ${view}`)).toEqual([
      'table table',
      'wide table',
      'short short',
      'name name',
      'pem pem',
      'json document',
      'yaml document',
      'html page',
      'prometheus metrics',
      'junit tests',
    ]);
  });

  test('a view that the report lacks is a bug that says so', async () => {
    await expect(print('pem', {})).rejects.toThrow('no pem view');
  });

  test('large output comes in chunks of whole lines, none of them huge, none lost', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ['shop', `web-${at}`]);
    const report = reportOf({ short: () => ({ header: ['NAMESPACE', 'NAME'], rows, padding: 1 }) });
    const chunks = await Array.fromAsync(printers.short.render(report, PIPED));
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.every((chunk) => chunk.endsWith('\n') && chunk.length < 70_000)).toBe(true);
    expect(chunks.join('').split('\n')).toHaveLength(20_002);
  });
});
