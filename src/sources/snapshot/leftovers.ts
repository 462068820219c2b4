// What a program that was killed left beside the name that it was to write, and when that may be removed.

import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Nothing takes so long to write. */
const STALE_MS = 24 * 60 * 60 * 1000;
const RANDOM_BYTES = 6;
const ENDING = /^\.[0-9a-f]{12}\.tmp$/;

/** Where a file or folder of that name is written until it is whole: beside it, under a name that nobody else has. */
export function temporaryBeside(target: string): string {
  return `${path.resolve(target)}.${randomBytes(RANDOM_BYTES).toString('hex')}.tmp`;
}

/**
 * Removes what was once begun under a name like temporaryBeside's for the same target, and has not changed for a day.
 * Never throws: what can't be removed stays.
 */
export async function removeLeftovers(target: string, now: Date): Promise<void> {
  const { dir, base } = path.parse(path.resolve(target));
  const names = await readdir(dir).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(base) || !ENDING.test(name.slice(base.length))) continue;
    const leftover = path.join(dir, name);
    if (await isStale(leftover, now)) await rm(leftover, { recursive: true, force: true }).catch(() => {});
  }
}

/** What it holds counts as well: a folder itself changes only when something comes into it. */
async function isStale(leftover: string, now: Date): Promise<boolean> {
  const inside = await readdir(leftover, { recursive: true }).catch(() => []);
  const paths = [leftover, ...inside.map((name) => path.join(leftover, name))];
  // One that can't be looked at is somebody's.
  const changed = await Promise.all(
    paths.map((each) =>
      lstat(each).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
  return Math.max(...changed) < now.getTime() - STALE_MS;
}
