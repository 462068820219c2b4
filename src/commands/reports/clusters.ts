// How what was found in several clusters is shown as one: CLUSTER, the list of clusters, and whose words are whose.

import type { Part } from '../../mesh/clusters.ts';
import type { Reference } from '../../model/types.ts';
import type { ColumnSpec } from './columns.ts';
import { count } from './sentences.ts';

/** One of the clusters that were to be asked. */
export interface ClusterState {
  readonly name: string;
  /** The time that it was judged at; null if it could not be asked, or lacks TARGET. */
  readonly reference: Reference | null;
  readonly ztunnels: { readonly asked: number; readonly answered: number };
}

/** What has a cluster where several are asked. */
export interface InCluster {
  readonly cluster?: string | undefined;
}

/** What a part tells of its cluster. */
export interface Heard {
  readonly reference: Reference;
  readonly collected: { readonly asked: number; readonly answers: readonly unknown[] };
}

/** In the order in which they are named; undefined where only one cluster is asked. */
export function listClusters(
  names: readonly string[],
  parts: readonly Part<Heard>[],
): readonly ClusterState[] | undefined {
  if (names.length === 0) return undefined;
  const heard = new Map(parts.map(({ cluster, looked }) => [cluster, looked]));
  return names.map((name) => {
    const { reference = null, collected = { asked: 0, answers: [] } } = heard.get(name) ?? {};
    return { name, reference, ztunnels: { asked: collected.asked, answered: collected.answers.length } };
  });
}

/** ` in 2 of 3 clusters`; nothing where only one is asked. */
export function inClusters(clusters: readonly ClusterState[] | undefined): string {
  if (clusters === undefined) return '';
  const heard = clusters.filter(({ reference }) => reference !== null).length;
  return ` in ${heard} of ${count(clusters.length, 'cluster')}`;
}

/** How many ztunnels of all clusters were asked, and how many answered. */
export function countZtunnels(all: readonly Pick<Heard, 'collected'>[]): ClusterState['ztunnels'] {
  return {
    asked: all.reduce((sum, { collected }) => sum + collected.asked, 0),
    answered: all.reduce((sum, { collected }) => sum + collected.answers.length, 0),
  };
}

/** Each with its cluster; as they are where only one is asked. */
export function tagged<T extends object>(items: readonly T[], cluster: string | undefined): readonly T[] {
  return cluster === undefined ? items : items.map((item) => ({ ...item, cluster }));
}

/** Sentences that begin with their cluster. */
export function inWordsOf(texts: readonly string[], cluster: string | undefined): readonly string[] {
  return cluster === undefined ? texts : texts.map((text) => `${cluster}: ${text}`);
}

/** CLUSTER comes first, and only where several clusters are asked. */
export function withCluster<Item>(
  columns: readonly ColumnSpec<Item>[],
  several: boolean,
  clusterOf: (item: Item) => string | null | undefined,
): readonly ColumnSpec<Item>[] {
  if (!several) return columns;
  const cluster: ColumnSpec<Item> = {
    header: 'CLUSTER',
    fit: 'middle',
    cell: (item) => ({ text: clusterOf(item) ?? '-' }),
  };
  return [cluster, ...columns];
}
