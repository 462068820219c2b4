// How large a terminal is taken to be, whatever it says of itself.

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { outputOf } from '../../bin/output.ts';

const STANDARD = { columns: 80, rows: 24 };

test.each([
  ['no terminal', { columns: 100, rows: 40 }, undefined],
  ['one that says its size', { isTTY: true, columns: 100, rows: 40 }, { columns: 100, rows: 40 }],
  ['one that says nothing', { isTTY: true }, STANDARD],
  ['one of 0 × 0', { isTTY: true, columns: 0, rows: 0 }, STANDARD],
  ['one without rows', { isTTY: true, columns: 100, rows: 0 }, { columns: 100, rows: 24 }],
])('%s', (_, stream, expected) => {
  const device = openSync(devNull, 'w');
  const output = outputOf(
    device,
    () => Object.assign(new PassThrough(), stream) as never,
    () => false,
  );
  expect(output.terminal).toEqual(expected);
  closeSync(device);
});
