// How a live mesh of many ztunnels is measured: time, memory, and what the mesh saw of it.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, measureInTurn } from './measure.ts';
import type { Seen } from './servemesh.ts';

const SERVER = fileURLToPath(new URL('./servemesh.ts', import.meta.url));

const COUNT_READS = fileURLToPath(new URL('./countreads.cjs', import.meta.url));

export interface LiveResult extends Measured {
  readonly seen: Seen;
  /** What the program read of all dumps and lists together. */
  readonly bytesRead: number;
}

/** Runs a command (Node and words) against a mesh of its own; the mesh serves from another process. */
export async function measureLive(
  command: readonly [program: string, ...args: string[]],
  ztunnels: number,
  runs: number,
): Promise<LiveResult> {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
  const server = fork(SERVER, [String(ztunnels), directory]);
  try {
    const [kubeconfig] = await once(server, 'message');
    const [program, ...args] = command;
    const [measured] = await measureInTurn([{ program, args, env: { KUBECONFIG: kubeconfig } }], runs);
    server.send('seen');
    const [seen] = await once(server, 'message');
    // What a mesh has sent lies in buffers on the way for the most part when the forward is closed.
    const counted = join(directory, 'bytes');
    const env = { KUBECONFIG: kubeconfig, COUNT_READS: counted };
    await measureInTurn([{ program, args: ['--require', COUNT_READS, ...args], env }], 0);
    const bytesRead = Number(readFileSync(counted, 'utf8'));
    return { ...measured!, seen: perRun(seen as Seen, runs + 1), bytesRead };
  } finally {
    server.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

function perRun({ lists, forwards }: Seen, runs: number): Seen {
  return {
    lists: Object.fromEntries(Object.entries(lists).map(([path, count]) => [path, count / runs])),
    forwards: forwards / runs,
  };
}
