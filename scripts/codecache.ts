// How V8's code caches come to lie beside the bundle: a process compiles it, by running commands or as a whole.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const WARM_UP = fileURLToPath(new URL('./warmup.cjs', import.meta.url));
const DUMP = fileURLToPath(new URL('../test/testdata/dumps/node-a.config_dump.json', import.meta.url));

/** With these the same bundle makes the same caches; V8 leaves both out when it compares its flags with a cache's. */
const SAME_EVERY_TIME = ['--random-seed=1', '--predictable'];

const OFFLINE: readonly (readonly string[])[] = [
  ['--help'],
  ['certs', '--help'],
  ['version'],
  ['certs', '-f', DUMP],
  ['certs', '-f', DUMP, '-o', 'short'],
  ['workloads', '-f', DUMP],
];

/**
 * Two, since the code that asks a mesh would slow down the start of a command that asks none. For a mesh all functions
 * are compiled: which of them it needs depends on how its answers happen to arrive, and would change the cache.
 */
const CACHES = { files: OFFLINE, mesh: 'all' } as const;

/** Writes `<bundle>.files.cache` and `<bundle>.mesh.cache`. Throws when the commands could not be run. */
export async function writeCodeCaches(bundle: string): Promise<void> {
  for (const [name, commands] of Object.entries(CACHES)) {
    const args = [...SAME_EVERY_TIME, WARM_UP, bundle, `${bundle}.${name}.cache`, JSON.stringify(commands)];
    const [code] = await once(
      spawn(process.execPath, args, { env: {}, stdio: 'ignore', timeout: 120_000 }),
      'exit',
    );
    if (code !== 0) throw new Error(`no code cache was made: ${WARM_UP} ended with ${code}`);
  }
}
