// Which Kubernetes objects the files of --resources hold, which of several copies counts, and which a query asks for.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import { matchesSelector, parseSelector } from '../../base/selector.ts';
import { decodeResources } from '../../decode/kube/object.ts';
import { ALL_KINDS, apiVersionOf } from '../../model/kinds.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { ListQuery } from '../cluster.ts';
import { fileError, joinBytes, readBytes } from './bytestream.ts';

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

export interface Joined {
  /** Each object once, in the order in which they were first met. */
  readonly objects: readonly KubeObject[];
  /** What can't be used, for whoever gave it; each may come more than once. */
  readonly skipped: readonly string[];
}

/** What `kubectl get --raw` saves when only metadata was asked for: the object's own kind is lost. */
const METADATA_ALONE = 'PartialObjectMetadata';

/** The kinds of which nothing but metadata is read. */
const TOLD_BY_METADATA: ReadonlySet<string> = new Set(
  ALL_KINDS.filter(({ metadataOnly }) => metadataOnly).map((kind) => `${apiVersionOf(kind)}/${kind.kind}`),
);

/**
 * An object that was given more than once counts once: the copy of which most was saved, and one without its kind
 * only where there is no other. Such a one gets the kind by which any of the objects names it as its owner.
 */
export function joinCopies(given: readonly KubeObject[]): Joined {
  const typed = new Set(given.flatMap((object) => (hasKind(object) ? (object.metadata.uid ?? []) : [])));
  const ownerKinds = indexOwners(given);
  const kept = new Map<string, { readonly object: KubeObject; readonly size: number }>();
  const skipped: string[] = [];
  for (const copy of given) {
    const { uid, namespace = '', name } = copy.metadata;
    if (!hasKind(copy) && uid !== undefined && typed.has(uid)) continue;
    const object = hasKind(copy) ? copy : withKind(copy, ownerKinds);
    if (typeof object === 'string') {
      skipped.push(object);
      continue;
    }
    const key = uid ?? `${object.kind}/${namespace}/${name}`;
    const size = JSON.stringify(object).length;
    if (size > (kept.get(key)?.size ?? -1)) kept.set(key, { object, size });
  }
  return { objects: [...kept.values()].map(({ object }) => object), skipped };
}

function hasKind({ kind }: KubeObject): boolean {
  return kind !== METADATA_ALONE;
}

type OwnerKinds = ReadonlyMap<string, Pick<KubeObject, 'apiVersion' | 'kind'>>;

/** By uid: the first reference that was met counts. */
function indexOwners(objects: readonly KubeObject[]): OwnerKinds {
  const kinds = new Map<string, Pick<KubeObject, 'apiVersion' | 'kind'>>();
  for (const { apiVersion, kind, uid } of objects.flatMap(({ metadata }) => metadata.ownerReferences ?? [])) {
    if (uid && !kinds.has(uid)) kinds.set(uid, { apiVersion, kind });
  }
  return kinds;
}

/** The object with its kind, or what is said of it where that is not known or needs more than metadata. */
function withKind(object: KubeObject, ownerKinds: OwnerKinds): KubeObject | string {
  const own = ownerKinds.get(object.metadata.uid ?? '');
  if (own === undefined) return `${METADATA_ALONE} that no object names as its owner`;
  const { apiVersion, kind } = own;
  // Metadata alone would make a StatefulSet one without replicas, and a Pod one without a node.
  return TOLD_BY_METADATA.has(`${apiVersion}/${kind}`)
    ? { ...object, apiVersion, kind }
    : `${METADATA_ALONE} of ${apiVersion}/${kind}`;
}

/** Those of the namespace and with the labels that are asked for. Throws UsageError for a bad selector. */
export function filterObjects<T extends KubeObject>(
  objects: readonly T[],
  { namespace, labelSelector }: ListQuery,
): readonly T[] {
  const selector = labelSelector === undefined ? [] : parseSelector(labelSelector);
  return objects.filter(
    ({ metadata }) =>
      (namespace === undefined || metadata.namespace === namespace) &&
      matchesSelector(selector, metadata.labels),
  );
}
