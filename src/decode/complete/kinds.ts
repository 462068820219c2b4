// Which kinds of Kubernetes objects are read to their last field.

import { compareBy, compareText } from '../../base/order.ts';
import { type Descriptor, descriptorOf } from '../schema/descriptor.ts';

export interface CompleteKind {
  /** `group/version`, or `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Full name of its message. */
  readonly message: string;
  /** False for what comes only alone. */
  readonly listed: boolean;
  /** True if a list's items say their type themselves. */
  readonly typedItems?: boolean;
}

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';

const KINDS: readonly CompleteKind[] = [
  ...['v1', 'v1beta2', 'v1beta1'].map((version) => ({
    apiVersion: `apps/${version}`,
    kind: 'StatefulSet',
    message: `k8s.io.api.apps.${version}.StatefulSet`,
    listed: true,
  })),
  ...['v1', 'v1beta1'].map((version) => ({
    apiVersion: `coordination.k8s.io/${version}`,
    kind: 'Lease',
    message: `k8s.io.api.coordination.${version}.Lease`,
    listed: true,
  })),
  ...['v1beta1', 'v1alpha2'].map((version) => ({
    apiVersion: `coordination.k8s.io/${version}`,
    kind: 'LeaseCandidate',
    message: `k8s.io.api.coordination.${version}.LeaseCandidate`,
    listed: true,
  })),
  {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'PartialObjectMetadata',
    message: `${META}.PartialObjectMetadata`,
    listed: true,
    typedItems: true,
  },
  // What the API server says instead of an object.
  { apiVersion: 'v1', kind: 'Status', message: `${META}.Status`, listed: false },
];

export const LIST = 'List';
const nameOf = (apiVersion: string, kind: string): string => `${apiVersion}.${kind}`;
const BY_NAME = new Map(KINDS.map((each) => [nameOf(each.apiVersion, each.kind), each]));

/** undefined for a kind that is not known; a list is found by findListed. */
export function findKind(apiVersion: string, kind: string): CompleteKind | undefined {
  return BY_NAME.get(nameOf(apiVersion, kind));
}

/** The kind of a list's items, of `LeaseList` Lease. */
export function findListed(apiVersion: string, listKind: string): CompleteKind | undefined {
  if (!listKind.endsWith(LIST)) return undefined;
  const found = findKind(apiVersion, listKind.slice(0, -LIST.length));
  return found?.listed ? found : undefined;
}

export function messageOfKind({ message }: CompleteKind): Descriptor {
  return descriptorOf(message);
}

/** What every object has, known or not. */
export const OBJECT_META = `${META}.ObjectMeta`;
export const LIST_META = `${META}.ListMeta`;

/** All kinds, lists included, by apiVersion and kind. */
export function knownKinds(): readonly { readonly apiVersion: string; readonly kind: string }[] {
  return KINDS.flatMap(({ apiVersion, kind, listed }) => [
    { apiVersion, kind },
    ...(listed ? [{ apiVersion, kind: `${kind}${LIST}` }] : []),
  ]).sort(
    compareBy(
      (a, b) => compareText(a.apiVersion, b.apiVersion),
      (a, b) => compareText(a.kind, b.kind),
    ),
  );
}
