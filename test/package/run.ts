// How tests of packaging run a program beside the mesh that lives in their own process.

import { type Ended, spawned } from '../spawned.ts';

const LONGEST_MS = 300_000;

/** With this environment and nothing else. */
export function run(
  command: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd?: string,
): Promise<Ended> {
  return spawned(command, argv, { env, cwd, longestMs: LONGEST_MS });
}
