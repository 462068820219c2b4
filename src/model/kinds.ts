// Which kinds of Kubernetes objects the program lists, and all that is to be known of each.

import type { DestinationRule, KubeObject, Lease, Pod, ServiceEntry, StatefulSet } from './kubernetes.ts';
import { redactDestinationRule, redactServiceEntry } from './redact/istio.ts';
import type { Names } from './redact/names.ts';
import { redactLease, redactPod, redactStatefulSet } from './redact/objects.ts';

/** The kinds by their plural, and the shape of their objects. */
export interface ListKinds {
  readonly pods: Pod;
  /** Metadata only: just the owner references are needed. */
  readonly replicasets: KubeObject;
  /** Metadata only. */
  readonly jobs: KubeObject;
  readonly statefulsets: StatefulSet;
  readonly leases: Lease;
  /** Metadata only, above all the labels; the right to list them is optional. */
  readonly namespaces: KubeObject;
  readonly serviceentries: ServiceEntry;
  readonly destinationrules: DestinationRule;
}
export type ListKind = keyof ListKinds;

/** The name of a message in proto/, by which objects are decoded; what it has no field for is skipped. */
export type MessageName = `k8s.io.api.${string}` | `ztunnel.cut.${string}`;

export interface Kind {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural of paths and rights. */
  readonly plural: string;
  readonly kind: string;
  readonly message: MessageName;
  /** The message by which snapshots hold it, where that is less than is read otherwise. */
  readonly saved?: MessageName;
  /** Versions that files and etcd may hold besides, with their messages. */
  readonly otherVersions?: Readonly<Record<string, MessageName>>;
  /** Only the metadata of the objects is asked for. */
  readonly metadataOnly?: true;
  /** Defined by a CustomResourceDefinition, so that it may be absent: JSON only, in a version that discovery finds. */
  readonly custom?: true;
  /** What is found without it is said to be less, and nothing fails; older snapshots need not have it. */
  readonly optional?: true;
  /** A namespace of which commands list this kind alone. */
  readonly usualNamespace?: string;
  /** What is not known without it, as the end of a sentence. */
  readonly without: string;
  /** What a redacted object keeps besides its metadata. */
  readonly redact: (object: never, names: Names) => object;
}

const METADATA = { message: 'ztunnel.cut.Metadata', metadataOnly: true, redact: () => ({}) } as const;

/** Istio's kinds have the same fields in every version. */
const istio = <M extends MessageName>(message: M) =>
  ({
    group: 'networking.istio.io',
    version: 'v1',
    message,
    otherVersions: { v1beta1: message, v1alpha3: message },
    custom: true,
    optional: true,
    without: 'not all names that clients expect are known',
  }) as const;

export const KINDS = {
  pods: {
    group: '',
    version: 'v1',
    plural: 'pods',
    kind: 'Pod',
    message: 'ztunnel.cut.Pod',
    without: 'owners and MISSING certificates are not known',
    redact: redactPod,
  },
  replicasets: {
    ...METADATA,
    group: 'apps',
    version: 'v1',
    plural: 'replicasets',
    kind: 'ReplicaSet',
    without: 'owners stop at ReplicaSets',
  },
  jobs: {
    ...METADATA,
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    kind: 'Job',
    without: 'owners stop at Jobs',
  },
  statefulsets: {
    group: 'apps',
    version: 'v1',
    plural: 'statefulsets',
    kind: 'StatefulSet',
    message: 'ztunnel.cut.StatefulSet',
    without: 'the replicas of StatefulSets are not known',
    redact: redactStatefulSet,
  },
  leases: {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    message: 'k8s.io.api.coordination.v1.Lease',
    saved: 'ztunnel.cut.Lease',
    otherVersions: { v1beta1: 'k8s.io.api.coordination.v1beta1.Lease' },
    usualNamespace: 'kube-node-lease',
    without: 'dead nodes are not known',
    redact: redactLease,
  },
  namespaces: {
    ...METADATA,
    group: '',
    version: 'v1',
    plural: 'namespaces',
    kind: 'Namespace',
    optional: true,
    without: 'what is to be captured is not known',
  },
  serviceentries: {
    ...istio('ztunnel.cut.ServiceEntry'),
    plural: 'serviceentries',
    kind: 'ServiceEntry',
    redact: redactServiceEntry,
  },
  destinationrules: {
    ...istio('ztunnel.cut.DestinationRule'),
    plural: 'destinationrules',
    kind: 'DestinationRule',
    redact: redactDestinationRule,
  },
} as const satisfies Record<ListKind, Kind>;

/** The kinds in the order in which they are listed and saved. */
export const LIST_KINDS = Object.keys(KINDS) as readonly ListKind[];

/** All kinds as values of one type. */
export const ALL_KINDS: readonly Kind[] = Object.values(KINDS);

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The kind of that name, whatever its version; undefined for one that is not listed. */
export function findKind(kind: string): Kind | undefined {
  return ALL_KINDS.find((each) => each.kind === kind);
}
