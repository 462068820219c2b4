// How the program's streams behave as it sees them: how large a terminal is taken to be, and who waits for a write.

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
])('the size of %s', (_, stream, expected) => {
  const device = openSync(devNull, 'w');
  const output = outputOf(
    device,
    () => Object.assign(new PassThrough(), stream) as never,
    () => false,
  );
  expect(output.terminal).toEqual(expected);
  closeSync(device);
});

test.each([
  ['a stream that takes all at once', 'x'],
  ['a pause', ''],
])('%s leaves a turn to whoever waits, such as Ctrl-C', async (_, text) => {
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  const output = outputOf(
    -1,
    () => new PassThrough() as never,
    () => false,
  );
  await output.write(text);
  expect(turns).toBe(1);
});
