// How a made-up pod looks: captured or not, its phase, readiness and age.

import { type OwnerKey, object, THREE_DAYS } from './manifest.ts';
import { before } from './names.ts';
import type { Data, Manifest, Metadata } from './resources.ts';

export interface PodOptions {
  /** The nodes that its pods run on, one pod each. */
  readonly on: readonly string[];
  /** The workload's own name by default. */
  readonly serviceAccount?: string;
  /** Annotated by istio-cni: yes by default (never with hostNetwork), no, or not accepted by a ztunnel yet. */
  readonly captured?: boolean | 'pending';
  readonly hostNetwork?: boolean;
  /** `Running` by default. */
  readonly phase?: string;
  readonly ready?: boolean;
  /** Three days by default. */
  readonly ageSeconds?: number;
  readonly deleting?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly image?: string;
}

/** A pod of a controller. */
export function podOf(
  owner: OwnerKey,
  name: string,
  node: string,
  at: string,
  options: PodOptions,
): Manifest {
  return pod(owner.namespace, name, owner.name, node, at, options, owner);
}

/** A pod, with or without an owner; `app` names its label, container and, by default, its service account. */
export function pod(
  namespace: string,
  name: string,
  app: string,
  node: string,
  at: string,
  options: PodOptions,
  owner: OwnerKey | undefined,
): Manifest {
  const key = { apiVersion: 'v1', kind: 'Pod', namespace, name };
  const plain = object(key, at, options, owner);
  const redirection = options.captured === 'pending' ? 'pending' : 'enabled';
  const captured = options.captured !== false && !options.hostNetwork;
  const metadata: Metadata = {
    ...plain.metadata,
    labels: { app, ...options.labels },
    ...(captured ? { annotations: { 'ambient.istio.io/redirection': redirection } } : {}),
    ...(options.deleting ? { deletionTimestamp: before(at, -20) } : {}),
  };
  return { ...plain, metadata, spec: podSpec(app, node, options), status: podStatus(at, options) };
}

function podSpec(app: string, node: string, options: PodOptions): Data {
  const serviceAccount = options.serviceAccount ?? app;
  return {
    containers: [{ name: 'main', image: options.image ?? `registry.example/${app}:1` }],
    serviceAccountName: serviceAccount,
    serviceAccount,
    nodeName: node,
    ...(options.hostNetwork ? { hostNetwork: true } : {}),
  };
}

function podStatus(at: string, options: PodOptions): Data {
  const phase = options.phase ?? 'Running';
  const ready = phase === 'Running' && options.ready !== false;
  const image = options.image ?? 'registry.example/app:1';
  return {
    phase,
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    startTime: before(at, options.ageSeconds ?? THREE_DAYS),
    containerStatuses: [{ name: 'main', ready, restartCount: 0, image, imageID: '' }],
  };
}
