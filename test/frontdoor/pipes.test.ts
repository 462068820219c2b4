// The built program, given something that never ends or never begins where a file is expected.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { commandLine } from '../executable.ts';
import { INHERITED } from '../inherited.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const directory = temporaryDirectory();
const dump = path.resolve(import.meta.dirname, '../testdata/dumps/node-a.config_dump.json');
const pipe = path.join(directory, 'pipe');
const kubeconfig = path.join(directory, 'config');
const server = 'https://127.0.0.1:1';

// JSON is YAML.
const text = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server } }],
  users: [{ name: 'u', user: { tokenFile: pipe } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
});
writeFileSync(kubeconfig, text);
// Other systems do not tell a pipe that nobody has written to from one that has ended.
const isLinux = platform() === 'linux';
if (isLinux) spawnSync('mkfifo', [pipe]);

/** What a test that fails would leave behind. */
const started: (number | undefined)[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

function isRunning(pid: number | undefined): pid is number {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function start(words: readonly string[]): ChildProcess {
  const [command, argv] = commandLine(words);
  const child = spawn(command, argv, { stdio: 'ignore', env: { ...INHERITED, PATH: process.env.PATH } });
  started.push(child.pid);
  return child;
}

/** Settles once somebody has opened the pipe to read it; gives what keeps it open. */
async function opened(): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

(isLinux ? describe : describe.skip)('a pipe that nobody writes to', () => {
  test.each([
    ['a kubeconfig', ['certs', '--kubeconfig', pipe]],
    ['a dump', ['certs', '-f', pipe]],
    ['resources', ['certs', '-f', dump, '--resources', pipe]],
    ['what is decoded', ['decode', pipe]],
    ['a token', ['certs', '--kubeconfig', kubeconfig]],
    ['an authority', ['certs', '--server', server, '--certificate-authority', pipe]],
  ])('as %s does not outlast Ctrl-C', async (_, words) => {
    const child = start(words);
    const ended = new Promise((resolve) => child.on('exit', (...how) => resolve(how)));
    const held = await opened();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    closeSync(held);
  });
});

/** Settles once the process has opened the terminal that its three streams are once more. */
async function openedTerminal(pid: string): Promise<void> {
  const open = () =>
    readdirSync(`/proc/${pid}/fd`).filter((fd) => {
      try {
        return /^\/dev\/(?:tty|pts)/.test(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  while (open().length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
}

const hasScript = isLinux && spawnSync('script', ['--version']).status === 0;
(hasScript ? test : test.skip)('a terminal on which nobody types does not outlast Ctrl-C', async () => {
  const [command, argv] = commandLine(['certs', '-f', '/dev/tty']);
  const words = [command, ...argv].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `echo $$; exec ${words}`, '/dev/null']);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  // A shell complains here of a locale that it does not have.
  const pid = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const [, number] = /^(\d+)\r?\n/m.exec(said) ?? [];
      if (number !== undefined) resolve(number);
    });
  });
  started.push(Number(pid), child.pid);
  await openedTerminal(pid);
  child.stdin.write('\x03');
  expect(await ended).toBe(130);
});

// Windows has no such device.
(platform() === 'win32' ? describe.skip : describe)('a file without end', () => {
  test.each([
    [
      'a kubeconfig',
      ['certs', '--kubeconfig', '/dev/zero'],
      'the kubeconfig /dev/zero holds more than 16 MiB',
    ],
    ['a dump', ['certs', '-f', '/dev/zero'], 'zero: this is binary data, not a config dump'],
    ['resources', ['certs', '-f', dump, '--resources', '/dev/zero'], 'the file /dev/zero is a device'],
    [
      'an authority',
      ['certs', '--server', server, '--certificate-authority', '/dev/zero'],
      'the certificate-authority /dev/zero holds more than 4 MiB',
    ],
    [
      'a key',
      ['certs', '--server', server, '--client-certificate', dump, '--client-key', '/dev/null'],
      'the client-key /dev/null is empty',
    ],
  ])('as %s is refused', async (_, words, says) => {
    const { code, stderr } = await run(words);
    expect([code, stderr.split('\n').find((line) => line.includes(says))]).toEqual([
      1,
      expect.stringMatching(/^error: .+\. [A-Z].+\.$/),
    ]);
  });
});
