// Whether kubectl is installed here, and whom it takes itself for.

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { kubectl } from './program.ts';

export function hasKubectl(): boolean {
  return spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
}

/** The directory of PATH that it is found in. */
export function kubectlFolder(): string {
  const found = (process.env.PATH ?? '')
    .split(path.delimiter)
    .find((folder) => isExecutable(path.join(folder, 'kubectl')));
  if (found === undefined) throw new Error('kubectl is not on PATH');
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Identity {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
}

export type Whoami = { readonly identity: Identity } | { readonly refusal: string };

/** `kubectl auth whoami` with these flags; where it is refused, also what is said of a list of pods. */
export async function whoami(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Whoami> {
  const { code, stdout, stderr } = await kubectl(['auth', 'whoami', '-o', 'json', ...argv], { env });
  if (code !== 0) {
    const list = await kubectl(['get', '--raw', '/api/v1/pods', ...argv], { env });
    return { refusal: `${stderr}${list.stderr}` };
  }
  return { identity: JSON.parse(stdout).status.userInfo as Identity };
}
