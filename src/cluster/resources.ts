// Where each kind of list lives in the Kubernetes API, and how it is asked for.

import type { ListKind } from './cluster.ts';

export interface Resource {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural of paths and rights. */
  readonly plural: string;
  readonly kind: string;
  /** Only the metadata of the objects is asked for. */
  readonly metadataOnly: boolean;
  /** Defined by a CustomResourceDefinition: JSON only, and `version` is found by discovery (customresources.ts). */
  readonly custom?: true;
  /** What is found without it is said to be less, and nothing fails; older snapshots need not have it. */
  readonly optional?: true;
}

const ISTIO = {
  group: 'networking.istio.io',
  version: 'v1',
  metadataOnly: false,
  custom: true,
  optional: true,
} as const;

export const RESOURCES = {
  pods: { group: '', version: 'v1', plural: 'pods', kind: 'Pod', metadataOnly: false },
  replicasets: {
    group: 'apps',
    version: 'v1',
    plural: 'replicasets',
    kind: 'ReplicaSet',
    metadataOnly: true,
  },
  jobs: { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', metadataOnly: true },
  statefulsets: {
    group: 'apps',
    version: 'v1',
    plural: 'statefulsets',
    kind: 'StatefulSet',
    metadataOnly: false,
  },
  leases: {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    metadataOnly: false,
  },
  namespaces: {
    group: '',
    version: 'v1',
    plural: 'namespaces',
    kind: 'Namespace',
    metadataOnly: true,
    optional: true,
  },
  serviceentries: { ...ISTIO, plural: 'serviceentries', kind: 'ServiceEntry' },
  destinationrules: { ...ISTIO, plural: 'destinationrules', kind: 'DestinationRule' },
} as const satisfies Record<ListKind, Resource>;

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a list, of one namespace or of all. */
export function listPath(resource: Resource, namespace: string | undefined): string {
  const root = resource.group === '' ? '/api' : `/apis/${resource.group}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${resource.version}${scope}/${resource.plural}`;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const METADATA = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Protobuf first, it is smaller and faster to read; JSON for what does not speak it. */
export function acceptOf(resource: Resource): string {
  if (resource.custom) return 'application/json';
  return resource.metadataOnly
    ? `${PROTOBUF};${METADATA}, application/json;${METADATA};q=0.9, ${PROTOBUF};q=0.8, application/json;q=0.5`
    : `${PROTOBUF}, application/json;q=0.5`;
}
