// What a directory holds under some names: snapshots as folders or archives, and dumps.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { kindOf } from '../files/filechunks.ts';
import { fileError } from '../files/fileerror.ts';

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
