// How the program's streams behave as it sees them: how large a terminal is taken to be, and who waits for a write.

import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { devNull, platform } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { outputOf } from '../../bin/output.ts';
import { temporaryDirectory } from '../temporary.ts';

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

// Other systems open no pipe for both reading and writing.
(platform() === 'linux' ? describe : describe.skip)('a small text to a pipe that does not block', () => {
  const file = path.join(temporaryDirectory(), 'pipe');
  spawnSync('mkfifo', [file]);
  const small = 'é'.repeat(100);

  /** What the pipe holds first, and what went to a stream; undefined if none was opened. */
  async function written(fill: boolean) {
    const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
    let stream: PassThrough | undefined;
    const open = () => {
      stream = new PassThrough();
      return stream as never;
    };
    try {
      if (fill) fillUp(pipe);
      await outputOf(pipe, open, () => true).write(small);
      const there = Buffer.alloc(small.length * 2);
      const bytes = readSync(pipe, there);
      stream?.end();
      return [there.toString('utf8', 0, bytes), stream && (await text(stream))];
    } finally {
      closeSync(pipe);
    }
  }

  test('is there at once, and opens no stream', async () => {
    expect(await written(false)).toEqual([small, undefined]);
  });

  test('waits as a stream does where the pipe is full', async () => {
    expect(await written(true)).toEqual(['x'.repeat(small.length * 2), small]);
  });

  function fillUp(pipe: number): void {
    const block = Buffer.alloc(4096, 'x');
    try {
      for (;;) writeSync(pipe, block);
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'EAGAIN' });
    }
  }
});
