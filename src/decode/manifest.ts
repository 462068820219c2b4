// What a snapshot's manifest.json says: when it was taken, of which ztunnels and lists, and which files hold them.

import { UserError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Reference } from '../model/types.ts';
import {
  fieldOf,
  flagOf,
  listOf,
  objectOf,
  requiredTextOf,
  ShapeError,
  textOf,
  within,
} from './dump/fields.ts';

export const MANIFEST = 'manifest.json';
const API_VERSION = 'ztunnel.kubectl/v1';
const KIND = 'Snapshot';

/** A file of the snapshot, as it was when it was written. */
export interface SavedFile {
  /** `dumps/…` or `objects/…`. */
  readonly file: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** What could not be had, as the user was told. */
export interface SavedFailure {
  readonly message: string;
  readonly hint: string;
  /** The API server refused a right. */
  readonly forbidden: boolean;
  /** The API server did not have the kind. */
  readonly absent?: true;
}

export interface SavedZtunnel {
  readonly namespace: string;
  readonly name: string;
  readonly node: string | null;
  /** What its dump says, else its image's tag. */
  readonly version: string | null;
  /** As far as it came; null if nothing did, or the pod was not asked. */
  readonly dump: SavedFile | null;
  /** What ended the answer before its end. */
  readonly failure: SavedFailure | null;
  /** Why the whole answer is not a config dump that can be read. */
  readonly problem: string | null;
}

/** One attempt to list a kind. */
export interface SavedList {
  /** The plural: `pods`. */
  readonly kind: string;
  /** null: all namespaces. */
  readonly namespace: string | null;
  readonly items: number;
  readonly saved: SavedFile | null;
  readonly failure: SavedFailure | null;
}

export interface Manifest {
  readonly reference: Reference;
  /** See Cluster.clockSkewSeconds. */
  readonly clockSkewSeconds: number | null;
  /** The context's. */
  readonly namespace: string | null;
  /** Names are replaced, and certificates cut down to what is judged of them. */
  readonly redacted: boolean;
  /** What was warned of. */
  readonly warnings: readonly string[];
  /** In scope, in the order found. */
  readonly ztunnels: readonly SavedZtunnel[];
  /** The pods of `ztunnels`. */
  readonly pods: SavedFile;
  readonly lists: readonly SavedList[];
}

/** As JSON text, with keys in a fixed order. */
export function renderManifest(manifest: Manifest): string {
  const { reference, ...rest } = manifest;
  const time = reference.time.toISOString();
  const document = {
    apiVersion: API_VERSION,
    kind: KIND,
    reference: { time, source: reference.source },
    ...rest,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads a manifest from whomever. Throws UserError, which does not name the snapshot, on anything that is none. */
export function parseManifest(bytes: Uint8Array): Manifest {
  try {
    return manifestOf(JSON.parse(Buffer.from(bytes).toString('utf8')) as Json);
  } catch (thrown) {
    if (thrown instanceof UserError) throw thrown;
    const what = thrown instanceof ShapeError ? thrown.message.trim() : 'it is not JSON';
    throw new UserError(`its ${MANIFEST} can't be read: ${what}`, 'Take the snapshot again.', {
      cause: thrown,
    });
  }
}

function manifestOf(json: Json): Manifest {
  const object = objectOf(json);
  const [apiVersion, kind] = [textOf(object, 'apiVersion'), textOf(object, 'kind')];
  if (apiVersion !== API_VERSION || kind !== KIND) {
    throw new UserError(
      `its ${MANIFEST} is of kind ${JSON.stringify(`${apiVersion}/${kind}`)}, not ${API_VERSION}/${KIND}`,
      'A snapshot of a later release needs that release.',
    );
  }
  const skew = fieldOf(object, 'clockSkewSeconds');
  return {
    reference: within('reference', () => referenceOf(objectOf(object.reference))),
    clockSkewSeconds: typeof skew === 'number' ? skew : null,
    namespace: textOf(object, 'namespace') || null,
    redacted: flagOf(object, 'redacted'),
    warnings: (listOf(object, 'warnings') ?? []).filter((each) => typeof each === 'string'),
    ztunnels: each(object, 'ztunnels', ztunnelOf),
    pods: within('pods', () => fileOf(objectOf(object.pods))),
    lists: each(object, 'lists', savedListOf),
  };
}

function each<T>(object: JsonObject, name: string, read: (element: JsonObject) => T): readonly T[] {
  return (listOf(object, name) ?? []).map((element, index) =>
    within(`${name}[${index}]`, () => read(objectOf(element))),
  );
}

const SOURCES: readonly Reference['source'][] = ['api-server', 'system-clock', 'flag'];

function referenceOf(object: JsonObject): Reference {
  const time = new Date(requiredTextOf(object, 'time'));
  if (Number.isNaN(time.getTime())) throw new ShapeError('time', 'is no time');
  const source = SOURCES.find((known) => known === object.source);
  if (source === undefined) throw new ShapeError('source', `is none of ${SOURCES.join(', ')}`);
  return { time, source };
}

function ztunnelOf(object: JsonObject): SavedZtunnel {
  return {
    namespace: requiredTextOf(object, 'namespace'),
    name: requiredTextOf(object, 'name'),
    node: textOf(object, 'node') || null,
    version: textOf(object, 'version') || null,
    dump: optional(object, 'dump', fileOf),
    failure: optional(object, 'failure', failureOf),
    problem: textOf(object, 'problem') || null,
  };
}

function savedListOf(object: JsonObject): SavedList {
  const saved = optional(object, 'saved', fileOf);
  const failure = optional(object, 'failure', failureOf);
  if (saved === null && failure === null) throw new ShapeError('', 'has neither a file nor a failure');
  const { items } = object;
  return {
    kind: requiredTextOf(object, 'kind'),
    namespace: textOf(object, 'namespace') || null,
    items: typeof items === 'number' ? items : 0,
    saved,
    failure,
  };
}

function optional<T>(object: JsonObject, name: string, read: (held: JsonObject) => T): T | null {
  const value = fieldOf(object, name);
  return value === undefined ? null : within(name, () => read(objectOf(value)));
}

function failureOf(object: JsonObject): SavedFailure {
  return {
    message: requiredTextOf(object, 'message'),
    hint: textOf(object, 'hint'),
    forbidden: flagOf(object, 'forbidden'),
    ...(flagOf(object, 'absent') && { absent: true as const }),
  };
}

/** No way up, no hidden files, nothing below these two. */
export const FILE_NAME = /^(?:dumps|objects)\/[A-Za-z0-9][A-Za-z0-9._-]{0,220}$/;

function fileOf(object: JsonObject): SavedFile {
  const { bytes } = object;
  const file = requiredTextOf(object, 'file');
  const sha256 = requiredTextOf(object, 'sha256');
  if (!FILE_NAME.test(file))
    throw new ShapeError('file', `is no name of a snapshot's file: ${JSON.stringify(file)}`);
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) throw new ShapeError('bytes', 'is no size');
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new ShapeError('sha256', 'is no checksum');
  return { file, bytes: Number(bytes), sha256 };
}
