// How a snapshot is written under a temporary name until it is whole, and leftovers of killed runs removed.

import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { MANIFEST, type SavedFile } from '../../decode/manifest.ts';
import { packArchive } from './archive.ts';

export interface SnapshotWriter {
  /**
   * Writes the chunks as they come, holding none. `error` is what ended them early; what had come is kept, null
   * stands for nothing at all. Throws UserError when the disk does not take it.
   */
  save(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Saving>;
  /** Adds the manifest and gives the snapshot its name. Gives its size on the disk in bytes. */
  finish(manifest: string): Promise<number>;
  /** Removes what there is so far; does nothing after `finish`. */
  discard(): Promise<void>;
}

export interface Saving {
  readonly saved: SavedFile | null;
  readonly error: unknown;
}

const ARCHIVE = /\.(?:tar\.gz|tgz)$/;

/**
 * Begins a snapshot: a gzipped tar archive where the name says so, else a directory. Throws UserError if there is
 * something under that name already, or nothing can be written there. Removes what killed runs left under the same
 * name.
 */
export async function createSnapshot(
  target: string,
  signal: AbortSignal,
  now: Date,
): Promise<SnapshotWriter> {
  await refuseExisting(target);
  await removeLeftovers(target, now);
  const folder = temporaryBeside(target);
  try {
    for (const name of ['', 'dumps', 'objects']) await mkdir(path.join(folder, name), { mode: 0o700 });
  } catch (thrown) {
    throw unwritable(target, thrown);
  }
  const names: string[] = [];
  const write = async (name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
    const file = await open(path.join(folder, name), 'wx', 0o600).catch((thrown) => {
      throw unwritable(target, thrown);
    });
    names.push(name);
    try {
      return await fill(file, name, chunks, target);
    } finally {
      await file.close();
    }
  };
  return {
    save: async (name, chunks) => {
      const saving = await write(name, chunks);
      return saving.saved.bytes === 0 ? { ...saving, saved: null } : saving;
    },
    finish: async (manifest) => {
      await write(MANIFEST, [Buffer.from(manifest)]);
      try {
        return await (ARCHIVE.test(target) ? renameArchive : renameFolder)(folder, target, names, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        throw unwritable(target, thrown);
      }
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

async function fill(
  file: FileHandle,
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  target: string,
): Promise<{ readonly saved: SavedFile; readonly error: unknown }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let full: UserError | undefined;
  let error: unknown;
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk).catch((thrown) => {
        full = unwritable(target, thrown);
        throw full;
      });
    }
  } catch (thrown) {
    error = thrown;
  }
  if (full !== undefined) throw full;
  return { saved: { file: name, bytes, sha256: hash.digest('hex') }, error };
}

async function renameFolder(folder: string, target: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  await rename(folder, target);
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

async function renameArchive(
  folder: string,
  target: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const archive = path.join(folder, 'archive');
  await packArchive(folder, names, archive, signal);
  const { size } = await stat(archive);
  await rename(archive, target);
  await rm(folder, { recursive: true, force: true });
  return size;
}

/** An empty directory may be filled; anything else could be somebody's. */
async function refuseExisting(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return;
  if (found.isDirectory() && !ARCHIVE.test(target) && (await readdir(target)).length === 0) return;
  throw new UserError(
    `${target} exists already`,
    'Name a snapshot that does not exist yet, or remove it first.',
  );
}

function unwritable(target: string, thrown: unknown): UserError {
  if (thrown instanceof UserError) return thrown;
  return new UserError(
    `the snapshot ${target} can't be written: ${messageOf(thrown)}`,
    'Check that its directory exists, may be written to, and has room.',
    { cause: thrown },
  );
}

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
