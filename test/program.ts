// The whole program in this process: argv in; stdout, stderr and exit code out.

import { tmpdir } from 'node:os';
import { about } from '../bin/about.ts';
import { connect, createSnapshot, findSaved, listContexts, readInput, saveFile } from '../bin/reach.ts';
import { run as runCli } from '../src/cli/run.ts';
import { execute, GIVEN } from './executable.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** A person types what stdin holds. */
  readonly stdinIsTerminal?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The system's clock stands still here, or is asked. */
  readonly clock?: Date | (() => Date);
  /** Instead of sleeping: what happens meanwhile. */
  readonly sleep?: (milliseconds: number) => Promise<void> | void;
  /** Both streams are a terminal of this size. */
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly signal?: AbortSignal;
}

/** `run('certs -o short -f dump.json')`, or a list of words where one holds a space. */
export async function run(
  commandLine: string | readonly string[],
  surroundings: Surroundings = {},
): Promise<Outcome> {
  const { stdin = '', env = {}, clock, terminal, signal = new AbortController().signal } = surroundings;
  const argv = typeof commandLine === 'string' ? wordsOf(commandLine) : commandLine;
  if (GIVEN !== undefined && isPlain(surroundings)) return execute(argv, { env, stdin: stdin as string });
  const input = typeof stdin === 'object' && Symbol.asyncIterator in stdin ? stdin : chunksOf(stdin);
  const stdout = capture(terminal);
  const stderr = capture(terminal);
  const code = await runCli(argv, {
    stdout,
    stderr,
    stdin: input,
    stdinIsTerminal: surroundings.stdinIsTerminal ?? false,
    env,
    clock: {
      now: () => (typeof clock === 'function' ? clock() : (clock ?? new Date())),
      sleep: async (milliseconds) => (surroundings.sleep ?? sleep)(milliseconds),
    },
    about,
    signal,
    connect,
    saveFile,
    createSnapshot,
    findSaved,
    listContexts,
    readInput: (file, ended) => readInput(file, input, ended),
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Split at spaces, but for those in the name of the folder that temporary files are in. */
function wordsOf(commandLine: string): readonly string[] {
  const folder = tmpdir();
  const words = commandLine.replaceAll(folder, '\0').split(' ').filter(Boolean);
  return words.map((word) => word.replaceAll('\0', folder));
}

/** Nothing that can't be given to a process: what else there is runs in this one, whatever KUBECTL_ZTUNNEL says. */
function isPlain({ stdin = '', env: _, ...rest }: Surroundings): boolean {
  const streamed = typeof stdin === 'object' && Symbol.asyncIterator in stdin;
  return !streamed && Object.values(rest).every((value) => value === undefined);
}

function capture(terminal: Surroundings['terminal']) {
  const chunks: string[] = [];
  return {
    terminal,
    write: async (text: string) => {
      chunks.push(text);
    },
    text: () => chunks.join(''),
  };
}

async function* chunksOf(text: string | Uint8Array): AsyncIterable<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  if (bytes.length > 0) yield bytes;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
