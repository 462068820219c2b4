// What a TARGET means in a mesh: nodes, ztunnels, pods, or identities that anything heard tells of.

import { compareText } from '../../base/order.ts';
import { formatIdentity, parseIdentity } from '../certificates/identity.ts';
import type { Answer, Ztunnel } from '../types.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import { readingsOf, type Target, type TargetType } from './target.ts';
import { isCalled, type TargetPod, type TargetWorld } from './targetworld.ts';

/** Where a name without a namespace is looked up. */
export interface TargetPlaces {
  /** `-n`: there and nowhere else. */
  readonly given: string | undefined;
  /** The context's: there first, then anywhere. */
  readonly context: string | undefined;
}

export type FoundTarget =
  | { readonly what: 'node'; readonly node: string }
  /** Their `namespace/name`. */
  | { readonly what: 'ztunnels'; readonly keys: ReadonlySet<string> }
  | { readonly what: 'pods'; readonly pods: readonly TargetPod[] }
  /** No pod may run under it: a ztunnel can hold a certificate that is no longer needed. */
  | { readonly what: 'identity'; readonly identity: string; readonly pods: readonly TargetPod[] }
  | { readonly what: 'ambiguous'; readonly name: string; readonly namespaces: readonly string[] }
  | { readonly what: 'absent' };

/** Finds it. The first reading that finds anything counts. */
export function findTarget(
  target: Target,
  world: TargetWorld,
  ztunnels: readonly Ztunnel[],
  places: TargetPlaces,
): FoundTarget {
  const { type, name } = target;
  if (type === 'node') return world.nodes.includes(name) ? { what: 'node', node: name } : { what: 'absent' };
  if (type === 'identity') return findIdentity(name, world);
  for (const reading of readingsOf(target)) {
    for (const namespace of reading.namespace === undefined ? placesOf(places) : [reading.namespace]) {
      const pods = findPods(type, reading.name, namespace, world);
      const namespaces = [...new Set(pods.map((pod) => pod.namespace))].sort(compareText);
      if (namespaces.length > 1) return { what: 'ambiguous', name: reading.name, namespaces };
      if (pods.length > 0) return ztunnelsAmong(pods, ztunnels) ?? { what: 'pods', pods };
    }
  }
  return { what: 'absent' };
}

/** undefined stands for a unique match anywhere. */
function placesOf({ given, context }: TargetPlaces): readonly (string | undefined)[] {
  if (given !== undefined) return [given];
  return context === undefined ? [undefined] : [context, undefined];
}

function findPods(
  type: TargetType,
  name: string,
  namespace: string | undefined,
  { pods }: TargetWorld,
): readonly TargetPod[] {
  return pods.filter(
    (pod) => (namespace === undefined || pod.namespace === namespace) && isCalled(pod, type, name),
  );
}

/** A ztunnel's own pod, or their DaemonSet, means those ztunnels. */
function ztunnelsAmong(pods: readonly TargetPod[], ztunnels: readonly Ztunnel[]): FoundTarget | undefined {
  const known = new Set(ztunnels.map(keyOfZtunnel));
  const keys = pods.map(keyOfZtunnel);
  return keys.every((key) => known.has(key)) ? { what: 'ztunnels', keys: new Set(keys) } : undefined;
}

/** The API does not tell a pod's trust domain: any may be meant. */
function findIdentity(identity: string, { pods }: TargetWorld): FoundTarget {
  const parts = parseIdentity(identity);
  return {
    what: 'identity',
    identity,
    pods: pods.filter(
      (pod) =>
        pod.namespace === parts?.namespace &&
        pod.serviceAccount === parts.serviceAccount &&
        (pod.identity === undefined || pod.identity === identity),
    ),
  };
}

/** Those of certificates and workloads, and of pods that a dump names; sorted. */
export function listKnownIdentities(
  answers: readonly Answer[],
  pods: readonly TargetPod[],
): readonly string[] {
  const known = new Set(pods.flatMap(({ identity }) => identity ?? []));
  for (const { dump } of answers) {
    for (const { identity } of dump.certificates) known.add(identity);
    for (const workload of dump.workloads) known.add(formatIdentity(workload));
  }
  return [...known].sort(compareText);
}

/** True where identities are known, and not one is in its trust domain. */
export function isInUnknownDomain(identity: string, known: readonly string[]): boolean {
  const domains = new Set(known.flatMap((each) => parseIdentity(each)?.trustDomain ?? []));
  return domains.size > 0 && !domains.has(parseIdentity(identity)?.trustDomain ?? '');
}

/** The same namespace and service account in other trust domains. */
export function listNamesakes(identity: string, known: readonly string[]): readonly string[] {
  const wanted = parseIdentity(identity);
  return known.filter((each) => {
    const { namespace, serviceAccount } = parseIdentity(each) ?? {};
    return each !== identity && namespace === wanted?.namespace && serviceAccount === wanted?.serviceAccount;
  });
}
