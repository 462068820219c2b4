// Which Kubernetes resources the embedded mesh serves, and the shape of the objects in it.

/** A Kubernetes object as the API server's JSON has it; fields beyond these are served as they are. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: Data;
  readonly status?: Data;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export type Data = Readonly<Record<string, unknown>>;

/** Of Istio's custom resources; a scenario says in which versions they are served. */
export const ISTIO_GROUP = 'networking.istio.io';

/** API group, version and kind of each resource; the core group is ''. */
export const RESOURCES = {
  nodes: { group: '', version: 'v1', kind: 'Node', namespaced: false },
  namespaces: { group: '', version: 'v1', kind: 'Namespace', namespaced: false },
  pods: { group: '', version: 'v1', kind: 'Pod', namespaced: true },
  replicasets: { group: 'apps', version: 'v1', kind: 'ReplicaSet', namespaced: true },
  statefulsets: { group: 'apps', version: 'v1', kind: 'StatefulSet', namespaced: true },
  jobs: { group: 'batch', version: 'v1', kind: 'Job', namespaced: true },
  leases: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespaced: true },
  serviceentries: { group: ISTIO_GROUP, version: 'v1', kind: 'ServiceEntry', namespaced: true, custom: true },
  destinationrules: {
    group: ISTIO_GROUP,
    version: 'v1',
    kind: 'DestinationRule',
    namespaced: true,
    custom: true,
  },
} as const satisfies Record<string, ResourceType>;

export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Defined by a CustomResourceDefinition: JSON only. */
  readonly custom?: true;
}

export type Resource = keyof typeof RESOURCES;
export type Objects = { readonly [R in Resource]: readonly Manifest[] };

/** `apps/v1`, or `v1` of the core group. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** The objects of several parts in one, in the order given. */
export function gather(parts: readonly Partial<Objects>[]): Objects {
  const all = (resource: Resource) => parts.flatMap((part) => part[resource] ?? []);
  return {
    nodes: all('nodes'),
    namespaces: all('namespaces'),
    pods: all('pods'),
    replicasets: all('replicasets'),
    statefulsets: all('statefulsets'),
    jobs: all('jobs'),
    leases: all('leases'),
    serviceentries: all('serviceentries'),
    destinationrules: all('destinationrules'),
  };
}
