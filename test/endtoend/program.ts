// How the built program, or kubectl, is run as a user would run it.

import { commandLine } from '../executable.ts';
import { type Ended, spawned } from '../spawned.ts';

export interface Run {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Longer than any bound of the program's that a test waits for. */
const LONGEST_MS = 60_000;

/** `certs -o json`, or a list of words where one holds a space. The environment is only what is given, and PATH. */
export function ztunnel(argv: string | readonly string[], options: Run = {}): Promise<Ended> {
  return run(...commandLine(wordsOf(argv)), options);
}

export function kubectl(argv: string | readonly string[], options: Run = {}): Promise<Ended> {
  return run('kubectl', wordsOf(argv), options);
}

export function run(command: string, argv: readonly string[], { env, cwd }: Run = {}): Promise<Ended> {
  return spawned(command, argv, { env: { PATH: process.env.PATH, ...env }, cwd, longestMs: LONGEST_MS });
}

function wordsOf(argv: string | readonly string[]): readonly string[] {
  return typeof argv === 'string' ? argv.split(' ').filter(Boolean) : argv;
}
