// What tests of packaging take for granted: a folder of their own, other programs, and this system's platform.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'kubectl-ztunnel-test-'));
}

/** What a program printed on stdout. Throws with all that it said if it fails. */
export function sh(
  command: string,
  argv: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): string {
  const { error, status, stdout, stderr } = spawnSync(command, argv, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...argv].join(' ')}: ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

export const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** The tests' part of PATH that npm put there is not a user's. */
export const USER_PATH = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(path.delimiter);
