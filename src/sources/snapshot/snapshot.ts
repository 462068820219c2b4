// A snapshot behind the Cluster interface: what the live mesh answered, at the time at which it did.

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { AbsentError, ForbiddenError, messageOf, UserError } from '../../base/errors.ts';
import { decodeKube } from '../../decode/kube/object.ts';
import {
  MANIFEST,
  type Manifest,
  parseManifest,
  type SavedFailure,
  type SavedZtunnel,
} from '../../decode/manifest.ts';
import { KINDS, type Kind, type ListKind, type ListKinds } from '../../model/kinds.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import type { Ztunnel } from '../../model/types.ts';
import type { Cluster, ListQuery } from '../cluster.ts';
import { fileError } from '../files/bytestream.ts';
import { filterObjects } from '../files/resourcefiles.ts';
import { clusterRole } from '../kubernetes/resources.ts';
import { verifyFiles } from './verify.ts';

export interface SnapshotPlace {
  /** As the user gave it, for messages. */
  readonly given: string;
  /** Where a file of the snapshot is; undefined where there is none. */
  readonly place: (name: string) => string | undefined;
  /** Removes what was unpacked, once it is closed. */
  readonly remove: () => Promise<void>;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const JSON_TYPE = 'application/json';
const CHUNK_BYTES = 256 * 1024;

/** Reads the manifest and compares every file with its checksum. Throws UserError naming the snapshot. */
export async function openSnapshot({ given, place, remove }: SnapshotPlace): Promise<Cluster> {
  const subject = `the snapshot ${given}`;
  const manifest = await readManifest(place(MANIFEST)!, subject);
  const pathOf = await verifyFiles(manifest, place, subject);
  const readList = async (file: string): Promise<readonly KubeObject[]> =>
    decodeList(await readFile(pathOf(file)), `${subject}: its ${file}`);
  const ztunnels = nameZtunnels(manifest, (await readList(manifest.pods.file)) as readonly Pod[]);
  return {
    // Read and joined like the mesh that it was taken of.
    source: 'live',
    redacted: manifest.redacted,
    namespace: manifest.namespace ?? undefined,
    canList: (kind) => manifest.lists.some((list) => list.kind === kind),
    list: async (kind, query = {}) => listSaved(kind, query, manifest, readList, subject),
    findZtunnels: async ({ namespace }) =>
      [...ztunnels.keys()].filter((ztunnel) => namespace === undefined || ztunnel.namespace === namespace),
    openDump: (ztunnel, { signal }) => replay(savedOf(ztunnel, ztunnels), pathOf, signal),
    setLogging: async () => {
      throw new UserError('a snapshot has no log levels', 'Ask the live mesh: leave -f out.');
    },
    identify: async (ztunnel) => ztunnel,
    // As if --now had been given: nobody's clock says so any more.
    reference: async () => ({ time: manifest.reference.time, source: 'flag' }),
    clockSkewSeconds: () => manifest.clockSkewSeconds ?? undefined,
    warnings: () => manifest.warnings,
    close: remove,
  };
}

/** Manifests are small: a thousand ztunnels fill half a megabyte. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

async function readManifest(file: string, subject: string): Promise<Manifest> {
  let size: number;
  let bytes: Uint8Array = Buffer.alloc(0);
  try {
    ({ size } = await stat(file));
    if (size <= MAX_MANIFEST_BYTES) bytes = await readFile(file);
  } catch (thrown) {
    throw fileError(thrown, `${subject}: its ${MANIFEST}`);
  }
  if (size > MAX_MANIFEST_BYTES) {
    throw new UserError(`${subject} can't be used: its ${MANIFEST} is too large`, 'Take the snapshot again.');
  }
  try {
    return parseManifest(bytes);
  } catch (thrown) {
    throw named(thrown, `${subject} can't be used`);
  }
}

function decodeList(bytes: Uint8Array, subject: string): readonly KubeObject[] {
  try {
    const document = decodeKube(bytes, subject.endsWith('.json') ? JSON_TYPE : PROTOBUF);
    if (document.type === 'list') return document.items as readonly KubeObject[];
  } catch (thrown) {
    throw named(thrown, `${subject} can't be used`);
  }
  throw new UserError(`${subject} is no list`, 'Take the snapshot again.');
}

function named(thrown: unknown, subject: string): unknown {
  if (!(thrown instanceof UserError)) return thrown;
  return new UserError(`${subject}: ${messageOf(thrown)}`, thrown.hint, { cause: thrown });
}

function nameZtunnels(manifest: Manifest, pods: readonly Pod[]): ReadonlyMap<Ztunnel, SavedZtunnel> {
  const byName = new Map(pods.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]));
  return new Map(
    manifest.ztunnels.map((saved) => {
      const { namespace, name, node } = saved;
      return [{ namespace, name, node, pod: byName.get(`${namespace}/${name}`) }, saved];
    }),
  );
}

function savedOf(ztunnel: Ztunnel, ztunnels: ReadonlyMap<Ztunnel, SavedZtunnel>): SavedZtunnel {
  const saved = ztunnels.get(ztunnel);
  if (saved === undefined) throw new Error(`${ztunnel.name} is no ztunnel of this snapshot`);
  return saved;
}

/** The bytes as they came, and then what ended them. */
async function* replay(
  { dump, failure }: SavedZtunnel,
  pathOf: (file: string) => string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  signal.throwIfAborted();
  if (dump !== null) yield* createReadStream(pathOf(dump.file), { highWaterMark: CHUNK_BYTES, signal });
  if (failure !== null) throw errorOf(failure);
}

/** All of the namespace asked for, from the list of all namespaces if that was allowed; else what was said instead. */
async function listSaved<K extends ListKind>(
  kind: K,
  query: ListQuery,
  { lists }: Manifest,
  readList: (file: string) => Promise<readonly KubeObject[]>,
  subject: string,
): Promise<readonly ListKinds[K][]> {
  const attempt = (namespace: string | null) =>
    lists.find((list) => list.kind === kind && list.namespace === namespace);
  const all = attempt(null);
  const own = query.namespace === undefined ? undefined : attempt(query.namespace);
  const saved = all?.saved ?? own?.saved;
  // The kind decides the shape, as the decoder has read it by that kind's message.
  if (saved) return filterObjects((await readList(saved.file)) as readonly ListKinds[K][], query);
  const failure = own?.failure ?? all?.failure;
  if (failure) throw errorOf(failure);
  const hint = 'Take it again with this release.';
  const resource: Kind = KINDS[kind];
  // Taken before this kind was known, and no command needs it.
  if (resource.optional) throw new AbsentError(`${subject} holds no ${kind}`, hint);
  throw new UserError(`${subject} holds no ${kind}`, hint);
}

function errorOf({ message, hint, forbidden, absent }: SavedFailure): UserError {
  if (absent) return new AbsentError(message, hint);
  return forbidden
    ? new ForbiddenError(message, hint, { clusterRole: clusterRole() })
    : new UserError(message, hint);
}
