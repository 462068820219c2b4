// Whether the files of a snapshot are the ones that its manifest names, unchanged.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import pMap from 'p-map';
import { UserError } from '../../base/errors.ts';
import type { Manifest, SavedFile } from '../../decode/manifest.ts';
import { fileError } from '../files/bytestream.ts';

const AT_ONCE = 4;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Compares every file of the manifest with its size and checksum, and gives where each is. Throws UserError naming
 * the first that is missing, changed, or a link.
 */
export async function verifyFiles(
  manifest: Manifest,
  place: (name: string) => string | undefined,
  subject: string,
): Promise<(file: string) => string> {
  const files = [
    manifest.pods,
    ...manifest.lists.flatMap(({ saved }) => saved ?? []),
    ...manifest.ztunnels.flatMap(({ dump }) => dump ?? []),
  ];
  const places = new Map(
    await pMap(
      files,
      async (file) => [file.file, await verifyFile(file, place(file.file), subject)] as const,
      { concurrency: AT_ONCE },
    ),
  );
  return (file) => places.get(file)!;
}

async function verifyFile(saved: SavedFile, file: string | undefined, subject: string): Promise<string> {
  const name = `${subject}: its ${saved.file}`;
  if (file === undefined) throw new UserError(`${name} is missing`, HINT);
  try {
    // A link could lead to any file of this machine, and a pipe would never open.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (await isUnchanged(handle, saved)) return file;
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw fileError(thrown, name);
  }
  throw new UserError(`${name} is not the one that was saved: its size or checksum differs`, HINT);
}

const HINT = 'Fetch or unpack the snapshot again, whole and unchanged.';

async function isUnchanged(handle: FileHandle, { bytes, sha256 }: SavedFile): Promise<boolean> {
  const { size } = await handle.stat();
  if (size !== bytes) return false;
  const hash = createHash('sha256');
  const stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false });
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest('hex') === sha256;
}
