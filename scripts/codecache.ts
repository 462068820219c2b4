// How V8's code caches come to lie beside the bundle: a process compiles it, by running commands or as a whole.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PARTS } from './parts.ts';

const WARM_UP = fileURLToPath(new URL('./warmup.cjs', import.meta.url));
const DUMP = fileURLToPath(new URL('../test/testdata/dumps/node-a.config_dump.json', import.meta.url));
const PODS = fileURLToPath(new URL('../test/testdata/kubernetes/all-pods.pb', import.meta.url));

/** With these the same bundle makes the same caches; V8 leaves both out when it compares its flags with a cache's. */
const SAME_EVERY_TIME = ['--random-seed=1', '--predictable'];

const TEXTS: readonly (readonly string[])[] = [
  ['--help'],
  ['certs', '--help'],
  ['version'],
  ['__complete', 'certs', '--out'],
];
const OFFLINE: readonly (readonly string[])[] = [
  ['certs', '-f', DUMP],
  ['certs', '-f', DUMP, '-o', 'short'],
  ['workloads', '-f', DUMP],
];

/** These and the next need parts that the others don't. */
const OFFLINE_OBJECTS: readonly (readonly string[])[] = [['certs', '-f', DUMP, '--resources', PODS]];
const OFFLINE_REST: readonly (readonly string[])[] = [
  ['check', '-f', DUMP],
  ['services', '-f', DUMP],
  ['all', '-f', DUMP],
];

/**
 * Two of all but the first part, since the code that asks a mesh would slow down the start of a command that asks none.
 * For a mesh all functions are compiled: which of them it needs depends on how its answers happen to arrive, and would
 * change the cache.
 */
const CACHES = [
  { part: PARTS[0].name, suffix: '', commands: [...TEXTS, ...OFFLINE] },
  { part: PARTS[1].name, suffix: '.files', commands: OFFLINE },
  { part: PARTS[1].name, suffix: '.mesh', commands: 'all' },
  { part: PARTS[2].name, suffix: '.files', commands: OFFLINE_OBJECTS },
  { part: PARTS[2].name, suffix: '.mesh', commands: 'all' },
  { part: PARTS[3].name, suffix: '.files', commands: OFFLINE_REST },
  { part: PARTS[3].name, suffix: '.mesh', commands: 'all' },
] as const;

/** The names of the files that the built program consists of; those of the caches end in `.cache`. */
export const BUNDLE: readonly string[] = [
  ...new Set(CACHES.flatMap(({ part, suffix }) => [part, `${part}${suffix}.cache`])),
];

/** Writes the caches beside the parts. Throws when the commands could not be run. */
export async function writeCodeCaches(folder: string): Promise<void> {
  for (const { part, suffix, commands } of CACHES) {
    const file = join(folder, part);
    const list = commands === 'all' ? commands : JSON.stringify(commands);
    const [code] = await once(
      spawn(process.execPath, [...SAME_EVERY_TIME, WARM_UP, file, `${file}${suffix}.cache`, list], {
        env: {},
        stdio: 'ignore',
        timeout: 120_000,
      }),
      'exit',
    );
    if (code !== 0) throw new Error(`no code cache was made: ${WARM_UP} ended with ${code}`);
  }
}
