// How a process of its own serves the mesh that is asked, and tells what it has seen.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Seen } from './servemesh.ts';

const SERVER = fileURLToPath(new URL('./servemesh.ts', import.meta.url));

export interface MeshProcess {
  /** The path of a file. */
  readonly kubeconfig: string;
  /** For what else a measurement writes; gone with the mesh. */
  readonly directory: string;
  /** Since it was last asked. */
  seen(): Promise<Seen>;
  stop(): void;
}

/** `hangs`: its ztunnels take connections and never answer; `classes`: all certificates differ, in 20 trust classes. */
export async function serveMesh(ztunnels: number, kind?: 'hangs' | 'classes'): Promise<MeshProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
  const server = fork(SERVER, [String(ztunnels), directory, ...(kind === undefined ? [] : [kind])]);
  const [kubeconfig] = await once(server, 'message');
  return {
    kubeconfig,
    directory,
    seen: async () => {
      server.send('seen');
      const [seen] = await once(server, 'message');
      return seen as Seen;
    },
    stop: () => {
      server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
