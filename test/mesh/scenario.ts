// What a mesh consists of: Kubernetes objects and the config dumps of its ztunnels, as plain data.

import { identityOf, prefetched } from './captured.ts';
import type { Condition } from './certificates.ts';
import { configDump, dumpText } from './configdump.ts';
import type { DumpSpec, ServiceSpec, WorkloadEntrySpec } from './dumpworkloads.ts';
import { splitName } from './names.ts';
import { withNamespaces } from './namespaces.ts';
import { gather, type Manifest, type Objects } from './resources.ts';
import { daemonSet, node, type Part } from './workloads.ts';

/** A config dump as it is sent, in one or in pieces, or what makes it at each request. */
export type DumpSource = Dump | (() => Dump);
type Dump = string | Uint8Array | readonly Uint8Array[];

/** Everything that a mesh serves. Plain data: change it with a spread. */
export interface Scenario extends Objects {
  /** By `namespace/name` of the ztunnel's pod. A pod without a dump here answers 404 on its admin port. */
  readonly ztunnels: Readonly<Record<string, DumpSource>>;
  /** What the `Date` header says: always one time (RFC 3339), or the system clock plus so many seconds. */
  readonly clock?: { readonly at: string } | { readonly offsetSeconds: number };
  /** The versions of Istio's custom resources, the preferred one first; all by default. None: they are not installed. */
  readonly istioVersions?: readonly string[];
}

/** A mesh in words. */
export interface MeshSpec {
  /** RFC 3339; ages and certificates count from it, and the API server's clock stands there. */
  readonly at: string;
  readonly nodes: readonly string[];
  readonly workloads: readonly Part[];
  /** By `namespace/serviceaccount`, or `namespace/serviceaccount@node` for one node only; OK is the default.
   * Naming an identity without pods on the node makes an orphan. */
  readonly certificates?: Readonly<Record<string, Condition>>;
  readonly services?: readonly ServiceSpec[];
  readonly entries?: readonly WorkloadEntrySpec[];
  /** `cluster.local` by default. */
  readonly trustDomain?: string;
  /** `istio-system/ztunnel` by default: the ztunnels' DaemonSet. */
  readonly ztunnel?: string;
  readonly ztunnelVersion?: string;
}

/** The objects and dumps of a mesh, with one ztunnel per node. */
export async function scenario(spec: MeshSpec): Promise<Scenario> {
  const { trustDomain = 'cluster.local', ztunnelVersion = '1.28.1' } = spec;
  const ztunnels = daemonSet(spec.ztunnel ?? 'istio-system/ztunnel', {
    on: spec.nodes,
    captured: false,
    serviceAccount: 'ztunnel',
    labels: { app: 'ztunnel' },
    image: `docker.io/istio/ztunnel:${ztunnelVersion}`,
  });
  const parts = [...spec.nodes.map((name) => node(name)), ztunnels, ...spec.workloads];
  const objects = gather(parts.map((part) => part(spec.at)));
  const { pods: asked, namespaces } = withNamespaces(objects.pods, spec.at);
  const pods = withAddresses(asked, spec.nodes);
  const dumpSpec: DumpSpec = {
    at: spec.at,
    trustDomain,
    version: ztunnelVersion,
    pods,
    services: spec.services ?? [],
    entries: spec.entries ?? [],
  };
  const dumps: Record<string, string> = {};
  for (const pod of pods.filter((each) => each.metadata.labels?.app === 'ztunnel')) {
    const on = String(pod.spec?.nodeName);
    const dump = await configDump(dumpSpec, on, conditionsOn(on, dumpSpec, spec.certificates ?? {}));
    dumps[`${pod.metadata.namespace}/${pod.metadata.name}`] = dumpText(dump);
  }
  return { ...objects, namespaces, pods, ztunnels: dumps, clock: { at: spec.at } };
}

/** `namespace/name` of the ztunnel pod on a node, for aiming misbehaviour. */
export function ztunnelOn(mesh: Objects, name: string): string {
  const pod = mesh.pods.find(
    (each) => each.metadata.labels?.app === 'ztunnel' && each.spec?.nodeName === name,
  );
  if (pod === undefined) throw new Error(`no ztunnel on ${name}`);
  return `${pod.metadata.namespace}/${pod.metadata.name}`;
}

function conditionsOn(
  on: string,
  spec: DumpSpec,
  wanted: Readonly<Record<string, Condition>>,
): ReadonlyMap<string, Condition> {
  const conditions = new Map<string, Condition>();
  for (const identity of prefetched(spec.pods, on, spec.trustDomain)) {
    const [, , , , namespace, , serviceAccount] = identity.split('/');
    const general = wanted[`${namespace}/${serviceAccount}`];
    conditions.set(identity, general ?? 'OK');
  }
  for (const [key, condition] of Object.entries(wanted)) {
    const [full = '', only] = key.split('@');
    const { namespace, name } = splitName(full);
    if (only === on) conditions.set(identityOf(spec.trustDomain, namespace, name), condition);
  }
  return conditions;
}

/** Pods that have started get addresses: their node's own with hostNetwork, else one of its range. */
function withAddresses(pods: readonly Manifest[], nodes: readonly string[]): readonly Manifest[] {
  return pods.map((pod, index) => {
    const nodeIndex = nodes.indexOf(String(pod.spec?.nodeName));
    if (nodeIndex < 0 || pod.status?.phase === 'Pending') return pod;
    const own = `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    const ip = pod.spec?.hostNetwork === true ? `192.168.0.${nodeIndex + 1}` : own;
    return { ...pod, status: { ...pod.status, podIP: ip, podIPs: [{ ip }] } };
  });
}
