// Which of several copies of a Kubernetes object counts, and what kind one is that was saved without it.

import { ALL_KINDS, apiVersionOf } from '../../model/kinds.ts';
import type { KubeObject } from '../../model/kubernetes.ts';

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
