// What each node's ztunnels listed when they were first heard, so that what has been renewed since can be told.

import type { CertificateItem } from '../items.ts';
import { keyOfNode } from '../ztunnels/ztunnels.ts';

/** By keyOfNode, then by identity: when the certificate began, in ms since 1970; -Infinity for one without a beginning. */
export type FirstListing = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The same, with the nodes that are heard for the first time. */
export function rememberFirst(
  known: FirstListing,
  nodes: readonly (string | null)[],
  items: readonly CertificateItem[],
): FirstListing {
  const fresh = new Set(nodes.filter((node) => node !== null && !known.has(node)));
  if (fresh.size === 0) return known;
  const byNode = Map.groupBy(
    items.filter(({ ztunnel }) => ztunnel !== null),
    keyOfNode,
  );
  return new Map([
    ...known,
    ...[...fresh].map((node) => [node!, beginnings(byNode.get(node) ?? [])] as const),
  ]);
}

/** When the certificate that was there at first began: -Infinity if none was, undefined if nobody had looked. */
export function firstBeginning(
  known: FirstListing,
  { cluster, node, identity }: Pick<CertificateItem, 'cluster' | 'node' | 'identity'>,
): number | undefined {
  const there = known.get(keyOfNode({ cluster, node }) ?? '');
  return there === undefined ? undefined : (there.get(identity) ?? Number.NEGATIVE_INFINITY);
}

/** Of two ztunnels of a node, the later. */
function beginnings(items: readonly CertificateItem[]): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const { identity, notBefore } of items) {
    const begun = notBefore === null ? Number.NEGATIVE_INFINITY : Date.parse(notBefore);
    latest.set(identity, Math.max(begun, latest.get(identity) ?? Number.NEGATIVE_INFINITY));
  }
  return latest;
}
