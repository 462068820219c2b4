// How a command that names several things finds what each is, and the ztunnels that serve it.

import type { Pod } from '../../model/kubernetes.ts';
import type { FoundTarget, TargetPlaces } from '../../model/targets/findtarget.ts';
import type { Target } from '../../model/targets/target.ts';
import type { Ztunnel } from '../../model/types.ts';
import type { Asking, Wanted } from '../asking.ts';
import type { Mesh } from '../mesh.ts';
import { find, learn, placesOf } from './narrow.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { scopeOf } from './scope.ts';

export interface Lookup {
  /** Throws UserError when it is not found, is ambiguous, or can't be looked up. */
  readonly find: (target: Target) => FoundTarget;
  readonly places: TargetPlaces;
  /** By `namespace/name`, as far as pods could be listed. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** All ztunnels that the flags leave, in the order in which a whole dump is best read from them. */
  readonly ztunnels: readonly Ztunnel[];
  /** Those of these nodes, and those that may be of any; none if there are none. */
  readonly serving: (nodes: ReadonlySet<string>) => readonly Ztunnel[];
  readonly rounds: Rounds;
  /** Why lists could not be had, a sentence each. */
  readonly warnings: readonly string[];
  readonly clusterRole: string | undefined;
}

/** Lists ztunnels and pods, and reads saved dumps, once, with what is `wanted` of them. Throws where there is no ztunnel. */
export async function learnTargets(asking: Asking, wanted: Wanted, mesh: Mesh): Promise<Lookup> {
  const known = await learn(asking, wanted, mesh, true);
  const { read, inventory } = known;
  const asked = known.ztunnels.map((each) => each.asked);
  const nodes = new Map(known.ztunnels.map((each) => [each.asked, each.named.node]));
  const all = scopeOf(asked, asking, mesh);
  const ztunnels = [...new Set([...all.wholeDumpOrder, ...all.ztunnels])];
  const listed = inventory.pods.known ? inventory.pods.items : [];
  return {
    find: (target) => find(target, known, asking, mesh),
    places: placesOf(asking, mesh),
    pods: new Map(listed.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod])),
    ztunnels,
    serving: (wantedNodes) =>
      ztunnels.filter((ztunnel) => {
        const node = nodes.get(ztunnel) ?? null;
        return node === null ? ztunnel.pod === undefined : wantedNodes.has(node);
      }),
    rounds: createRounds(read, wanted, asking, mesh),
    warnings: inventory.warnings,
    clusterRole: inventory.clusterRole,
  };
}
