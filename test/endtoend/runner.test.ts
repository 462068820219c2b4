// How `npm run test:cluster` itself behaves: where it can't run, when it is interrupted, and on a cluster that is not its own.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Ended } from '../spawned.ts';
import { loginAs, openPlace } from './place.ts';
import { run } from './program.ts';
import { controlPlane } from './surroundings.ts';

const RUNNER = path.resolve(import.meta.dirname, '../../scripts/testcluster.ts');

test('without Go it is skipped, and says why', async () => {
  const ended = await run(process.execPath, [RUNNER], { env: { PATH: path.dirname(RUNNER) } });
  expect(ended).toEqual({
    code: 0,
    stdout: '',
    stderr: 'test:cluster: skipped: Go is not installed, and it is needed to build the control plane\n',
  });
});

test('interrupted, it stops what it started', async () => {
  const child = spawn(process.execPath, [RUNNER], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<Ended['code']>((resolve) => child.on('close', resolve));
  const [, pid, log] = await new Promise<RegExpExecArray>((resolve) => {
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const up = /process (\d+), log (\S+)\)/.exec(stderr);
      if (up !== null) resolve(up);
    });
  });
  expect(existsSync(log!)).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(existsSync(path.dirname(log!))).toBe(false);
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
});

test('told of another cluster, it runs only what reads', async () => {
  const place = openPlace(controlPlane());
  const kubeconfig = place.write('config', loginAs(place.plane, 'reader'));
  const env = { HOME: place.directory, ZTUNNEL_TEST_KUBECONFIG: kubeconfig };
  const ended = await run(process.execPath, [RUNNER, '-t', 'is complete'], { env });
  place.remove();
  expect(ended.stderr).toContain(`only reading the cluster of ${kubeconfig}`);
  expect(ended.stderr).toMatch(/^Tests: +\d+ skipped, 1 passed/m);
  expect(ended.stderr).toContain('Test Suites: 1 passed, 1 total');
  expect(ended.code).toBe(0);
});
