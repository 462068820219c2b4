// What TARGET can name: the pods of a mesh with their controllers and service accounts, and its nodes.

import { compareText } from '../../base/order.ts';
import { formatIdentity } from '../certificates/identity.ts';
import type { Workload } from '../dump.ts';
import type { OwnerReference, Pod } from '../kubernetes.ts';
import { createControllerLookup } from '../owners/owners.ts';
import { isAlive, listOwnWorkloads } from '../owners/pods.ts';
import type { Answer, Inventory, Ztunnel } from '../types.ts';
import { describeWorkload } from '../uid.ts';
import type { Target, TargetType } from './target.ts';

/** A pod that TARGET may mean, by any of its names. */
export interface TargetPod {
  readonly namespace: string;
  readonly name: string;
  /** null before it was put on one. */
  readonly node: string | null;
  readonly serviceAccount: string;
  /** Its controllers, nearest first, as far as they are known and of a type that TARGET has. */
  readonly controllers: readonly Target[];
  /** undefined where only a dump tells of the pod. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Known only where a dump tells of the pod: the API does not have its trust domain. */
  readonly identity: string | undefined;
}

export interface TargetWorld {
  readonly pods: readonly TargetPod[];
  /** Of ztunnels, pods and dumps; sorted. */
  readonly nodes: readonly string[];
  /** False where only dumps tell of pods: they name no controllers. */
  readonly knowsControllers: boolean;
}

/** Pods that have not ended: those listed, the ztunnels' own, and those that only dumps tell of. */
export function createTargetWorld(
  inventory: Inventory,
  ztunnels: readonly Ztunnel[],
  answers: readonly Answer[],
): TargetWorld {
  const controllersOf = createControllerLookup(inventory);
  const listed = inventory.pods.known ? inventory.pods.items : [];
  const pods = new Map<string, TargetPod>();
  const add = (pod: TargetPod) => {
    const key = `${pod.namespace}/${pod.name}`;
    if (!pods.has(key)) pods.set(key, pod);
  };
  for (const pod of [...listed, ...ztunnels.flatMap(({ pod }) => pod ?? [])]) {
    if (isAlive(pod)) add(ofPod(pod, controllersOf(pod)));
  }
  for (const workload of answers.flatMap(workloadsOf)) {
    const { kind, namespace, name } = describeWorkload(workload);
    if (kind !== 'Pod') continue;
    const key = `${namespace}/${name}`;
    const pod = pods.get(key);
    if (pod === undefined) pods.set(key, ofWorkload(workload, namespace, name));
    else if (isOf(workload, pod)) pods.set(key, { ...pod, identity: formatIdentity(workload) });
  }
  const nodes = [...pods.values(), ...ztunnels, ...answers.map(({ ztunnel }) => ztunnel)];
  return {
    pods: [...pods.values()],
    nodes: [...new Set(nodes.flatMap(({ node }) => node ?? []))].sort(compareText),
    knowsControllers: inventory.pods.known,
  };
}

/** Whether a pod goes by a name of that type. */
export function isCalled(pod: TargetPod, type: TargetType, name: string): boolean {
  return NAMES[type](pod).includes(name);
}

/** What a pod is called by, for each type. */
export function namesOf(pod: TargetPod, type: TargetType): readonly string[] {
  return NAMES[type](pod);
}

const NAMES = {
  pod: ({ name }) => [name],
  serviceaccount: ({ serviceAccount }) => [serviceAccount],
  node: ({ node }) => (node === null ? [] : [node]),
  deployment: controllersOfType('deployment'),
  statefulset: controllersOfType('statefulset'),
  daemonset: controllersOfType('daemonset'),
  job: controllersOfType('job'),
  cronjob: controllersOfType('cronjob'),
} satisfies Record<TargetType, (pod: TargetPod) => readonly string[]>;

function controllersOfType(type: TargetType): (pod: TargetPod) => readonly string[] {
  return ({ controllers }) => controllers.filter((each) => each.type === type).map(({ name }) => name);
}

/** By API group and kind, since other groups have kinds of the same name. */
const CONTROLLERS = new Map<string, TargetType>([
  ['apps/Deployment', 'deployment'],
  ['apps/StatefulSet', 'statefulset'],
  ['apps/DaemonSet', 'daemonset'],
  ['batch/Job', 'job'],
  ['batch/CronJob', 'cronjob'],
]);

function ofPod({ metadata, spec }: Pod, controllers: readonly OwnerReference[]): TargetPod {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    node: spec?.nodeName || null,
    serviceAccount: spec?.serviceAccountName || 'default',
    controllers: controllers.flatMap(({ apiVersion, kind, name }) => {
      const type = CONTROLLERS.get(`${apiVersion.split('/', 1)[0]}/${kind}`);
      return type === undefined ? [] : [{ type, name }];
    }),
    labels: metadata.labels ?? {},
    identity: undefined,
  };
}

function ofWorkload(workload: Workload, namespace: string, name: string): TargetPod {
  return {
    namespace,
    name,
    node: workload.node || null,
    serviceAccount: workload.serviceAccount,
    controllers: [],
    labels: undefined,
    identity: formatIdentity(workload),
  };
}

/** The pod's own, told for the first time; not that of a namesake of another cluster. */
function isOf({ node, serviceAccount }: Workload, pod: TargetPod): boolean {
  return pod.identity === undefined && pod.node === (node || null) && pod.serviceAccount === serviceAccount;
}

/** A dump knows the whole mesh: of its own node first, as it knows that best. */
function workloadsOf(answer: Answer): readonly Workload[] {
  return [...listOwnWorkloads(answer), ...answer.dump.workloads];
}
