// What a command may ask of a mesh, whether it is a live cluster or a set of saved files.

import type {
  DestinationRule,
  KubeObject,
  Lease,
  Pod,
  ServiceEntry,
  StatefulSet,
} from '../model/kubernetes.ts';
import type { Reference, Ztunnel } from '../model/types.ts';

/** The lists that can be asked for, and the shape of their items. */
export interface ListKinds {
  readonly pods: Pod;
  /** Metadata only: just the owner references are needed. */
  readonly replicasets: KubeObject;
  /** Metadata only. */
  readonly jobs: KubeObject;
  readonly statefulsets: StatefulSet;
  readonly leases: Lease;
  /** Metadata only, above all the labels; the right to list them is optional. */
  readonly namespaces: KubeObject;
  /** Istio's; clusters without it have none of these kinds. */
  readonly serviceentries: ServiceEntry;
  readonly destinationrules: DestinationRule;
}
export type ListKind = keyof ListKinds;

export interface ListQuery {
  /** One namespace; undefined for all. */
  readonly namespace?: string | undefined;
  /** A label selector as kubectl's `-l` takes it. */
  readonly labelSelector?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ZtunnelQuery {
  /** Label selector of ztunnel pods, `app=ztunnel` by default. */
  readonly selector: string;
  /** Only this namespace; undefined searches all, and falls back to likely ones where that is forbidden. */
  readonly namespace: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a ztunnel's admin port is asked. */
export interface DumpRequest {
  /** ztunnel's admin port inside the pod. */
  readonly port: number;
  /** Bound on the whole exchange in milliseconds: handshake, first byte and body together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Each chunk is done with before the next is asked for, so that its memory may be used again. */
  readonly transient?: boolean;
  /** It will be asked for again, so that what can be read only once must be held. */
  readonly again?: boolean;
}

export interface Cluster {
  /** `files` is never partial by the network, and judges by the system clock. A snapshot is read as `live`. */
  readonly source: 'live' | 'files';
  /** The address of the API server, for keeping it out of what is saved; undefined without one. */
  readonly server?: string;
  /** Its names are made up, and its certificates are cut down to what is judged of them. */
  readonly redacted?: boolean;
  /** The namespace that names without one are looked up in: the context's; undefined for files. */
  readonly namespace: string | undefined;

  /** False where asking is pointless: files without `--resources` hold no Kubernetes objects. */
  canList(kind: ListKind): boolean;

  /** All objects of a kind, pages and encodings dealt with. Throws ForbiddenError, AbsentError, UserError else. */
  list<K extends ListKind>(kind: K, query?: ListQuery): Promise<readonly ListKinds[K][]>;

  /**
   * The ztunnel pods in any phase, sorted by namespace and name (files: one per dump file, in the order given).
   * Throws UserError when the API can't be asked; an empty list is an answer.
   */
  findZtunnels(query: ZtunnelQuery): Promise<readonly Ztunnel[]>;

  /**
   * The bytes of a ztunnel's `/config_dump` as they arrive. Ending the iteration early closes the connection.
   * Throws UserError naming the cause (not the pod: the caller knows it) and the next step.
   */
  openDump(ztunnel: Ztunnel, request: DumpRequest): AsyncIterable<Uint8Array>;

  /**
   * Asks `/logging` with a query (`?level=debug`, `?reset`; '' changes nothing) and gives ztunnel's answer, one text
   * of a few lines. Throws like openDump; files have no such thing.
   */
  setLogging(ztunnel: Ztunnel, query: string, request: DumpRequest): Promise<string>;

  /**
   * The ztunnel with what its dump's `config.localNode` tells: for a dump file the node, and the pod that
   * `--resources` has for it (its Running ztunnel pod on that node). Live ztunnels come back as they are.
   */
  identify(ztunnel: Ztunnel, localNode: string | undefined): Promise<Ztunnel>;

  /** "Now": the Date header of the first API answer, or the system clock. Settled once and kept. */
  reference(): Promise<Reference>;

  /** How far the local clock was ahead of the API server's at its first answer (negative: behind); undefined for files. */
  clockSkewSeconds(): number | undefined;

  /** What went less well than hoped without being an error, each once, as a sentence. */
  warnings(): readonly string[];

  /** Closes every connection; safe to call twice. */
  close(): Promise<void>;
}
