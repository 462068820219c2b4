// How objects become a list: selected, in etcd's order, and one page at a time.

import { compareText } from './names.ts';
import { apiVersionOf, type Manifest, type ResourceType } from './resources.ts';
import { parseFieldSelector, parseLabelSelector } from './selectors.ts';

export interface List {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly object[];
}

const RESOURCE_VERSION = '4711';

/** One page of a list. Throws on a selector that can't be read. */
export function listObjects(
  type: ResourceType,
  all: readonly Manifest[],
  namespace: string | undefined,
  query: URLSearchParams,
): List {
  const wanted = inOrder(all)
    .filter((object) => namespace === undefined || object.metadata.namespace === namespace)
    .filter(selectorOf(query.get('labelSelector'), parseLabelSelector))
    .filter(selectorOf(query.get('fieldSelector'), parseFieldSelector));
  const after = lastKeyOf(query.get('continue'));
  const rest = after === undefined ? wanted : wanted.filter((object) => keyOf(object) > after);
  const limit = Number(query.get('limit')) || rest.length;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const more = rest.length - page.length;
  const paging = more > 0 && last ? { continue: tokenAfter(keyOf(last)), remainingItemCount: more } : {};
  return {
    apiVersion: apiVersionOf(type),
    kind: `${type.kind}List`,
    metadata: { resourceVersion: RESOURCE_VERSION, ...paging },
    // Items of a list carry no kind and version of their own.
    items: page.map(({ apiVersion: _version, kind: _kind, ...object }) => object),
  };
}

/** The same list, with the metadata of its items only. */
export function metadataOnly(list: List): List {
  return {
    ...list,
    apiVersion: 'meta.k8s.io/v1',
    kind: 'PartialObjectMetadataList',
    items: list.items.map((item) => partialOf(item as Manifest)),
  };
}

/** The metadata of one object. */
export function partialOf({ metadata }: Pick<Manifest, 'metadata'>): Manifest {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

function selectorOf(
  text: string | null,
  parse: (text: string) => (manifest: Manifest) => boolean,
): (manifest: Manifest) => boolean {
  return text ? parse(text) : () => true;
}

const ordered = new WeakMap<readonly Manifest[], readonly Manifest[]>();

/** Sorted once, not for each page of a list of many thousands. */
function inOrder(all: readonly Manifest[]): readonly Manifest[] {
  const known = ordered.get(all) ?? all.toSorted((a, b) => compareText(keyOf(a), keyOf(b)));
  ordered.set(all, known);
  return known;
}

/** etcd's order: by namespace, then by name. */
function keyOf(object: { readonly metadata: Manifest['metadata'] }): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

function tokenAfter(key: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 4711, start: `${key}\0` })).toString(
    'base64url',
  );
}

function lastKeyOf(token: string | null): string | undefined {
  if (!token) return undefined;
  return JSON.parse(Buffer.from(token, 'base64url').toString()).start.slice(0, -1);
}
