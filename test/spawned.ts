// How a program is run beside what this process serves, and what it said in the end.

import { spawn } from 'node:child_process';
import { INHERITED } from './inherited.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  /** All that there is of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  readonly longestMs: number;
}

export function spawned(
  command: string,
  argv: readonly string[],
  { env, cwd, longestMs }: Surroundings,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, {
      cwd,
      env: { ...INHERITED, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
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
