// An executable that was cut short or overwritten, as a bad disk or a broken download leaves it: it never ends without a word.

import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { has, newFolder, ROOT, sh } from '../scripts/place.ts';
import { HERE, PROGRAM } from './release.ts';

const DUMP = path.join(ROOT, 'test/testdata/dumps/node-a.config_dump.json');
const argv = ['certs', '-o', 'short', '-f', DUMP, '--now', '2026-11-29T22:03:42Z'];
const RIGHT = readFileSync(path.join(ROOT, 'test/testdata/istioctl/node-a/certs.short'), 'utf8');

let folder: string;
let whole: Buffer;
beforeAll(() => {
  folder = newFolder();
  whole = readFileSync(PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `right`, what it said on stderr as it failed, or which signal ended it (a shell says that). */
function outcomeOf(bytes: Uint8Array): string {
  const program = path.join(folder, HERE.program);
  writeFileSync(program, bytes);
  chmodSync(program, 0o755);
  const { error, status, signal, stdout, stderr } = spawnSync(program, argv, {
    encoding: 'utf8',
    cwd: folder,
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  rmSync(program);
  if (error !== undefined) return `not started: ${(error as NodeJS.ErrnoException).code}`;
  if (signal !== null) return `signal ${signal}`;
  if (status === 0) return stdout === RIGHT && stderr === '' ? 'right' : `wrong, with 0: ${stdout}${stderr}`;
  return stderr === '' ? `silent, with ${status}` : `said: ${stderr}`;
}

const LOUD = /^(?:right$|said: |signal SIG(?!KILL)|not started: E(?:NOEXEC|IO|ACCES)$)/;

test('the test knows a good one', () => {
  expect(outcomeOf(whole)).toBe('right');
});

test.each([0.1, 0.5, 0.8, 0.9, 0.96, 0.98, 0.99, 0.999])('%d of it', (share) => {
  const outcome = outcomeOf(whole.subarray(0, Math.floor(whole.length * share)));
  expect(outcome).toMatch(LOUD);
});

test('a part of the program in it is missing: it says so', () => {
  // Behind it there are only names of sections and padding.
  expect(outcomeOf(whole.subarray(0, whole.length - (1 << 20)))).toMatch(/^said: .*is truncated/);
});

const needsReadelf = HERE.os === 'linux' && has('readelf') ? describe : describe.skip;
needsReadelf('the program in it is overwritten', () => {
  const BLOCK = 64 * 1024;
  const PLACES = Array.from({ length: 24 }, (_, index) => index / 24);

  test.each(PLACES)('at %d of its length', (share) => {
    const [, at, length] = /\s\.bun\s+PROGBITS\s+\S+\s+(\S+)\s+(\S+)/.exec(
      sh('readelf', ['--wide', '--sections', PROGRAM]),
    )!;
    const from = Number(`0x${at}`) + Math.floor(Number(`0x${length}`) * share);
    const damaged = Buffer.from(whole);
    damaged.fill(0x55, from, Math.min(from + BLOCK, statSync(PROGRAM).size));
    expect(outcomeOf(damaged)).toMatch(LOUD);
  });
});
