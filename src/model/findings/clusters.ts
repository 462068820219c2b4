// What `check` says of several clusters together: whether those of one mesh can verify each other.

import type { CertificateItem } from '../items.ts';
import { groupByTrust, type TrustClass } from '../trust/classes.ts';
import { type BrokenPair, judgeMatrix } from '../trust/matrix.ts';
import { describeWorkload } from '../uid.ts';
import { mergeHits } from './authorities.ts';
import type { Concerned } from './finding.ts';
import type { Situation } from './situation.ts';
import { describePair, listSeparated, nameClass } from './trust.ts';

/** One of the clusters, by its context. */
export interface Surveyed {
  readonly cluster: string;
  readonly situation: Situation;
}

/** Looks for one finding; each object has the cluster that it is evidence from. */
export type AcrossFinder = (clusters: readonly Surveyed[]) => readonly Concerned[];

/** Two classes of clusters that list each other's workloads: one object for each side. */
export const trustBrokenAcross: AcrossFinder = (clusters) =>
  listSeparatedAcross(clusters).flatMap(({ pair, between }) => {
    const linked = between.find(({ clusters: [one, other] }) => isLinked(one, other));
    if (linked === undefined) return [];
    return linked.clusters.map(({ cluster }, at) => concernSide(pair, linked.sides[at]!, cluster));
  });

/** Two clusters that can't verify each other, and of which neither lists workloads of the other: one object for each. */
export const clustersApart: AcrossFinder = (clusters) => {
  const apart = new Map<string, { readonly pair: BrokenPair; readonly between: Between }>();
  for (const { pair, between } of listSeparatedAcross(clusters)) {
    for (const each of between) {
      const [one, other] = each.clusters;
      const key = `${one.cluster}\n${other.cluster}`;
      if (!isLinked(one, other) && !apart.has(key)) apart.set(key, { pair, between: each });
    }
  }
  return [...apart.values()].flatMap(({ pair: { classes }, between: { clusters: both, sides } }) =>
    both.map((own, at) => {
      const [mine, theirs] = [classes[sides[at]!], classes[sides[1 - at]!]];
      const detail = `${nameClass(mine, theirs)}; not that of ${both[1 - at]!.cluster}: ${nameClass(theirs, mine)}`;
      return concernCluster(own, detail);
    }),
  );
};

/** Two clusters in the order given, and which side of the pair each has members of. */
interface Between {
  readonly clusters: readonly [Surveyed, Surveyed];
  readonly sides: readonly [0, 1] | readonly [1, 0];
}

interface Separated {
  readonly pair: BrokenPair;
  /** Clusters with members of the one and the other class. */
  readonly between: readonly Between[];
}

/** What each cluster says of itself is left out. */
function listSeparatedAcross(clusters: readonly Surveyed[]): readonly Separated[] {
  const [first] = clusters;
  if (first === undefined) return [];
  const { verification } = first.situation.joined;
  const items = clusters.flatMap(({ cluster, situation }) =>
    situation.joined.items.map((item): CertificateItem => ({ ...item, cluster })),
  );
  const at = clusters.reduce((latest, { situation }) => Math.max(latest, situation.reference.getTime()), 0);
  const matrix = judgeMatrix(groupByTrust(items, verification, at), verification, at);
  return listSeparated(matrix).flatMap((pair): readonly Separated[] => {
    const [ones, others] = pair.classes.map((one) => clustersOf(one, clusters)) as [
      readonly Surveyed[],
      readonly Surveyed[],
    ];
    const isWithin = ones.some((one) => others.includes(one));
    const isFirst = (one: Surveyed, other: Surveyed) => clusters.indexOf(one) < clusters.indexOf(other);
    const between = ones.flatMap((one) =>
      others.map(
        (other): Between =>
          isFirst(one, other)
            ? { clusters: [one, other], sides: [0, 1] }
            : { clusters: [other, one], sides: [1, 0] },
      ),
    );
    return isWithin ? [] : [{ pair, between }];
  });
}

function clustersOf({ members }: TrustClass, clusters: readonly Surveyed[]): readonly Surveyed[] {
  const names = new Set(members.map(({ cluster }) => cluster));
  return clusters.filter(({ cluster }) => names.has(cluster));
}

/** Whether ztunnels of one of them are told of workloads of the other: then connections between them are meant to be. */
function isLinked(one: Surveyed, other: Surveyed): boolean {
  return listsWorkloadsOf(one, other) || listsWorkloadsOf(other, one);
}

function listsWorkloadsOf({ situation }: Surveyed, other: Surveyed): boolean {
  const own = idsOf(situation);
  const ids = new Set([...idsOf(other.situation)].filter((id) => !own.has(id)));
  return (
    ids.size > 0 &&
    situation.whole.some(({ dump }) =>
      dump.workloads.some((workload) => ids.has(describeWorkload(workload).cluster)),
    )
  );
}

function idsOf({ answers }: Situation): ReadonlySet<string> {
  return new Set(answers.flatMap(({ dump }) => dump.config.clusterId ?? []));
}

function concernSide(pair: BrokenPair, at: 0 | 1, cluster: string): Concerned {
  const own = pair.classes[at];
  return {
    cluster,
    kind: 'Trust',
    namespace: null,
    name: nameClass(own, pair.classes[at === 0 ? 1 : 0]),
    node: null,
    ztunnel: null,
    detail: describePair(pair),
    hits: mergeHits(own.members.map(({ owners }) => owners)),
  };
}

function concernCluster({ cluster, situation }: Surveyed, detail: string): Concerned {
  return {
    cluster,
    kind: 'Cluster',
    namespace: null,
    name: cluster,
    node: null,
    ztunnel: null,
    detail,
    hits: mergeHits(situation.needed.map(({ owners }) => owners)),
  };
}
