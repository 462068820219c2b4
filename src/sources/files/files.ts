// A mesh of saved files: config dumps, their ztunnels' pods, and Kubernetes objects, behind the Cluster interface.

import { matchesSelector, parseSelector, type Selector } from '../../base/selector.ts';
import { KINDS, type ListKind, type ListKinds } from '../../model/kinds.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import type { Reference, Ztunnel } from '../../model/types.ts';
import type { Cluster } from '../cluster.ts';
import { nameDumps } from './dumpfiles.ts';
import { type DumpSource, findDumps } from './dumpsources.ts';
import { filterObjects, loadResources, type Resources } from './resourcefiles.ts';

export interface FilesOptions {
  /** Paths of config dumps; `-` is stdin, once. */
  readonly dumps: readonly string[];
  /** Files or directories with the Kubernetes objects that go with them. */
  readonly resources: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly clock: () => Date;
  /** Label selector of ztunnel pods, to find them among the resources. */
  readonly selector: string;
}

/**
 * Reads the resources; dumps are read when they are asked for, and no further than asked. Throws UsageError for
 * a second `-` or a bad selector, UserError naming a resource file that can't be used.
 */
export async function openFiles(options: FilesOptions): Promise<Cluster> {
  const dumps = nameDumps(options.dumps);
  const selector = parseSelector(options.selector);
  const resources = await loadAll(options.resources);
  const warnings = new Set(resources.warning === undefined ? [] : [resources.warning]);
  const identify = identifier(ofKind(resources.objects, 'pods'), selector, warnings);
  let sources: Promise<ReadonlyMap<Ztunnel, DumpSource>> | undefined;
  const find = (signal?: AbortSignal) => {
    sources ??= findDumps(dumps, options.stdin, signal).then(
      (found) => new Map(found.map((source) => [unnamed(source), source])),
    );
    return sources;
  };
  let reference: Reference | undefined;
  return {
    source: 'files',
    namespace: undefined,
    canList: (kind) => ofKind(resources.objects, kind).length > 0,
    list: async (kind, query = {}) => filterObjects(ofKind(resources.objects, kind), query),
    findZtunnels: async ({ signal }) => [...(await find(signal)).keys()],
    openDump: async function* (ztunnel, { signal, ...how }) {
      const found = [...(await find(signal))];
      const source = found.find(([each]) => each === ztunnel || each.name === ztunnel.name)?.[1];
      if (source === undefined) throw new Error(`no dump file is called ${ztunnel.name}`);
      yield* source.open(signal, how);
    },
    setLogging: async () => {
      throw new Error('a saved dump has no log levels: the command must refuse -f');
    },
    identify: async (ztunnel, localNode) => identify(ztunnel, localNode),
    reference: async () => {
      reference ??= { time: options.clock(), source: 'system-clock' };
      return reference;
    },
    clockSkewSeconds: () => undefined,
    warnings: () => [...warnings],
    close: async () => {},
  };
}

async function loadAll(paths: readonly string[]): Promise<Resources> {
  if (paths.length === 0) return { objects: [], warning: undefined };
  return loadResources(paths);
}

function unnamed({ namespace, name }: DumpSource): Ztunnel {
  return { namespace, name, node: null, pod: undefined };
}

function ofKind<K extends ListKind>(objects: readonly KubeObject[], kind: K): readonly ListKinds[K][] {
  // The kind decides the shape, as the decoder has read it by that kind's message.
  return objects.filter((object) => object.kind === KINDS[kind].kind) as ListKinds[K][];
}

/** Gives each pod to the first dump of its node; a second dump of a node keeps its file's name, with a warning. */
function identifier(pods: readonly Pod[], selector: Selector, warnings: Set<string>) {
  const firstOfNode = new Map<string, string>();
  return (ztunnel: Ztunnel, localNode: string | undefined): Ztunnel => {
    if (localNode === undefined) return ztunnel;
    const first = firstOfNode.get(localNode) ?? ztunnel.name;
    firstOfNode.set(localNode, first);
    if (first === ztunnel.name) return nameFileZtunnel(ztunnel, localNode, pods, selector);
    warnings.add(
      `${first} and ${ztunnel.name} are both dumps of node ${localNode}; each counts as a ztunnel of its own.`,
    );
    return { ...ztunnel, node: localNode };
  };
}

/**
 * The ztunnel as the pod that runs on its node, if exactly one can be it: Running, matched by the selector, and
 * not being deleted unless it is the only one. Otherwise it keeps the file's name and only gains the node.
 */
export function nameFileZtunnel(
  ztunnel: Ztunnel,
  localNode: string | undefined,
  pods: readonly Pod[],
  selector: Selector,
): Ztunnel {
  const node = localNode ?? ztunnel.node;
  const running = pods.filter(
    (pod) =>
      node !== null &&
      pod.spec?.nodeName === node &&
      pod.status?.phase === 'Running' &&
      matchesSelector(selector, pod.metadata.labels),
  );
  const staying = running.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const [pod, another] = staying.length > 0 ? staying : running;
  if (pod === undefined || another !== undefined) return { ...ztunnel, node };
  return { namespace: pod.metadata.namespace ?? null, name: pod.metadata.name, node, pod };
}
