// Which Kubernetes objects the files given by --resources hold.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { decodeResources } from '../../decode/kube/object.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import { joinBytes, readBytes } from './bytestream.ts';
import { fileError } from './fileerror.ts';
import { joinCopies } from './sameobject.ts';

export interface Resources {
  /** Each object once, in the order in which they were first met. */
  readonly objects: readonly KubeObject[];
  /** One sentence naming what was left out; undefined if nothing was. */
  readonly warning: string | undefined;
}

const EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml', '.pb']);
/** What decodeResources takes at most. */
const MAX_FILE_BYTES = 400 * 1024 * 1024;
/** Begins what the API server and etcd hold in protobuf. */
const MAGIC = Buffer.from('k8s\0', 'latin1');

/**
 * Reads files, and those of a directory (not of directories in it) that hold Kubernetes objects by their name
 * or content. Throws UserError naming the file.
 */
export async function loadResources(given: readonly string[]): Promise<Resources> {
  const objects: KubeObject[] = [];
  const skipped = new Set<string>();
  for (const place of given) {
    for (const file of await filesOf(place)) {
      const bytes = await readFile(file.path);
      if (file.found && !holdsObjects(bytes)) {
        if (EXTENSIONS.has(path.extname(file.path).toLowerCase())) skipped.add(path.basename(file.path));
        continue;
      }
      const decoded = decodeFile(bytes, file.path);
      objects.push(...decoded.objects);
      for (const kind of decoded.skipped) skipped.add(kind);
    }
  }
  const joined = joinCopies(objects);
  for (const what of joined.skipped) skipped.add(what);
  return { objects: joined.objects, warning: skipped.size === 0 ? undefined : leftOut(skipped) };
}

interface Found {
  readonly path: string;
  /** Met in a directory, rather than named by the user. */
  readonly found: boolean;
}

async function filesOf(place: string): Promise<readonly Found[]> {
  const subject = `--resources ${place}`;
  try {
    const kind = await stat(place);
    if (!kind.isDirectory()) return [{ path: place, found: false }];
    const names = (await readdir(place)).sort(compareText).map((name) => path.join(place, name));
    const files: Found[] = [];
    for (const name of names) if (await isFile(name)) files.push({ path: name, found: true });
    if (files.length > 0) return files;
  } catch (thrown) {
    throw fileError(thrown, subject);
  }
  throw new UserError(
    `${subject} is a directory without files`,
    'Name the directory that holds the objects.',
  );
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    // A dangling link in a directory is nobody's wish.
    return false;
  }
}

async function readFile(file: string): Promise<Buffer> {
  const subject = `the file ${file}`;
  try {
    const kind = await stat(file);
    if (kind.isCharacterDevice() || kind.isBlockDevice()) {
      throw new UserError(`${subject} is a device, and holds no Kubernetes objects`, 'Name another file.');
    }
    return await joinBytes(readBytes(file), MAX_FILE_BYTES, subject, 'Split it, for example by namespace.');
  } catch (thrown) {
    throw fileError(thrown, subject);
  }
}

/** By content: Kubernetes' magic, or a text that names an apiVersion. */
function holdsObjects(bytes: Buffer): boolean {
  return (
    bytes.subarray(0, MAGIC.length).equals(MAGIC) || (!bytes.includes(0) && bytes.includes('apiVersion'))
  );
}

function decodeFile(bytes: Buffer, file: string): ReturnType<typeof decodeResources> {
  if (bytes.length === 0) {
    throw new UserError(`the file ${file} is empty`, 'Save the objects again, or leave the file out.');
  }
  try {
    return decodeResources(bytes);
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    const message = `the file ${file} can't be used: ${messageOf(thrown).replace(/\.$/, '')}`;
    throw new UserError(message, thrown.hint, { cause: thrown });
  }
}

function leftOut(names: ReadonlySet<string>): string {
  const sorted = [...names].sort(compareText);
  const shown = sorted.slice(0, 10).join(', ');
  const more = sorted.length > 10 ? ` and ${sorted.length - 10} more` : '';
  return `Left out of --resources, as they are not needed here: ${shown}${more}.`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
