// Reports as commands make them, for the printers' tests.

import type { JsonObject } from '../../src/base/json.ts';
import type { Format } from '../../src/printers/formats.ts';
import { printers } from '../../src/printers/index.ts';
import type { Cell, Report, Screen, Table, Tone, Views } from '../../src/printers/printer.ts';

/** Everything that a terminal could act on, spelled as code points and not by the classes that the code uses. */
export const ACTING =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

export const PIPED: Screen = { columns: undefined, rows: undefined, color: false, headers: true };

/** A terminal of so many columns, without colour. */
export function terminal(columns: number): Screen {
  return { ...PIPED, columns, rows: 24 };
}

/** A report that has only these views. */
export function reportOf(views: Partial<Views>): Report {
  return { views, rowCount: 1, failures: [], warnings: [], summary: undefined, empty: 'No certificates.' };
}

/** All chunks of a format's output. */
export async function print(format: Format, views: Partial<Views>, screen: Screen = PIPED): Promise<string> {
  return (await Array.fromAsync(printers[format].render(reportOf(views), screen))).join('');
}

/** All chunks of a table's output. */
export function printTable(
  table: Table,
  screen: Screen,
  format: 'table' | 'wide' = 'table',
): Promise<string> {
  return print(format, { table: () => table }, screen);
}

/** A document with these items. */
export function documentOf(items: Iterable<JsonObject>): Pick<Views, 'document'> {
  return {
    document: () => ({
      apiVersion: 'ztunnel.kubectl/v1',
      kind: 'CertificateList',
      reference: { time: '2026-11-29T22:03:42Z', source: 'flag' },
      items,
      summary: { total: 2, bySeverity: { critical: 1, ok: 1 } },
      failures: [],
    }),
  };
}

const TONES: Readonly<Record<string, Tone>> = {
  UNAVAILABLE: 'critical',
  EXPIRED: 'critical',
  'RENEWAL-OVERDUE': 'warning',
  OK: 'ok',
};

/** A table of `certs`: STATUS, IDENTITY, NODE, EXPIRES, OWNER, in wide also SERIAL and NOT AFTER, then REASON. */
export function certificates(rows: readonly (readonly string[])[]): Table {
  return {
    columns: [
      { header: 'STATUS' },
      { header: 'IDENTITY', fit: 'middle' },
      { header: 'NODE', fit: 'node' },
      { header: 'EXPIRES' },
      { header: 'OWNER', fit: 'middle' },
      { header: 'SERIAL', wide: true },
      { header: 'NOT AFTER', wide: true },
      { header: 'REASON', fit: 'detail' },
    ],
    rows: rows.map(([status = '', identity = '', node = '', expires = '', owner = '', reason = '']) => [
      { text: status, tone: TONES[status] ?? 'plain' },
      cell(identity),
      cell(node),
      cell(expires),
      cell(owner),
      cell('64B57694EA9A6C4F306B731FD08D24D0'),
      cell('2026-11-30T21:56:29Z'),
      { text: reason, tone: 'dim' },
    ]),
  };
}

function cell(text: string): Cell {
  return { text };
}

const REFUSED =
  'signing gRPC error (The caller does not have permission to execute the specified operation): rejected: identity is not allowed';

/** Four rows on these three nodes, with the lengths of names that real clusters have. */
export function certificatesOn([a, b, c]: readonly [string, string, string]): Table {
  return certificates([
    ['UNAVAILABLE', 'shop/denied', a, '-', 'Deployment/denied', REFUSED],
    ['EXPIRED', 'shop/expired', b, '1d0h ago', 'Deployment/expired', ''],
    [
      'RENEWAL-OVERDUE',
      'payments/settlement-reconciliation',
      c,
      'in 11h2m',
      'CronJob/settlement-reconciliation +1',
      '',
    ],
    ['OK', 'shop/cart', a, 'in 23h52m', 'StatefulSet/cart 3/3', ''],
  ]);
}
