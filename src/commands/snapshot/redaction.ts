// What becomes of texts, objects and dumps in a snapshot that strangers may read.

import { createDumpReader } from '../../decode/dump/configdump.ts';
import { renderRedactedDump } from '../../decode/dump/redacteddump.ts';
import { type ConfigDump, SECTIONS, type Section } from '../../model/dump.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import { compareText } from '../../model/order.ts';
import { redactVersion } from '../../model/redact/dump.ts';
import { createNames, type Names } from '../../model/redact/names.ts';
import { redactObject } from '../../model/redact/object.ts';
import type { Ztunnel } from '../../model/types.ts';
import { describeFailure, type Inspection, type Keeping, keepAll } from './keeping.ts';

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
