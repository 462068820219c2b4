// Ctrl-C amid work that waits for nothing: between reading, judging and printing, whoever waits has a turn.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { run } from '../program.ts';

const dump = readFileSync(path.resolve(import.meta.dirname, '../testdata/dumps/node-a.config_dump.json'));

/** Interrupts as soon as anything has a turn once there is a dump to read. */
async function interruptAfterReading(command: string) {
  const controller = new AbortController();
  async function* stdin() {
    setImmediate(() => controller.abort(new Error('interrupted')));
    yield dump;
  }
  return run(`${command} -f -`, { stdin: stdin(), signal: controller.signal });
}

test.each([
  'certs',
  'workloads',
  'services',
  'policies',
  'connections',
  'all',
  'check',
  'sans',
  'reach --to service/web.shop',
])('%s ends before it prints', async (command) => {
  const { code, stdout, stderr } = await interruptAfterReading(command);
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: '' });
});
