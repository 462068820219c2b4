// How text becomes a file that a reader finds whole or not at all.

import { open, rename, rm, stat } from 'node:fs/promises';
import { messageOf, UserError } from '../src/base/errors.ts';
import { removeLeftovers, temporaryBeside } from '../src/sources/snapshot/snapshotwriter.ts';
import { systemClock } from './clock.ts';

/**
 * Writes beside the file and renames at the end. The temporary name does not end in `.prom`, so that a collector of
 * such files does not read it; what killed runs left is removed. Throws UserError; what the text itself throws comes
 * through, and the file stays as it was.
 */
export async function saveFile(path: string, text: AsyncIterable<string>): Promise<void> {
  await refuseSpecial(path);
  await removeLeftovers(path, systemClock.now());
  const temporary = temporaryBeside(path);
  const file = await open(temporary, 'wx', 0o644).catch((error) => refuse(path, error));
  try {
    for await (const chunk of text) {
      await file.write(chunk).catch((error) => refuse(path, error));
    }
    await file.close();
    await rename(temporary, path).catch((error) => refuse(path, error));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Renaming onto /dev/null or a pipe would replace it. */
async function refuseSpecial(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? 'a directory' : 'no regular file';
  throw new UserError(`${path} can't be written: it is ${what}`, 'Name a file that may be replaced.');
}

function refuse(path: string, error: unknown): never {
  throw new UserError(
    `${path} can't be written: ${messageOf(error)}`,
    'Check that its directory exists, may be written to, and has room.',
    { cause: error },
  );
}
