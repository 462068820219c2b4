// How texts, objects and dumps enter a snapshot: unchanged, or redacted for strangers to read.

import { AbsentError, ForbiddenError, UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import { createDumpReader } from '../../decode/dump/configdump.ts';
import { renderRedactedDump } from '../../decode/dump/redacteddump.ts';
import type { SavedFailure, SavedZtunnel } from '../../decode/manifest.ts';
import { type ConfigDump, SECTIONS, type Section } from '../../model/dump.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import { redactVersion } from '../../model/redact/dump.ts';
import { createNames, type Names } from '../../model/redact/names.ts';
import { redactObject } from '../../model/redact/object.ts';
import type { Ztunnel } from '../../model/types.ts';
import { findImageTag } from '../../model/ztunnels/ztunnels.ts';

/** What is said of a ztunnel whether it answers or not. */
export type SavedIdentity = Pick<SavedZtunnel, 'namespace' | 'name' | 'node' | 'version'>;

export interface Keeping {
  readonly ztunnel: (ztunnel: Ztunnel) => SavedIdentity;
  readonly object: <T extends KubeObject>(object: T) => T;
  readonly namespace: (name: string) => string;
  /** A sentence that may hold anything; undefined if it is not kept. */
  readonly sentence: (text: string) => string | undefined;
  /** What is no UserError is a bug, and thrown on. */
  readonly failure: (error: unknown) => SavedFailure;
  /** For one dump. */
  readonly inspect: () => Inspection;
  /** How many dumps may be on their way at once. */
  readonly atOnce: number;
}

/** Looks at a dump on its way into the snapshot. */
export interface Inspection {
  /** What is to be written. What ends the chunks early is thrown on, after what had come. */
  readonly watch: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** What is known once all is written: its version, and why it is no config dump. */
  readonly end: () => { readonly version: string | undefined; readonly problem: UserError | undefined };
}

/** Keeps all but the API server's address: it is nobody's business who gets the snapshot. */
export function keepAll(server: string | undefined): Keeping {
  const hide = hider(server);
  return {
    ztunnel: ({ namespace, name, node, pod }) => {
      const version = (pod && findImageTag(pod)) ?? null;
      return { namespace: namespace ?? '', name, node, version };
    },
    object: (object) => object,
    namespace: (name) => name,
    sentence: hide,
    failure: (error) => {
      const { message, hint, ...kind } = describeFailure(error);
      return { message: hide(message), hint: hide(hint), ...kind };
    },
    inspect,
    atOnce: 8,
  };
}

/** As the user is told of it. What is no UserError is a bug, and thrown on. */
export function describeFailure(error: unknown): SavedFailure {
  if (!(error instanceof UserError)) throw error;
  const { message, hint } = error;
  return {
    message,
    hint,
    forbidden: error instanceof ForbiddenError,
    ...(error instanceof AbsentError && { absent: true as const }),
  };
}

function hider(server: string | undefined): (text: string) => string {
  const url = server === undefined ? null : URL.parse(server);
  if (server === undefined || url === null) return (text) => text;
  const spellings = [
    `the API server ${server}`,
    server,
    url.host,
    ...(isLoopback(url) ? [] : [url.hostname]),
  ];
  return (text) =>
    spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, 'the API server'), text);
}

/** An address that a ztunnel's own words may hold, too. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Reads along whether it is a config dump, to its end; what is none is kept as far as it took to know. */
function inspect(): Inspection {
  const reader = createDumpReader({ sections: new Set(['version']), keepRaw: false, toTheEnd: true });
  let problem: UserError | undefined;
  return {
    async *watch(chunks) {
      for await (const chunk of chunks) {
        yield chunk;
        problem = attempt(() => void reader.write(chunk));
        if (problem !== undefined) return;
      }
    },
    end: () => {
      let version: string | undefined;
      problem ??= attempt(() => {
        version = reader.end().version;
      });
      return { version, problem };
    },
  };
}

