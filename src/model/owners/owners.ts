// Who owns a pod: its controllers, followed as far as they are known.

import { compareBy, compareText } from '../../base/order.ts';
import type { Owner } from '../items.ts';
import type { KubeObject, OwnerReference, Pod } from '../kubernetes.ts';
import type { Inventory, Listed } from '../types.ts';

/** A controller, or a bare pod, that pods belong to; replicas as in Owner. */
export type OwnerOfPod = Omit<Owner, 'pods'>;

/** A pod's name and who owns it. */
export interface OwnedPod {
  readonly name: string;
  readonly owner: OwnerOfPod;
}

type Reference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>;

// Longer chains of controllers do not exist, but two objects that own each other could be made up.
const LONGEST_CHAIN = 4;

/**
 * A function that lists a pod's controllers, nearest first: ReplicaSet → Deployment, Rollout or whatever owns it,
 * Job → CronJob or whatever owns it. Other kinds are taken as they are; where a ReplicaSet or Job could not be
 * listed or is gone, it is the last.
 */
export function createControllerLookup(inventory: Inventory): (pod: Pod) => readonly OwnerReference[] {
  const followed = indexObjects([
    ['ReplicaSet', 'apps', inventory.replicaSets],
    ['Job', 'batch', inventory.jobs],
  ]);
  return (pod) => {
    const controllers: OwnerReference[] = [];
    let next = findController(pod);
    while (next && controllers.length < LONGEST_CHAIN) {
      controllers.push(next);
      next = findController(findObject(followed, pod.metadata.namespace ?? '', next));
    }
    return controllers;
  };
}

/** A function that names a pod's owner: the last of its controllers. A pod without controller owns itself. */
export function createOwnerLookup(inventory: Inventory): (pod: Pod) => OwnerOfPod {
  const controllersOf = createControllerLookup(inventory);
  const statefulSets = indexObjects([['StatefulSet', 'apps', inventory.statefulSets]]);
  return (pod) => {
    const namespace = pod.metadata.namespace ?? '';
    const itself: Reference = { ...pod, name: pod.metadata.name, uid: pod.metadata.uid ?? '' };
    const owner = controllersOf(pod).at(-1) ?? itself;
    const statefulSet = findObject(statefulSets, namespace, owner);
    return {
      kind: owner.kind,
      namespace,
      name: owner.name,
      ready: statefulSet ? (statefulSet.status?.readyReplicas ?? 0) : null,
      // The API server fills in 1 where a StatefulSet says nothing.
      desired: statefulSet ? (statefulSet.spec?.replicas ?? 1) : null,
    };
  };
}

/** One entry for each owner with the names of its pods, sorted by name, kind, namespace. */
export function groupByOwner(pods: readonly OwnedPod[]): readonly Owner[] {
  const groups = Map.groupBy(pods, ({ owner }) => `${owner.kind}/${owner.namespace}/${owner.name}`);
  return [...groups.values()]
    .map((members) => ({ ...members[0]!.owner, pods: members.map(({ name }) => name).toSorted(compareText) }))
    .toSorted(
      compareBy<Owner>(
        (a, b) => compareText(a.name, b.name),
        (a, b) => compareText(a.kind, b.kind),
        (a, b) => compareText(a.namespace, b.namespace),
      ),
    );
}

type ObjectIndex<T> = ReadonlyMap<string, T>;

function indexObjects<T extends KubeObject>(
  lists: readonly (readonly [kind: string, group: string, list: Listed<T>])[],
): ObjectIndex<T> {
  return new Map(
    lists.flatMap(([kind, group, list]) =>
      list.known
        ? list.items.map(
            ({ metadata: m }, i) => [`${group}/${kind}/${m.namespace}/${m.name}`, list.items[i]!] as const,
          )
        : [],
    ),
  );
}

/** By name within the namespace; another uid is a namesake that came later. Other API groups have namesakes too. */
function findObject<T extends KubeObject>(
  index: ObjectIndex<T>,
  namespace: string,
  { apiVersion, kind, name, uid }: Reference,
): T | undefined {
  const group = apiVersion.split('/', 1)[0]!;
  const found = index.get(`${group}/${kind}/${namespace}/${name}`);
  return found && (!uid || !found.metadata.uid || found.metadata.uid === uid) ? found : undefined;
}

function findController(object: KubeObject | undefined): OwnerReference | undefined {
  return object?.metadata.ownerReferences?.find(({ controller }) => controller === true);
}
