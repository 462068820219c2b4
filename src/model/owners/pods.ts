// Which pods run under an identity on a node.

import type { Workload } from '../dump.ts';
import type { Owners } from '../items.ts';
import type { Pod } from '../kubernetes.ts';
import type { Answer, Inventory } from '../types.ts';
import { describeWorkload } from '../uid.ts';
import { nodeOf } from '../ztunnels/ztunnels.ts';
import { createOwnerLookup, groupByOwner, type OwnedPod } from './owners.ts';

/** Where a certificate is needed: one service account on one node. */
export interface Place {
  readonly node: string;
  readonly namespace: string;
  readonly serviceAccount: string;
}

export interface PodSources {
  readonly answers: readonly Answer[];
  readonly inventory: Inventory;
  readonly source: 'live' | 'files';
}

/** A function that says whose pods run under a service account on a node. */
export function createUserLookup({ answers, inventory, source }: PodSources): (place: Place) => Owners {
  const fromDumps = source === 'files' ? indexDumps(answers) : undefined;
  const { pods } = inventory;
  if (!pods.known) {
    const why = pods.why === 'forbidden' ? 'forbidden' : 'unknown';
    return (place) => lookUp(fromDumps, place) ?? { known: false, why };
  }
  const fromPods = indexPods(pods.items, createOwnerLookup(inventory));
  return (place) =>
    // Saved objects may leave out nodes: one without a single pod is not known to have none.
    source === 'live' || fromPods.nodes.has(place.node)
      ? owners(fromPods, place)
      : (lookUp(fromDumps, place) ?? { known: false, why: 'unknown' });
}

/** One text for each place. */
export function keyOf({ node, namespace, serviceAccount }: Place): string {
  return `${node}/${namespace}/${serviceAccount}`;
}

/** The service account of a pod, and the node that it was put on; undefined before it was put anywhere. */
export function placeOf({ metadata, spec }: Pod): Place | undefined {
  if (!spec?.nodeName) return undefined;
  return {
    node: spec.nodeName,
    namespace: metadata.namespace ?? '',
    serviceAccount: spec.serviceAccountName || 'default',
  };
}

/** The pods of a dump that stand in for a list of pods: those of its own node, with an address of their own. */
export function listOwnWorkloads({ dump, ztunnel }: Answer): readonly (Workload & Place)[] {
  const node = nodeOf({ dump, ztunnel });
  if (node === null) return [];
  return dump.workloads.filter(
    (workload) => workload.node === node && workload.networkMode !== 'HostNetwork',
  );
}

/** Not Succeeded and not Failed. */
export function isAlive(pod: Pod): boolean {
  return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed';
}

interface UserIndex {
  readonly nodes: ReadonlySet<string>;
  readonly users: ReadonlyMap<string, readonly OwnedPod[]>;
}

function indexPods(pods: readonly Pod[], ownerOf: ReturnType<typeof createOwnerLookup>): UserIndex {
  const users = new Map<string, OwnedPod[]>();
  const nodes = new Set<string>();
  for (const pod of pods) {
    const place = placeOf(pod);
    if (!place) continue;
    nodes.add(place.node);
    if (pod.spec?.hostNetwork || !isAlive(pod)) continue;
    add(users, place, { name: pod.metadata.name, owner: ownerOf(pod) });
  }
  return { nodes, users };
}

function indexDumps(answers: readonly Answer[]): UserIndex {
  const users = new Map<string, OwnedPod[]>();
  const nodes = new Set<string>();
  // Two dumps of one node name the same pods.
  const seen = new Set<string>();
  for (const answer of answers) {
    const node = nodeOf(answer);
    if (node === null || !answer.dump.sections.has('workloads')) continue;
    nodes.add(node);
    for (const workload of listOwnWorkloads(answer)) {
      const { kind, namespace, name } = describeWorkload(workload);
      const podKey = `${node}/${namespace}/${name}`;
      if (kind !== 'Pod' || seen.has(podKey)) continue;
      seen.add(podKey);
      add(users, workload, { name, owner: { kind, namespace, name, ready: null, desired: null } });
    }
  }
  return { nodes, users };
}

function add(users: Map<string, OwnedPod[]>, place: Place, pod: OwnedPod): void {
  const key = keyOf(place);
  const known = users.get(key);
  if (known) known.push(pod);
  else users.set(key, [pod]);
}

function lookUp(index: UserIndex | undefined, place: Place): Owners | undefined {
  return index?.nodes.has(place.node) ? owners(index, place) : undefined;
}

function owners(index: UserIndex, place: Place): Owners {
  return { known: true, owners: groupByOwner(index.users.get(keyOf(place)) ?? []) };
}
