// How the pods that one waits for, and what their nodes' ztunnels list for them, are looked at once.

import { type Asking, findZtunnels } from '../../mesh/asking.ts';
import { collectDumps } from '../../mesh/collect.ts';
import { noInventory } from '../../mesh/lists.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { placesOf } from '../../mesh/scope/narrow.ts';
import { scopeOfThese } from '../../mesh/scope/scope.ts';
import { ambiguousTarget } from '../../mesh/scope/targeterror.ts';
import { redirectionOf } from '../../model/captured.ts';
import { DEFAULT_WARN_WITHIN, joinCertificates } from '../../model/certificates/certificates.ts';
import { areOnHost, type Heard, isCounted } from '../../model/certificates/standing.ts';
import type { KubeObject, Pod } from '../../model/kubernetes.ts';
import { type FoundTarget, findTarget } from '../../model/targets/findtarget.ts';
import { readingsOf, type Target } from '../../model/targets/target.ts';
import { createTargetWorld } from '../../model/targets/targetworld.ts';
import type { Inventory, Listed, Ztunnel } from '../../model/types.ts';
import { keyOfZtunnel } from '../../model/ztunnels/ztunnels.ts';

/** A pod that counts, and the identity that a TARGET asks it to have; undefined for any of its service account. */
export interface AwaitedPod {
  readonly pod: Pod;
  readonly identity: string | undefined;
}

export interface Look {
  /** Each once, in the order in which they were listed. */
  readonly pods: readonly AwaitedPod[];
  /** The TARGETs to which no pod belongs that counts. */
  readonly empty: readonly Target[];
  /** Those of them whose pods are all on the host's network. */
  readonly onHost: readonly Target[];
  readonly heard: Omit<Heard, 'beginning'>;
  readonly time: Date;
}

/** Looks once. Throws UserError if pods or ztunnels can't be listed; a ztunnel that fails is a failure. */
export async function lookAtPods(targets: readonly Target[], asking: Asking, mesh: Mesh): Promise<Look> {
  const [inventory, ztunnels] = await Promise.all([
    listNeeded(targets, asking, mesh),
    findZtunnels(asking, mesh),
  ]);
  const found = targets.map((target) => ({
    target,
    ...podsOf(target, inventory, ztunnels, asking, mesh),
  }));
  const pods = [...new Map(found.flatMap((each) => each.pods).map((each) => [each.pod, each])).values()];
  const nodes = new Set(pods.flatMap(({ pod }) => pod.spec?.nodeName ?? []));
  const needed = ztunnels.filter(({ node }) => node !== null && nodes.has(node));
  const wanted = { sections: new Set(['certificates', 'workloadState'] as const), keepRaw: false };
  const collected = await collectDumps(scopeOfThese(needed), wanted, asking, mesh);
  const { time } = await mesh.reference();
  const { items } = joinCertificates({
    ...collected,
    inventory: noInventory,
    reference: time,
    source: 'live',
    warnWithin: DEFAULT_WARN_WITHIN,
    evaluateMissing: false,
  });
  return {
    pods,
    onHost: found.flatMap((each) => (each.onHost ? [each.target] : [])),
    empty: found.flatMap((each) => (each.pods.length === 0 ? [each.target] : [])),
    heard: {
      ztunnels,
      answers: new Map(collected.answers.map((answer) => [keyOfZtunnel(answer.ztunnel), answer])),
      failures: collected.failures.filter(({ severity }) => severity === 'error'),
      items,
    },
    time,
  };
}

/** No more than it takes to find the TARGETs, so that little has to be allowed. */
async function listNeeded(
  targets: readonly Target[],
  asking: Asking,
  { lists, signal }: Mesh,
): Promise<Inventory> {
  // A name with a dot in it may be in another namespace than -n says.
  const plain = targets.every((target) => target.type !== 'node' && readingsOf(target).length === 1);
  const namespace = plain && targets.every(({ type }) => type !== 'identity') ? asking.namespace : undefined;
  const query = { namespace, signal };
  const has = (...types: readonly Target['type'][]) => targets.some(({ type }) => types.includes(type));
  const list = async <T>(wanted: boolean, ask: () => Promise<readonly T[]>): Promise<Listed<T>> =>
    wanted ? { known: true, items: await ask() } : { known: false, why: 'not-asked' };
  const [pods, replicaSets, jobs] = await Promise.all([
    list(true, () => lists.list('pods', query)),
    list<KubeObject>(has('deployment'), () => lists.list('replicasets', query)),
    list<KubeObject>(has('cronjob'), () => lists.list('jobs', query)),
  ]);
  return { pods, replicaSets, jobs, statefulSets: noInventory.statefulSets };
}

/** The pods of TARGET that count; none if there is nothing by that name. Throws UserError when it is ambiguous. */
function podsOf(
  target: Target,
  inventory: Inventory,
  ztunnels: readonly Ztunnel[],
  asking: Asking,
  mesh: Mesh,
): { readonly pods: readonly AwaitedPod[]; readonly onHost: boolean } {
  const world = createTargetWorld(inventory, ztunnels, []);
  const found = findTarget(target, world, ztunnels, placesOf(asking, mesh));
  if (found.what === 'ambiguous') throw ambiguousTarget(target, found);
  const isMeant = meaning(found, ztunnels);
  const listed = inventory.pods.known ? inventory.pods.items : [];
  const identity = found.what === 'identity' ? found.identity : undefined;
  const meant = listed.filter(isMeant);
  return { pods: meant.filter(isCounted).map((pod) => ({ pod, identity })), onHost: areOnHost(meant) };
}

function meaning(found: FoundTarget, ztunnels: readonly Ztunnel[]): (pod: Pod) => boolean {
  if (found.what === 'pods' || found.what === 'identity') {
    const names = new Set(found.pods.map(({ namespace, name }) => `${namespace}/${name}`));
    return ({ metadata }) => names.has(`${metadata.namespace ?? ''}/${metadata.name}`);
  }
  if (found.what === 'absent' || found.what === 'ambiguous') return () => false;
  const nodes =
    found.what === 'node'
      ? new Set([found.node])
      : new Set(
          ztunnels.filter((each) => found.keys.has(keyOfZtunnel(each))).flatMap(({ node }) => node ?? []),
        );
  // Of a node, what the mesh has or is to have: most other pods never will be captured.
  return (pod) => redirectionOf(pod) !== undefined && nodes.has(pod.spec?.nodeName ?? '');
}
