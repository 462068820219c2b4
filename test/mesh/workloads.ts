// How a test names workloads: one function per kind of owner, each giving the objects that Kubernetes would hold.

import { object } from './manifest.ts';
import { before, splitName, suffix } from './names.ts';
import { type PodOptions, pod, podOf } from './pods.ts';
import type { Objects } from './resources.ts';

/** Objects that belong together; `at` (RFC 3339) is the time that their ages count back from. */
export type Part = (at: string) => Partial<Objects>;

const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };
const ROLLOUT = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' };

/** A Deployment's ReplicaSet and pods. Names are `namespace/name` here and below. */
export function deployment(full: string, options: PodOptions): Part {
  return replicated(DEPLOYMENT, full, options);
}

/** The same for an Argo Rollout, which owns ReplicaSets too. */
export function rollout(full: string, options: PodOptions): Part {
  return replicated(ROLLOUT, full, options);
}

export function statefulSet(full: string, options: PodOptions & { readonly readyReplicas?: number }): Part {
  const key = { apiVersion: 'apps/v1', kind: 'StatefulSet', ...splitName(full) };
  const replicas = options.on.length;
  return (at) => ({
    statefulsets: [
      {
        ...object(key, at, options),
        spec: { replicas, serviceName: key.name },
        status: { replicas, readyReplicas: options.readyReplicas ?? replicas, currentReplicas: replicas },
      },
    ],
    pods: options.on.map((node, ordinal) => podOf(key, `${key.name}-${ordinal}`, node, at, options)),
  });
}

export function daemonSet(full: string, options: PodOptions): Part {
  const key = { apiVersion: 'apps/v1', kind: 'DaemonSet', ...splitName(full) };
  return (at) => ({
    pods: options.on.map((node) =>
      podOf(key, `${key.name}-${suffix(`${full} ${node}`, 5)}`, node, at, options),
    ),
  });
}

/** A Job; with `cronJob` (a name in its namespace) that owns it. */
export function job(full: string, options: PodOptions & { readonly cronJob?: string }): Part {
  const key = { apiVersion: 'batch/v1', kind: 'Job', ...splitName(full) };
  const owner = options.cronJob && { ...key, kind: 'CronJob', name: options.cronJob };
  return (at) => ({
    jobs: [object(key, at, options, owner || undefined)],
    pods: options.on.map((node) =>
      podOf(key, `${key.name}-${suffix(`${full} ${node}`, 5)}`, node, at, options),
    ),
  });
}

/** A pod that nothing owns. */
export function barePod(full: string, options: Omit<PodOptions, 'on'> & { readonly on: string }): Part {
  const { name, namespace } = splitName(full);
  const many = { ...options, on: [options.on] };
  return (at) => ({ pods: [pod(namespace, name, name, options.on, at, many, undefined)] });
}

/** A Lease as leader election keeps it. */
export function lease(
  full: string,
  options: {
    readonly holder: string;
    readonly durationSeconds?: number;
    readonly renewedSecondsAgo?: number;
  },
): Part {
  const key = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...splitName(full) };
  return (at) => ({
    leases: [
      {
        ...object(key, at, {}),
        spec: {
          holderIdentity: options.holder,
          leaseDurationSeconds: options.durationSeconds ?? 15,
          acquireTime: micro(before(at, 86_400)),
          renewTime: micro(before(at, options.renewedSecondsAgo ?? 5)),
          leaseTransitions: 1,
        },
      },
    ],
  });
}

/** A node and its Lease in `kube-node-lease`. */
export function node(name: string, options: { readonly renewedSecondsAgo?: number } = {}): Part {
  const key = { apiVersion: 'v1', kind: 'Node', namespace: '', name };
  const heartbeat = lease(`kube-node-lease/${name}`, { holder: name, durationSeconds: 40, ...options });
  return (at) => ({
    ...heartbeat(at),
    nodes: [
      { ...object(key, at, {}), spec: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
  });
}

function replicated(
  owner: { readonly apiVersion: string; readonly kind: string },
  full: string,
  options: PodOptions,
): Part {
  const { namespace, name } = splitName(full);
  const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace, name: `${name}-${suffix(full, 9)}` };
  return (at) => ({
    replicasets: [object(set, at, options, { ...owner, namespace, name })],
    pods: options.on.map((node, index) => {
      const podName = `${set.name}-${suffix(`${full} ${node} ${index}`, 5)}`;
      return podOf(set, podName, node, at, { serviceAccount: name, labels: { app: name }, ...options });
    }),
  });
}

function micro(time: string): string {
  return time.replace('Z', '.000000Z');
}
