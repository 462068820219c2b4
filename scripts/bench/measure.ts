// How long a whole process takes and how much memory: several runs, of which the medians count.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A file that is piped into it. */
  readonly stdin?: string;
}

export interface Measured {
  readonly seconds: number;
  /** User and system time together: what a busy machine disturbs least. */
  readonly cpuSeconds: number | undefined;
  readonly peakMiB: number | undefined;
}

/** GNU time knows what the system knows of a process that has ended. Without it, only the clock is read. */
const GNU_TIME = '/usr/bin/time';
const LONGEST_MS = 600_000;

/** Medians of `runs` runs of each command, taken in turn so that a change of the machine's pace meets all. */
export async function measureInTurn(
  commands: readonly Command[],
  runs: number,
): Promise<readonly Measured[]> {
  const all: Measured[][] = commands.map(() => []);
  // The first run of each is not counted: it fetches files into memory.
  for (let run = 0; run <= runs; run += 1) {
    for (const [index, command] of commands.entries()) {
      const measured = await measureOnce(command);
      if (run > 0) all[index]?.push(measured);
    }
  }
  return all.map((each) => ({
    seconds: median(each.map(({ seconds }) => seconds)) ?? 0,
    cpuSeconds: median(each.map(({ cpuSeconds }) => cpuSeconds)),
    peakMiB: median(each.map(({ peakMiB }) => peakMiB)),
  }));
}

async function measureOnce({ program, args, env, stdin }: Command): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
  const notes = join(directory, 'time');
  const timed = existsSync(GNU_TIME);
  const words = timed ? [GNU_TIME, '-o', notes, '-f', '%U %S %M', program, ...args] : [program, ...args];
  try {
    const begun = performance.now();
    const child = spawn(words[0]!, words.slice(1), {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
      timeout: LONGEST_MS,
    });
    child.stdout?.resume();
    if (stdin !== undefined && child.stdin !== null) {
      // A reader that has enough closes the pipe.
      createReadStream(stdin).pipe(child.stdin.on('error', () => {}));
    }
    const [code, signal] = await once(child, 'close');
    const seconds = (performance.now() - begun) / 1000;
    // 1 is how the program says that something needs attention.
    if (signal !== null || code > 1)
      throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}`);
    const [user, system, kib] = timed
      ? (readFileSync(notes, 'utf8')
          .match(/[\d.]+/g)
          ?.slice(-3) ?? [])
      : [];
    return {
      seconds,
      cpuSeconds: user === undefined ? undefined : Number(user) + Number(system),
      peakMiB: kib === undefined ? undefined : Number(kib) / 1024,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  return known[known.length >> 1];
}
