// How a live mesh of many ztunnels is measured: time, memory, and what the mesh saw of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, measureInTurn } from './measure.ts';
import { serveMesh } from './meshprocess.ts';
import type { Seen } from './servemesh.ts';

const COUNT_READS = fileURLToPath(new URL('./countreads.cjs', import.meta.url));

export interface LiveResult extends Measured {
  readonly seen: Seen;
  /** What the program read of all dumps and lists together. */
  readonly bytesRead: number;
}

/**
 * Runs a command against a mesh of its own; the mesh serves from another process. What it reads is counted once as
 * `onNode` (Node.js and words) does the same, since an executable takes no code that counts.
 */
export async function measureLive(
  command: readonly [program: string, ...args: string[]],
  onNode: readonly [program: string, ...args: string[]],
  ztunnels: number,
  runs: number,
): Promise<LiveResult> {
  const mesh = await serveMesh(ztunnels);
  try {
    const { kubeconfig, directory } = mesh;
    const [program, ...args] = command;
    const [measured] = await measureInTurn([{ program, args, env: { KUBECONFIG: kubeconfig } }], runs);
    const seen = await mesh.seen();
    // What a mesh has sent lies in buffers on the way for the most part when the forward is closed.
    const counted = join(directory, 'bytes');
    const env = { KUBECONFIG: kubeconfig, COUNT_READS: counted };
    const [node, ...words] = onNode;
    await measureInTurn([{ program: node, args: ['--require', COUNT_READS, ...words], env }], 0);
    const bytesRead = Number(readFileSync(counted, 'utf8'));
    return { ...measured!, seen: perRun(seen, runs + 1), bytesRead };
  } finally {
    mesh.stop();
  }
}

function perRun({ lists, forwards }: Seen, runs: number): Seen {
  return {
    lists: Object.fromEntries(Object.entries(lists).map(([path, count]) => [path, count / runs])),
    forwards: forwards / runs,
  };
}

/** `trust` against `certs` on one mesh, in turn: certificates that all differ, in 20 trust classes. */
export async function measureTrust(
  command: readonly [program: string, ...args: string[]],
  ztunnels: number,
  runs: number,
): Promise<readonly Measured[]> {
  const mesh = await serveMesh(ztunnels, 'classes');
  const [program, ...args] = command;
  const env = { KUBECONFIG: mesh.kubeconfig };
  try {
    return await measureInTurn(
      ['certs', 'trust'].map((name) => ({ program, args: [...args, name], env })),
      runs,
    );
  } finally {
    mesh.stop();
  }
}
