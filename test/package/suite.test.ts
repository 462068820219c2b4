// The front door's whole suite again, with the packaged executable in the program's place.

import path from 'node:path';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { ROOT } from '../scripts/place.ts';
import { PROGRAM } from './release.ts';
import { run } from './run.ts';

test('the packaged executable passes what the program passes', async () => {
  const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const argv = ['--experimental-vm-modules', jest, '--json', 'test/frontdoor'];
  const env = { ...process.env, NODE_OPTIONS: '', KUBECTL_ZTUNNEL: PROGRAM };
  const { stdout } = await run(process.execPath, argv, env, ROOT);
  const { numPassedTests, testResults } = JSON.parse(stdout) as {
    numPassedTests: number;
    testResults: readonly {
      assertionResults: readonly { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  };
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n').slice(0, 2000)}`);
  expect(failed).toEqual([]);
  expect(numPassedTests).toBeGreaterThan(100);
});
