// Which version, commit and date a build has: taken from package.json and git, so that two builds of one commit are the same.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export interface BuildInfo {
  /** As package.json says, without a `v`. */
  readonly version: string;
  /** Forty hexadecimal digits, `-dirty` behind them if files differ from it; null outside of a repository. */
  readonly commit: string | null;
  /** RFC 3339, whole seconds, UTC; null where nothing tells. */
  readonly date: string | null;
}

const ROOT = join(import.meta.dirname, '..');

/** The date is SOURCE_DATE_EPOCH's (https://reproducible-builds.org), else the commit's: never the clock's. */
export function buildInfo(): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const commit = git('rev-parse', 'HEAD');
  const dirty = commit !== undefined && git('status', '--porcelain', '--untracked-files=no') !== '';
  const epoch = process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct');
  return {
    version,
    commit: commit === undefined ? null : `${commit}${dirty ? '-dirty' : ''}`,
    date: epoch === undefined ? null : rfc3339(epoch),
  };
}

function rfc3339(epochSeconds: string): string {
  if (!/^\d{1,11}$/.test(epochSeconds)) throw new Error(`"${epochSeconds}" is no number of seconds`);
  return new Date(Number(epochSeconds) * 1000).toISOString().replace('.000Z', 'Z');
}

/** What git says, or undefined where it has nothing to say. */
function git(...args: readonly string[]): string | undefined {
  // A package unpacked inside some other repository is no part of that.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: join(ROOT, '..') };
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, env, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
