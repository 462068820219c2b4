// What the rooms tell one another: ztunnels, what was asked of them, and what is known of the cluster.

import type { ConfigDump } from './dump.ts';
import type { DestinationRule, KubeObject, Pod, ServiceEntry, StatefulSet } from './kubernetes.ts';

/** A ztunnel: a pod of a cluster, or a dump file standing in for one. */
export interface Ztunnel {
  /** null for a dump file without the pod that it came from. */
  readonly namespace: string | null;
  /** Pod name, or the dump file's base name. */
  readonly name: string;
  /** null until a dump file's `config.localNode` has been read. */
  readonly node: string | null;
  /** undefined for a dump file without the pod that it came from. */
  readonly pod: Pod | undefined;
}

export interface ZtunnelRef {
  readonly namespace: string | null;
  readonly name: string;
  readonly node: string | null;
}

export type Severity = 'critical' | 'warning' | 'information' | 'ok';

/** A ztunnel that could not be asked or whose answer could not be used. */
export interface Failure {
  /** The context of its cluster, where several clusters are asked. */
  readonly cluster?: string;
  readonly ztunnel: ZtunnelRef;
  /** `warning` does not make the result partial (a terminating ztunnel, one that is replaced). */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
  /** A ready-to-apply ClusterRole when a right was missing; printed once. */
  readonly clusterRole?: string | undefined;
}

/** One of several clusters, by its context, that could not be asked at all. */
export interface ClusterFailure extends Omit<Failure, 'cluster' | 'ztunnel'> {
  readonly cluster: string;
  readonly ztunnel: null;
}

/** A ztunnel and the dump that it gave. */
export interface Answer {
  readonly ztunnel: Ztunnel;
  readonly dump: ConfigDump;
  /** Live: when it began, by the API server's clock. undefined for what was saved, which is judged at the reference time. */
  readonly at?: Date | undefined;
}

/** When "now" is, and who says so. */
export interface Reference {
  readonly time: Date;
  readonly source: 'api-server' | 'system-clock' | 'flag';
}

/** What is known of a kind of object: the list, that it was not asked for, or that the API refused it. */
export type Listed<T> =
  | {
      readonly known: true;
      readonly items: readonly T[];
      /** The only namespace that was listed; undefined for all. */
      readonly namespace?: string | undefined;
    }
  | { readonly known: false; readonly why: 'not-asked' | 'forbidden' | 'failed' };

/** The same of a kind that need not be there: `absent` where the API server does not have it. */
export type ListedIfThere<T> = Listed<T> | { readonly known: false; readonly why: 'absent' };

/** Istio's objects that say whom clients accept, of all namespaces. */
export interface IstioObjects {
  readonly serviceEntries: ListedIfThere<ServiceEntry>;
  readonly destinationRules: ListedIfThere<DestinationRule>;
}

/** The Kubernetes objects that certificates and workloads are joined with. */
export interface Inventory {
  readonly pods: Listed<Pod>;
  readonly replicaSets: Listed<KubeObject>;
  readonly jobs: Listed<KubeObject>;
  readonly statefulSets: Listed<StatefulSet>;
}