function attempt(action: () => void): UserError | undefined {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof UserError) return thrown;
    throw thrown;
  }
  return undefined;
}

/** What of a mesh's names has to be known before the first is replaced. */
export interface Known {
  readonly ztunnels: readonly Ztunnel[];
  /** Pods and StatefulSets, as far as they may be listed. */
  readonly objects: readonly KubeObject[];
}

/** A whole dump and what is left of it are held meanwhile. */
const AT_ONCE = 2;

/** Names under a key that nobody keeps; of sentences, only what kind they are of. */
export function redactAll(key: Uint8Array, known: Known): Keeping {
  const names = namesOf(key, known);
  const plain = keepAll(undefined);
  return {
    ztunnel: (ztunnel) => {
      const { namespace, name, node, version } = plain.ztunnel(ztunnel);
      return {
        namespace: names.name(namespace),
        name: names.name(name),
        node: node && names.name(node),
        version: version && redactVersion(version, names),
      };
    },
    // Its kind, and so its shape, stays.
    object: <T extends KubeObject>(object: T) => redactObject(object, names) as T,
    namespace: names.name,
    sentence: () => undefined,
    failure: (error) => {
      const { forbidden, absent } = describeFailure(error);
      const message = forbidden ? 'the API server refused it' : 'it could not be had';
      return {
        message,
        hint: 'The snapshot is redacted: ask who took it.',
        forbidden,
        ...(absent && { absent }),
      };
    },
    inspect: () => inspectRedacting(names),
    atOnce: AT_ONCE,
  };
}

/** The nodes of ztunnels keep their order: by it is chosen whose dump is read where one is enough. */
function namesOf(key: Uint8Array, { ztunnels, objects }: Known): Names {
  const pods = objects.filter((object): object is Pod => object.kind === 'Pod');
  const ranked = new Set(ztunnels.flatMap(({ node }) => node ?? []));
  const nodes = pods.flatMap(({ spec }) => spec?.nodeName ?? []).filter((node) => !ranked.has(node));
  return createNames({
    key,
    ranked: [...ranked].sort(compareText),
    whole: [...listStatefulSets(objects), ...nodes],
    hosted: pods.flatMap(({ metadata: { name: pod }, spec }) =>
      spec?.nodeName && pod.endsWith(`-${spec.nodeName}`) ? [{ pod, node: spec.nodeName }] : [],
    ),
  });
}

/** Also those that only their pods name. */
function listStatefulSets(objects: readonly KubeObject[]): readonly string[] {
  return objects
    .flatMap(({ kind, metadata }) => [{ kind, name: metadata.name }, ...(metadata.ownerReferences ?? [])])
    .filter(({ kind, name }) => kind === 'StatefulSet' && !name.includes('.'))
    .map(({ name }) => name);
}

const ALL: ReadonlySet<Section> = new Set(SECTIONS);

/** Takes a dump in and gives out what is left of it: of one that breaks off, the sections that were whole. */
function inspectRedacting(names: Names): Inspection {
  const reader = createDumpReader({ sections: ALL, keepRaw: false, toTheEnd: true });
  let dump: ConfigDump | undefined;
  return {
    async *watch(chunks) {
      let failure: { readonly thrown: unknown } | undefined;
      try {
        for await (const chunk of chunks) reader.write(chunk);
        dump = reader.end();
      } catch (thrown) {
        failure = { thrown };
      }
      yield* inChunks(renderRedactedDump(dump ?? reader.rescue(), names, dump !== undefined));
      if (failure !== undefined) throw failure.thrown;
    },
    end: () => ({ version: dump?.version && redactVersion(dump.version, names), problem: undefined }),
  };
}

const CHUNK_CHARACTERS = 256 * 1024;

/** A dump may have 100,000 members, and none is worth a chunk of its own. */
function* inChunks(texts: Iterable<string>): Iterable<Uint8Array> {
  let text = '';
  for (const piece of texts) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
