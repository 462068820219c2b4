// The built program as a process: streams, exit codes, pipes and interrupts.

import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { commandLine } from '../executable.ts';
import { INHERITED } from '../inherited.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dump = path.join(root, 'test/testdata/dumps/node-a.config_dump.json');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly stdin?: string;
  /** The reader goes away after so many bytes of output. */
  readonly readOnly?: number;
  /** Is interrupted once it has begun to read what goes on without end. */
  readonly interrupt?: boolean;
}

/** More than a pipe holds: when it is written, it is being read. */
const ENDLESS = ' '.repeat(1 << 20);

function start(argv: readonly string[], { stdin, readOnly, interrupt }: Started = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const [command, words] = commandLine(argv);
    const child = spawn(command, words, { env: { ...INHERITED, PATH: process.env.PATH } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (readOnly !== undefined && stdout.length >= readOnly) child.stdout.destroy();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.on('error', () => {});
    if (interrupt) child.stdin.write(ENDLESS, () => child.kill('SIGINT'));
    else child.stdin.end(stdin ?? '');
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('the built program', () => {
  test('prints what istioctl prints', async () => {
    const argv = ['certs', '-o', 'short', '-f', dump, '--now', '2026-11-29T22:03:42Z'];
    const { code, stdout, stderr } = await start(argv);
    expect(stdout).toBe(readFileSync(path.join(root, 'test/testdata/istioctl/node-a/certs.short'), 'utf8'));
    expect([code, stderr]).toEqual([0, '']);
  });

  // Linux has a device that is always full.
  (existsSync('/dev/full') ? test : test.skip)('says that a disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const stdio: StdioOptions = ['ignore', full, 'pipe'];
    const [command, words] = commandLine(['certs', '-f', dump]);
    const { stderr, status } = spawnSync(command, words, { stdio });
    closeSync(full);
    expect(stderr.toString()).toMatch(/^error: the output can't be written: there is no space left\. /);
    expect(status).toBe(1);
  });

  test('says that stdout is not open for writing', () => {
    const readable = openSync(dump, 'r');
    const [command, words] = commandLine(['certs', '-f', dump]);
    const { stderr, status } = spawnSync(command, words, { stdio: ['ignore', readable, 'pipe'] });
    closeSync(readable);
    expect(stderr.toString()).toMatch(
      /^error: the output can't be written: it is not open for writing\. .+\n$/,
    );
    expect(status).toBe(1);
  });

  test.each([
    ['an error', ['check', '-f', 'nowhere.json'], 3],
    ['a usage error', ['check', '--xyzzy'], 3],
    ['findings', ['check', '-f', dump, '--only', 'ORPHAN'], 0],
  ])('keeps the exit code of %s where stderr is not open for writing', (_, argv, code) => {
    const readable = openSync(dump, 'r');
    const [command, words] = commandLine(argv);
    const { status } = spawnSync(command, words, { stdio: ['ignore', 'pipe', readable] });
    closeSync(readable);
    expect(status).toBe(code);
  });

  test.each([
    ['certs', 1],
    ['check', 3],
  ])('%s says nothing to a reader that has gone, and exits with %i', async (name, expected) => {
    const [command, words] = commandLine([name, '-f', dump]);
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([stderr, code]).toEqual(['', expected]);
  });

  test('reads a dump from stdin', async () => {
    const { code, stdout } = await start(['certs', '-o', 'name', '-f', '-'], {
      stdin: readFileSync(dump, 'utf8'),
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
    expect(code).toBe(0);
  });

  test('shows help on stdout, and usage errors on stderr', async () => {
    const [help, wrong] = await Promise.all([start([]), start(['certs', '--xyzzy'])]);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('kubectl ztunnel certs');
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toBe('error: there is no flag --xyzzy. See --help for the flags.\n');
  });

  test('ends in silence when its reader has had enough', async () => {
    const { stderr } = await start(['certs', '-o', 'json', '-f', dump], { readOnly: 1 });
    expect(stderr).toBe('');
  });

  test('ends with 130 when it is interrupted while it waits', async () => {
    const { code, stdout, stderr } = await start(['certs', '-f', '-'], { interrupt: true });
    expect([code, stdout, stderr]).toEqual([130, '', '']);
  });
});
