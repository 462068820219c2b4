// The built program where others would stumble: links, a directory that is gone, closed streams.

import { execFile, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { COMPILED, commandLine, PROGRAM } from '../executable.ts';
import { INHERITED, unmoved } from '../inherited.ts';
import { temporaryDirectory } from '../temporary.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dump = path.join(root, 'test/testdata/dumps/node-a.config_dump.json');
const argv = ['certs', '-o', 'wide', '-f', dump, '--now', '2026-11-29T22:03:42Z'];
const directory = temporaryDirectory();
const surroundings = { ...INHERITED, PATH: process.env.PATH };

async function run(program: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const [command, words] = COMPILED ? [program, argv] : [process.execPath, [program, ...argv]];
  const { stdout, stderr } = await promisify(execFile)(command, words, { env: { ...surroundings, ...more } });
  return stdout + stderr;
}

let usual: string;
beforeAll(async () => {
  usual = await run(PROGRAM);
});

test.each([
  ['LANG', 'C'],
  ['TZ', 'Pacific/Kiritimati'],
  ['TZ', 'Nowhere/At all'],
  ['NODE_OPTIONS', '--no-warnings --max-semi-space-size=1 --stack-trace-limit=3'],
  ['HOME', ''],
  ['COLUMNS', '10'],
])('%s=%s changes nothing', async (name, value) => {
  expect(await run(PROGRAM, { [name]: value })).toBe(usual);
});

// Windows has neither this shell nor these links.
(process.platform === 'win32' ? describe.skip : describe)('in a shell', () => {
  test('a link to it is as good', async () => {
    const link = path.join(directory, 'kubectl-ztunnel');
    symlinkSync(PROGRAM, link);
    expect(await run(link)).toBe(usual);
  });

  /** `"$@"` in the script is the program with these words. */
  function shell(script: string, words: readonly string[], env = surroundings): SpawnSyncReturns<string> {
    const [command, rest] = commandLine(words);
    return spawnSync('sh', ['-c', script, 'sh', command, ...rest], { encoding: 'utf8', env, cwd: directory });
  }
  const astray = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';

  /** Bun itself starts nowhere else, and says so before the program is there. */
  const bunRefuses = /^error: The current working directory was deleted, .* cd into a different directory/;

  test('started where no directory is any more, it finds what is named in full, or says why not', () => {
    const { status, stdout, stderr } = shell(astray, argv);
    if (COMPILED) expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(bunRefuses)]);
    else expect([status, stdout + stderr]).toEqual([0, usual]);
  });

  test.each([
    ['-f', ['certs', '-f', 'dump.json']],
    ['--kubeconfig', ['certs', '--kubeconfig', 'config']],
    ['--output-file', ['check', '-f', dump, '--output-file', 'report']],
  ])('started there with a relative path for %s, it says what is wrong', (_, words) => {
    const { stdout, stderr } = shell(astray, words);
    expect([stdout, stderr]).toEqual([
      '',
      COMPILED
        ? expect.stringMatching(bunRefuses)
        : 'error: the current directory is no longer there. Change to one that is, and try again.\n',
    ]);
  });

  test.each([
    ['stdin', '<&-'],
    ['stdout', '>&-'],
    ['stderr', '2>&-'],
    ['all of them', '<&- >&- 2>&-'],
  ])('with %s closed, it works', (_, closed) => {
    expect(shell(`exec "$@" ${closed}`, argv).status).toBe(0);
  });

  test('with stdin closed, there is nothing to read', () => {
    // A preloaded library would open its own files where stdin was.
    const { status, stderr } = shell('exec "$@" <&-', ['certs', '-f', '-'], unmoved(surroundings));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^error: stdin: standard input is empty\. /)]);
  });
});
