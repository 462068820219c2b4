// The plain values that model tests start from: dumps, ztunnels, pods and their controllers.

import type {
  CertificateEntry,
  ConfigDump,
  DumpCertificate,
  Policy,
  Section,
  Service,
  Workload,
} from '../../src/model/dump.ts';
import type { KubeObject, OwnerReference, Pod, StatefulSet } from '../../src/model/kubernetes.ts';
import type { Answer, Inventory, Listed, Ztunnel } from '../../src/model/types.ts';

export const CART = 'spiffe://cluster.local/ns/shop/sa/cart';

export function entry(values: Partial<CertificateEntry> = {}): CertificateEntry {
  return { identity: CART, state: 'Initializing', chain: [], roots: undefined, raw: undefined, ...values };
}

export function available(
  chain: readonly DumpCertificate[],
  roots: readonly DumpCertificate[] | undefined,
  values: Partial<CertificateEntry> = {},
): CertificateEntry {
  return entry({ state: 'Available', chain, roots, ...values });
}

const ALL: readonly Section[] = ['certificates', 'config', 'services', 'workloads'];

export function dump(values: Partial<ConfigDump> & { readonly node?: string } = {}): ConfigDump {
  const { node, ...others } = values;
  return {
    sections: new Set(ALL),
    certificates: [],
    workloads: [],
    services: [],
    policies: [],
    capturedPods: [],
    config: {
      localNode: node,
      clusterId: 'Kubernetes',
      network: undefined,
      proxyMode: 'Shared',
      caAddress: undefined,
      secretTtlSeconds: undefined,
      fakeCa: false,
      xdsOnDemand: false,
      raw: undefined,
    },
    version: undefined,
    cryptoProvider: undefined,
    problems: [],
    ...others,
  };
}

/** A ztunnel pod of a live mesh. */
export function ztunnel(name: string, node: string, phase = 'Running'): Ztunnel {
  const metadata = { name, namespace: 'istio-system' };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: node }, status: { phase } };
  return { namespace: 'istio-system', name, node, pod };
}

/** A dump file without the pod that it came from. */
export function file(name: string): Ztunnel {
  return { namespace: null, name, node: null, pod: undefined };
}

export function answer(of: Ztunnel, values: Parameters<typeof dump>[0] = {}): Answer {
  return { ztunnel: of, dump: dump(values) };
}

export interface PodValues {
  readonly name?: string;
  readonly namespace?: string;
  readonly owner?: OwnerReference | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly spec?: Pod['spec'];
  readonly status?: Pod['status'];
}

/** A captured pod of shop/cart, Running on node-a since long ago. */
export function pod(values: PodValues = {}): Pod {
  const { name = 'cart-0', namespace = 'shop', owner, spec, status, ...meta } = values;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-of-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { 'ambient.istio.io/redirection': 'enabled' },
      ...(owner && { ownerReferences: [owner] }),
      ...meta,
    },
    spec: { nodeName: 'node-a', serviceAccountName: 'cart', ...spec },
    status: { phase: 'Running', startTime: '2026-01-01T00:00:00Z', ...status },
  };
}

/** `apps/v1 ReplicaSet web-1` as a controller reference. */
export function controlledBy(text: string, controller = true): OwnerReference {
  const [apiVersion = '', kind = '', name = ''] = text.split(' ');
  return { apiVersion, kind, name, uid: `uid-of-${name}`, controller };
}

/** `apps/v1 ReplicaSet web-1` as an object in namespace shop. */
export function object(text: string, owner?: OwnerReference): KubeObject {
  const { apiVersion, kind, name, uid } = controlledBy(text);
  const metadata = { name, namespace: 'shop', uid, ...(owner && { ownerReferences: [owner] }) };
  return { apiVersion, kind, metadata };
}

export function statefulSet(name: string, replicas?: number, readyReplicas?: number): StatefulSet {
  const spec = replicas === undefined ? {} : { replicas };
  const status = readyReplicas === undefined ? {} : { readyReplicas };
  return { ...object(`apps/v1 StatefulSet ${name}`), kind: 'StatefulSet', spec, status };
}

export function listed<T>(...items: readonly T[]): Listed<T> {
  return { known: true, items };
}

export const notAsked = { known: false, why: 'not-asked' } as const;
export const forbidden = { known: false, why: 'forbidden' } as const;

export function inventory(values: Partial<Inventory> = {}): Inventory {
  return {
    pods: notAsked,
    replicaSets: notAsked,
    jobs: notAsked,
    statefulSets: notAsked,
    ...values,
  };
}

/** The pod shop/cart-0 on node-a as ztunnel knows it. */
export function workload(values: Partial<Workload> = {}): Workload {
  const { namespace = 'shop', name = 'cart-0' } = values;
  return {
    uid: `Kubernetes//Pod/${namespace}/${name}`,
    name,
    namespace,
    serviceAccount: 'cart',
    trustDomain: 'cluster.local',
    addresses: ['10.1.0.11'],
    hostname: '',
    protocol: 'HBONE',
    networkMode: 'Standard',
    nativeTunnel: false,
    node: 'node-a',
    network: '',
    clusterId: 'Kubernetes',
    status: 'Healthy',
    waypoint: undefined,
    networkGateway: undefined,
    applicationTunnel: undefined,
    locality: undefined,
    capacity: 1,
    authorizationPolicies: [],
    services: [],
    raw: undefined,
    ...values,
  };
}

/** The service shop/cart, on port 80, with the pod shop/cart-0 behind its port 8080. */
export function service(values: Partial<Service> = {}): Service {
  const { namespace = 'shop', name = 'cart' } = values;
  return {
    name,
    namespace,
    hostname: `${name}.${namespace}.svc.cluster.local`,
    vips: ['/10.96.0.1'],
    cidrVips: [],
    subjectAltNames: [],
    ports: [{ port: 80, targetPort: 8080 }],
    endpoints: [{ workloadUid: `Kubernetes//Pod/${namespace}/cart-0`, status: 'Healthy', ports: [] }],
    waypoint: undefined,
    weightedWaypoints: [],
    loadBalancer: undefined,
    ipFamilies: '',
    canonical: false,
    visibility: '',
    raw: undefined,
    ...values,
  };
}

/** An ALLOW in namespace shop, without rules: it allows nothing. */
export function policy(values: Partial<Policy> = {}): Policy {
  return {
    name: 'p',
    namespace: 'shop',
    action: 'Allow',
    scope: 'Namespace',
    dryRun: false,
    rules: [],
    raw: undefined,
    ...values,
  };
}
