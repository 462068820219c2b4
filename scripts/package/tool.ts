// How another program is run while packaging: its output is only shown when it fails.

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** Throws with what the program said if it fails. Gives its stdout. */
export function runTool(command: string, args: readonly string[], cwd?: string): string {
  // On Windows npm is a script that only a shell finds.
  const shell = process.platform === 'win32' && command === 'npm';
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd, shell, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')}: ${stderr || stdout}`);
  return stdout;
}

/** The first of these programs that is on PATH. */
export function findTool(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.find((name) => folders.some((folder) => isExecutable(join(folder, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
