// How the built program, or kubectl, is run as a user would run it.

import { spawn } from 'node:child_process';
import { commandLine } from '../executable.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

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
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
}

function wordsOf(argv: string | readonly string[]): readonly string[] {
  return typeof argv === 'string' ? argv.split(' ').filter(Boolean) : argv;
}
