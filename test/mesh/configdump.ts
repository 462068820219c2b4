// What a ztunnel's config dump says of the pods and services of a made-up mesh, in the shape of ztunnel 1.26 and later.

import type { JsonObject } from '../../src/base/json.ts';
import { isCaptured, isKnown, serviceAccountOf } from './captured.ts';
import { type Condition, certificateEntry } from './certificates.ts';
import { type DumpSpec, entryWorkload, podWorkload, serviceJson } from './dumpworkloads.ts';
import { compareText } from './names.ts';
import type { Manifest } from './resources.ts';

/** The dump of the ztunnel on `node` with these certificates, as a value; keys sorted as ztunnel sorts them. */
export async function configDump(
  spec: DumpSpec,
  node: string,
  conditions: ReadonlyMap<string, Condition>,
): Promise<JsonObject> {
  const certificates = [];
  for (const [identity, condition] of [...conditions].sort(([a], [b]) => compareText(a, b))) {
    const entry = await certificateEntry(identity, condition, spec.at);
    if (entry !== undefined) certificates.push(entry);
  }
  const podWorkloads = spec.pods.filter(isKnown).map((pod) => podWorkload(pod, spec));
  const workloads = [...podWorkloads, ...spec.entries.map((entry) => entryWorkload(entry, spec))];
  return {
    certificates,
    config: config(node),
    policies: [],
    services: spec.services.map((service) => serviceJson(service, spec)),
    stagedServices: {},
    staticConfig: { policies: [], services: [], workloads: [] },
    version: version(spec.version),
    workloadState: workloadState(spec.pods, node),
    workloads: workloads.sort((a, b) => compareText(String(a.uid), String(b.uid))),
  };
}

function workloadState(pods: readonly Manifest[], node: string): JsonObject {
  const here = pods.filter((pod) => isKnown(pod) && isCaptured(pod) && pod.spec?.nodeName === node);
  const byUid = here.map((pod): [string, JsonObject] => [
    pod.metadata.uid ?? '',
    {
      connections: { inbound: [], outbound: [] },
      info: {
        name: pod.metadata.name,
        namespace: pod.metadata.namespace,
        serviceAccount: serviceAccountOf(pod),
      },
      state: 'Up',
    },
  ]);
  return Object.fromEntries(byUid.sort(([a], [b]) => compareText(a, b)));
}

function config(node: string): JsonObject {
  return {
    adminAddr: { Localhost: [true, 15000] },
    caAddress: 'https://istiod.istio-system.svc:15012',
    clusterDomain: 'cluster.local',
    clusterId: 'Kubernetes',
    localNode: node,
    network: '',
    proxyMode: 'Shared',
    secretTtl: { nanos: 0, secs: 86_400 },
  };
}

function version(istioVersion: string): JsonObject {
  return {
    buildProfile: 'release',
    buildStatus: 'Clean',
    cryptoProvider: 'tls-aws-lc',
    gitRevision: '5fa1c9e0b6a6d1d6f0f4f1d1d6c0a7f0e5d4c3b2',
    istioVersion,
    rustVersion: '1.90.0',
    version: '5fa1c9e0b6a6d1d6f0f4f1d1d6c0a7f0e5d4c3b2',
  };
}

/** A dump as ztunnel writes it: pretty-printed, the keys of every object in order. */
export function dumpText(dump: JsonObject): string {
  return JSON.stringify(dump, sorted, 2);
}

function sorted(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}
