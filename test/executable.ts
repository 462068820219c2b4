// Which program is meant where a test starts one: the built one, or what KUBECTL_ZTUNNEL names, such as a packaged one.

import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { INHERITED } from './inherited.ts';

const BUILT = path.resolve(import.meta.dirname, '../bin/kubectl-ztunnel');

/** The path of an executable that stands for the program in every test that can do without this process. */
export const GIVEN: string | undefined = process.env.KUBECTL_ZTUNNEL
  ? path.resolve(process.env.KUBECTL_ZTUNNEL)
  : undefined;

/** What kubectl would find as its plugin. */
export const PROGRAM: string = GIVEN ?? BUILT;

/** It brings its own runtime; else it is the bundle, which this Node.js runs. */
export const COMPILED: boolean = PROGRAM !== BUILT;

/** How it is started whatever `node` PATH has. */
export function commandLine(argv: readonly string[]): readonly [command: string, argv: readonly string[]] {
  return COMPILED ? [PROGRAM, argv] : [process.execPath, [BUILT, ...argv]];
}

export interface Exited {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const LONGEST_MS = 60_000;

/** Runs it with this environment and nothing else; a signal that ended it counts as a shell counts it. */
export function execute(
  argv: readonly string[],
  { env, stdin }: { env: Readonly<Record<string, string | undefined>>; stdin: string | Uint8Array },
): Promise<Exited> {
  return new Promise((resolve, reject) => {
    const [command, words] = commandLine(argv);
    const child = spawn(command, words, {
      env: { ...INHERITED, ...env },
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    child.on('error', reject);
    child.on('close', (code) => {
      const [stdout, stderr] = [chunks.stdout, chunks.stderr].map((all) =>
        Buffer.concat(all).toString('utf8'),
      );
      resolve({ code: code ?? 137, stdout: stdout!, stderr: stderr! });
    });
  });
}
