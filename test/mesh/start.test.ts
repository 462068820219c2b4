// `npm start` runs the built program on the demonstration and leaves nothing behind.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { temporaryDirectory } from '../temporary.ts';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));

const temporary = temporaryDirectory();

function start(...argv: readonly string[]) {
  const env = { ...process.env, TMPDIR: temporary, NODE_OPTIONS: '' };
  const { status, stdout } = spawnSync(process.execPath, [START, ...argv], { env, encoding: 'utf8' });
  expect(readdirSync(temporary)).toEqual([]);
  return { status, stdout };
}

test('without arguments it shows certs, then workloads', () => {
  const { status, stdout } = start();
  expect(status).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('$ kubectl ztunnel certs');
  expect(lines[1]).toMatch(/^STATUS +IDENTITY +NODE +EXPIRES +OWNER +REASON$/);
  const second = lines.indexOf('$ kubectl ztunnel workloads');
  expect(lines[second + 1]).toMatch(/^NAMESPACE +POD NAME +CERTIFICATE /);
}, 60_000);

test('with arguments it runs exactly those and hands the exit code on', () => {
  const names = start('certs', '-o', 'name');
  expect(names.status).toBe(0);
  expect(names.stdout.split('\n')).toContain('spiffe://cluster.local/ns/shop/sa/web');
  expect(start('certs', '--no-such-flag')).toEqual({ status: 1, stdout: '' });
}, 60_000);
