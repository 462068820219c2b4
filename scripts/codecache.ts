// How V8's code caches come to lie beside the bundle: a process runs the usual commands and keeps what it compiled.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demo } from '../test/mesh/demo.ts';
import { startMesh } from '../test/mesh/mesh.ts';

const WARM_UP = fileURLToPath(new URL('./warmup.cjs', import.meta.url));
const DUMP = fileURLToPath(new URL('../test/testdata/dumps/node-a.config_dump.json', import.meta.url));

const OFFLINE: readonly (readonly string[])[] = [
  ['--help'],
  ['certs', '--help'],
  ['version'],
  ['certs', '-f', DUMP],
  ['certs', '-f', DUMP, '-o', 'short'],
  ['workloads', '-f', DUMP],
];

/** Two, since what asking a mesh takes would slow down the start of a command that asks none. */
const CACHES = { files: OFFLINE, mesh: [...OFFLINE.slice(3), ['certs'], ['workloads']] } as const;

/** Writes `<bundle>.files.cache` and `<bundle>.mesh.cache`. Throws when the commands could not be run. */
export async function writeCodeCaches(bundle: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
  const mesh = await startMesh(await demo(new Date().toISOString()));
  try {
    const env = { KUBECONFIG: mesh.writeKubeconfig(directory) };
    for (const [name, commands] of Object.entries(CACHES)) {
      const args = [WARM_UP, bundle, `${bundle}.${name}.cache`, JSON.stringify(commands)];
      const [code] = await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit');
      if (code !== 0) throw new Error(`no code cache was made: ${WARM_UP} ended with ${code}`);
    }
  } finally {
    await mesh.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
