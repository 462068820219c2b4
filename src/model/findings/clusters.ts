// What `check` says of several clusters together: whether they can verify each other, and go by the same names.

import { compareText } from '../../base/order.ts';
import { mergeHits } from './authorities.ts';
import type { Concerned } from './finding.ts';
import { shortenRoots } from './roots.ts';
import type { Situation } from './situation.ts';

/** One of the clusters, by its context. */
export interface Surveyed {
  readonly cluster: string;
  readonly situation: Situation;
}

/** Looks for one finding; each object has the cluster that it is evidence from. */
export type AcrossFinder = (clusters: readonly Surveyed[]) => readonly Concerned[];

/** What the certificates of a cluster list as roots in one trust domain. */
interface Bundle {
  readonly cluster: string;
  readonly domain: string;
  /** Fingerprints, sorted; at least one. */
  readonly roots: readonly string[];
  /** False for dumps from before `rootCerts`, which give only the first root of each certificate. */
  readonly complete: boolean;
  readonly hits: Concerned['hits'];
}

/** Two clusters of a trust domain of which neither lists a root that the other does. */
export const clusterRootsDisjoint: AcrossFinder = (clusters) =>
  compareBundles(clusters, 'none of them', (a, b) => !overlap(a, b));

/** Two clusters of a trust domain that list some roots in common, and one of them more. */
export const clusterRootsDiffer: AcrossFinder = (clusters) =>
  compareBundles(
    clusters,
    'not the same',
    (a, b) => a.complete && b.complete && overlap(a, b) && a.roots.join() !== b.roots.join(),
  );

/** One object for each cluster that stands in the relation to another one. */
function compareBundles(
  clusters: readonly Surveyed[],
  relation: string,
  isSo: (a: Bundle, b: Bundle) => boolean,
): readonly Concerned[] {
  const domains = Map.groupBy(clusters.flatMap(listBundles), ({ domain }) => domain);
  return [...domains]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([domain, bundles]) =>
      bundles.flatMap((bundle) => {
        const others = bundles.filter((other) => other !== bundle && isSo(bundle, other));
        if (others.length === 0) return [];
        const theirs = others.map(({ cluster, roots }) => `${cluster} ${shortenRoots(roots)}`);
        const detail = `in ${domain} lists ${shortenRoots(bundle.roots)}; ${relation}: ${theirs.join(', ')}`;
        return [
          {
            cluster: bundle.cluster,
            kind: 'Cluster' as const,
            namespace: null,
            name: bundle.cluster,
            node: null,
            ztunnel: null,
            detail,
            hits: bundle.hits,
          },
        ];
      }),
    );
}

function listBundles({ cluster, situation: { needed } }: Surveyed): readonly Bundle[] {
  const withRoots = needed.filter(({ trustDomain, roots }) => trustDomain !== null && roots.length > 0);
  return [...Map.groupBy(withRoots, ({ trustDomain }) => trustDomain!)].map(([domain, items]) => ({
    cluster,
    domain,
    roots: [
      ...new Set(items.flatMap(({ roots }) => roots.map(({ fingerprintSHA256 }) => fingerprintSHA256))),
    ].toSorted(compareText),
    complete: items.every(({ entry }) => entry?.roots !== undefined),
    hits: mergeHits(items.map(({ owners }) => owners)),
  }));
}

function overlap(a: Bundle, b: Bundle): boolean {
  const known = new Set(b.roots);
  return a.roots.some((root) => known.has(root));
}

/** What a cluster's certificates for one namespace and service account are in. */
interface Domains {
  readonly cluster: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Sorted, separated by commas. */
  readonly domains: string;
  readonly hits: Concerned['hits'];
}

/** A namespace and service account that has certificates in two clusters, in other trust domains. */
export const clusterDomainsDiffer: AcrossFinder = (clusters) => {
  const names = Map.groupBy(
    clusters.flatMap(listDomains),
    ({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`,
  );
  return [...names]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, members]) =>
      new Set(members.map(({ domains }) => domains)).size < 2
        ? []
        : members.map(({ cluster, namespace, serviceAccount, domains, hits }) => ({
            cluster,
            kind: 'Identity' as const,
            namespace,
            name: serviceAccount,
            node: null,
            ztunnel: null,
            detail: `in trust domain ${domains}`,
            hits,
          })),
    );
};

function listDomains({ cluster, situation: { needed } }: Surveyed): readonly Domains[] {
  const named = needed.filter(({ namespace, trustDomain }) => namespace !== null && trustDomain !== null);
  const groups = Map.groupBy(named, ({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`);
  return [...groups.values()].map((items) => ({
    cluster,
    namespace: items[0]!.namespace!,
    serviceAccount: items[0]!.serviceAccount ?? '',
    domains: [...new Set(items.map(({ trustDomain }) => trustDomain!))].toSorted(compareText).join(', '),
    hits: mergeHits(items.map(({ owners }) => owners)),
  }));
}
