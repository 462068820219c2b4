// How a gzipped tar archive is made, and one from anybody unpacked: only files asked for, under names of our own.

import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import { messageOf, UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import { MANIFEST } from '../../decode/manifest.ts';
import { fileError } from '../files/bytestream.ts';

/** What an archive may hold at most: twice the dumps of the largest mesh known. */
const MAX_BYTES = 20 * 1024 ** 3;
const MAX_ENTRIES = 100_000;
/** Text of dumps shrinks to a tenth or less; nothing but a bomb unpacks to more than this many times its size. */
const MAX_RATIO = 200;
/** Below this, a ratio says nothing. */
const RATIO_FROM_BYTES = 64 * 1024 ** 2;
/** Extended headers are held in memory. */
const MAX_HEADER_BYTES = 1024 ** 2;

/** Where each file of an archive that was asked for now is, by its name in the archive. */
export type Unpacked = ReadonlyMap<string, string>;

/**
 * Unpacks those files whose name is wanted into a folder. Names are as in the archive, without `./` before them.
 * Throws UserError naming the archive, and the entry, for what no honest archive holds: links, devices, ways out of
 * it, the same name twice, a bomb.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  isWanted: (name: string) => boolean,
  signal: AbortSignal,
): Promise<Unpacked> {
  const unpacked = new Map<string, string>();
  const { size } = await stat(archive);
  const guard = createGuard(archive, size);
  const tar = extract();
  const read = pipeline(createReadStream(archive), createGunzip(), guard.stream, tar, { signal });
  read.catch(() => {});
  try {
    let entries = 0;
    for await (const entry of tar) {
      guard.entered();
      entries += 1;
      if (entries > MAX_ENTRIES) throw refuse(archive, `it has more than ${MAX_ENTRIES} entries`);
      const name = checkEntry(entry.header, archive);
      const wanted = entry.header.type === 'file' && isWanted(name);
      if (wanted && unpacked.has(name)) throw refuse(archive, `it has ${JSON.stringify(name)} twice`);
      const place = path.join(folder, String(unpacked.size));
      if (wanted) unpacked.set(name, place);
      const sink = wanted ? [createWriteStream(place, { flags: 'wx', mode: 0o600 })] : [];
      await (sink[0] === undefined ? drain(entry, guard) : pipeline(watched(entry, guard), sink[0]));
      guard.entered();
    }
    await read;
  } catch (thrown) {
    signal.throwIfAborted();
    // What ended the reading says more than that the iteration broke off.
    const cause = await read.then(
      () => thrown,
      (first) => (thrown instanceof UserError ? thrown : first),
    );
    throw unusable(archive, cause);
  }
  return unpacked;
}

async function* watched(entry: AsyncIterable<unknown>, guard: Guard): AsyncIterable<Uint8Array> {
  for await (const chunk of entry) {
    guard.entered();
    yield chunk as Uint8Array;
  }
}

async function drain(entry: AsyncIterable<unknown>, guard: Guard): Promise<void> {
  for await (const _ of watched(entry, guard));
}

interface Guard {
  readonly stream: Transform;
  /** The archive has come to an entry, or on with it. */
  entered(): void;
}

/** Counts what is unpacked, and ends it where that can't be honest. */
function createGuard(archive: string, packed: number): Guard {
  let total = 0;
  let sinceEntry = 0;
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      total += chunk.length;
      sinceEntry += chunk.length;
      if (total > MAX_BYTES)
        return done(refuse(archive, `it unpacks to more than ${MAX_BYTES / 1024 ** 3} GiB`));
      if (total > RATIO_FROM_BYTES && total > packed * MAX_RATIO) {
        return done(refuse(archive, `it unpacks to more than ${MAX_RATIO} times its size`));
      }
      if (sinceEntry > MAX_HEADER_BYTES) {
        return done(refuse(archive, `it has a header of more than ${MAX_HEADER_BYTES / 1024} KiB`));
      }
      done(null, chunk);
    },
  });
  return {
    stream,
    entered: () => {
      sinceEntry = 0;
    },
  };
}

const HARMLESS: ReadonlySet<string> = new Set(['file', 'directory']);

/** The entry's name; throws for one that could lead elsewhere, wanted or not. */
function checkEntry({ name, type }: Header, archive: string): string {
  const shown = JSON.stringify(name.slice(0, 200));
  if (!HARMLESS.has(type ?? '')) throw refuse(archive, `its entry ${shown} is a ${type}, not a file`);
  const parts = name.replace(/^(?:\.\/)+/, '').split('/');
  if (name.startsWith('/') || parts.includes('..') || /[\\\0]/.test(name)) {
    throw refuse(archive, `its entry ${shown} leads out of it`);
  }
  return parts.filter((part) => part !== '.' && part !== '').join('/');
}

function refuse(archive: string, why: string): UserError {
  return new UserError(
    `the archive ${archive} is refused: ${why}`,
    'Ask whoever sent it for one that was made by kubectl ztunnel snapshot or istioctl bug-report.',
  );
}

function unusable(archive: string, thrown: unknown): Error {
  if (thrown instanceof UserError) return thrown;
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserError(
      `the archive ${archive} can't be unpacked: there is no space left for it`,
      'Make room, or set TMPDIR to a directory with more.',
      { cause: thrown },
    );
  }
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return fileError(thrown, `the archive ${archive}`);
  return new UserError(
    `the archive ${archive} can't be unpacked: ${messageOf(thrown)}`,
    'It must be a whole gzipped tar archive: fetch or save it again.',
    { cause: thrown },
  );
}

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
  return first || compareText(a, b);
}
