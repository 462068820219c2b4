// How a folder becomes a gzipped tar archive that is the same for the same files.

import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { MANIFEST } from '../../decode/manifest.ts';

/** The folder that the archive unpacks into. */
const ROOT = 'ztunnel-snapshot';
/** Of every file in it, so that equal snapshots are equal archives. */
const ATTRIBUTES = { mode: 0o600, uid: 0, gid: 0, mtime: new Date(0) };

/** Writes the archive of these files of the folder: the manifest, then the others by name. */
export async function packArchive(
  folder: string,
  names: readonly string[],
  archive: string,
  signal: AbortSignal,
): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(archive, { flags: 'wx', mode: 0o600 }), {
    signal,
  });
  const fed = (async () => {
    for (const name of [...names].sort(compareNames)) {
      const file = path.join(folder, name);
      const { size } = await stat(file);
      await pipeline(createReadStream(file), tar.entry({ ...ATTRIBUTES, name: `${ROOT}/${name}`, size }), {
        signal,
      });
    }
    tar.finalize();
  })();
  await Promise.all([written, fed]);
}

function compareNames(a: string, b: string): number {
  const first = Number(b === MANIFEST) - Number(a === MANIFEST);
  return first || (a < b ? -1 : a > b ? 1 : 0);
}
