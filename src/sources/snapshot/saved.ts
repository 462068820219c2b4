// What -f names, or a directory holds: snapshots as folders or archives, bug reports, or single dumps.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf, UsageError, UserError } from '../../base/errors.ts';
import { FILE_NAME, MANIFEST } from '../../decode/manifest.ts';
import type { Cluster } from '../cluster.ts';
import { fileError } from '../files/bytestream.ts';
import { ARCHIVE_HEAD_BYTES, isArchive, kindOf, readHead } from '../files/filechunks.ts';
import { type Unpacked, unpackArchive } from './archive.ts';
import { findReportDumps, isReportDump, openBugReport } from './bugreport.ts';
import { openSnapshot } from './snapshot.ts';

export interface SavedOptions {
  /** As given with -f. */
  readonly files: readonly string[];
  readonly resources: readonly string[];
  /** Label selector of ztunnel pods, for bug reports. */
  readonly selector: string;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  /** Where an archive is unpacked; the system's place for temporary files if undefined. */
  readonly temporary: string | undefined;
}

/**
 * Opens a snapshot or a bug report; undefined if no file is one. An archive is unpacked into a temporary folder, which
 * closing removes. Throws UsageError if there is something beside it, UserError naming the path for what is refused.
 */
export async function openSaved(options: SavedOptions): Promise<Cluster | undefined> {
  const { files, resources } = options;
  const kinds = await Promise.all(files.map(holderOf));
  const at = kinds.findIndex((kind) => kind !== undefined);
  if (at === -1) return undefined;
  const given = files[at]!;
  if (files.length > 1) {
    throw new UsageError(`${given} holds a whole mesh and is read alone`, 'Leave the other -f out.');
  }
  if (kinds[at] === 'archive') return openArchive(given, options);
  return openSnapshotAlone(
    given,
    (name) => path.join(given, name),
    async () => {},
    resources,
  );
}

async function holderOf(given: string): Promise<'folder' | 'archive' | undefined> {
  if (given === '-') return undefined;
  const kind = await kindOf(given);
  if (kind === 'file') return isArchive(await readHead(given, ARCHIVE_HEAD_BYTES)) ? 'archive' : undefined;
  if (kind !== 'folder') return undefined;
  return (await kindOf(path.join(given, MANIFEST))) === 'file' ? 'folder' : undefined;
}

async function openSnapshotAlone(
  given: string,
  place: (name: string) => string | undefined,
  remove: () => Promise<void>,
  resources: readonly string[],
): Promise<Cluster> {
  if (resources.length > 0) {
    throw new UsageError(
      `--resources and the snapshot ${given} exclude each other: it holds its own objects`,
      'Leave --resources out.',
    );
  }
  return openSnapshot({ given, place, remove });
}

async function openArchive(given: string, options: SavedOptions): Promise<Cluster> {
  const folder = await makeTemporary(options.temporary ?? tmpdir());
  const remove = () => rm(folder, { recursive: true, force: true });
  const isWanted = (name: string) => nameInSnapshot(name) !== undefined || isReportDump(name);
  try {
    const unpacked = await unpackArchive(given, folder, isWanted, options.signal);
    return await openUnpacked(given, unpacked, remove, options);
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

async function makeTemporary(place: string): Promise<string> {
  try {
    return await mkdtemp(path.join(place, 'kubectl-ztunnel-'));
  } catch (thrown) {
    throw new UserError(
      `there is no place to unpack an archive: ${messageOf(thrown)}`,
      'Set TMPDIR to a directory that may be written to.',
      { cause: thrown },
    );
  }
}

async function openUnpacked(
  given: string,
  unpacked: Unpacked,
  remove: () => Promise<void>,
  options: SavedOptions,
): Promise<Cluster> {
  const files = new Map([...unpacked].map(([name, place]) => [nameInSnapshot(name) ?? name, place]));
  if (files.has(MANIFEST)) {
    return openSnapshotAlone(given, (name) => files.get(name), remove, options.resources);
  }
  const dumps = await findReportDumps(unpacked);
  if (dumps.length > 0) return openBugReport({ ...options, dumps, remove });
  throw new UserError(
    `the archive ${given} holds neither the ${MANIFEST} of a snapshot nor a config dump of a ztunnel`,
    'Give one that kubectl ztunnel snapshot or istioctl bug-report made; a single dump must not be compressed.',
  );
}

/** What a file of an archive is called in the snapshot; a folder around everything does not matter. */
function nameInSnapshot(name: string): string | undefined {
  const inner = /^(?:[^/]+\/)?(manifest\.json|(?:dumps|objects)\/[^/]+)$/.exec(name)?.[1];
  return inner !== undefined && (inner === MANIFEST || FILE_NAME.test(inner)) ? inner : undefined;
}

/** What may follow a name; a folder has no ending. */
const ENDINGS = ['.tar.gz', '.tgz', '.json', '.yaml', '.yml'] as const;

/**
 * The paths of what is there for each name, none or several included. Names hold no separator. Throws UserError if the
 * directory is none, or may not be read.
 */
export async function findSavedUnder(
  directory: string,
  names: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const found = await stat(directory).catch((thrown) => {
    throw fileError(thrown, `the directory ${directory}`);
  });
  if (!found.isDirectory()) {
    throw new UserError(
      `${directory} is not a directory`,
      'With --contexts, name a directory that holds a snapshot or dump for each of them.',
    );
  }
  return Promise.all(names.map((name) => findOne(path.join(directory, name))));
}

async function findOne(start: string): Promise<readonly string[]> {
  const kinds = await Promise.all(['', ...ENDINGS].map((ending) => kindOf(`${start}${ending}`)));
  return kinds.flatMap((kind, at) => {
    if (at === 0) return kind === 'folder' ? [start] : [];
    return kind === undefined ? [] : [`${start}${ENDINGS[at - 1]}`];
  });
}
