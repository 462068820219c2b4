// What the rows of commands are: facts of dumps joined with Kubernetes objects, and judged.

import type { JsonObject } from '../base/json.ts';
import type { Use } from './certificates/use.ts';
import type { Presented, Verifier } from './certificates/verification.ts';
import type { CertificateEntry, Direction, Policy, Service, Workload } from './dump.ts';
import type { Severity, ZtunnelRef } from './types.ts';

/** In the order of the table: within a severity, rows are shown in this order. */
export const STATUSES = [
  'UNAVAILABLE',
  'INITIALIZING',
  'UNKNOWN',
  'MISMATCH',
  'NOT-YET-VALID',
  'EXPIRED',
  'UNTRUSTED',
  'EXPIRING',
  'RENEWAL-OVERDUE',
  'OK',
  'MISSING',
] as const;

export type Status = (typeof STATUSES)[number];

export interface SerialNumber {
  readonly decimal: string;
  /** Upper case, whole bytes, as openssl prints it. */
  readonly hex: string;
}

/** One X.509 certificate of a chain or of the trust anchors, as its own bytes tell it. */
export interface X509Facts {
  readonly subject: string;
  readonly issuer: string;
  /** RFC 3339, whole seconds. */
  readonly notBefore: string;
  readonly notAfter: string;
  readonly serialNumber: SerialNumber;
  /** Lower-case hex SHA-256 of the DER. */
  readonly fingerprintSHA256: string;
  readonly pem: string;
}

/** A controller (or a bare pod) whose pods use an identity on a node. */
export interface Owner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Replicas, for a StatefulSet that could be listed; else null. */
  readonly ready: number | null;
  readonly desired: number | null;
  /** Names of its pods that run under the identity on the node, sorted. */
  readonly pods: readonly string[];
}

/** Owners, or why there are none to show: `unknown` ('-') was not asked or not knowable, `forbidden` ('?'). */
export type Owners =
  | { readonly known: true; readonly owners: readonly Owner[] }
  | { readonly known: false; readonly why: 'unknown' | 'forbidden' };

/** Both sides of a certificate's handshakes. */
export interface Peering {
  readonly presented: Presented;
  readonly verifier: Verifier;
}

/** One identity on one ztunnel, judged at the reference time: a row of `certs`. Dates are RFC 3339. */
export interface CertificateItem {
  /** The context of its cluster, where several clusters are asked. */
  readonly cluster?: string;
  readonly identity: string;
  readonly trustDomain: string | null;
  readonly namespace: string | null;
  readonly serviceAccount: string | null;
  /** `td/ns/x/sa/y`, as AuthorizationPolicy wants it. */
  readonly principal: string | null;
  readonly node: string | null;
  /** null on a MISSING row. */
  readonly ztunnel: ZtunnelRef | null;
  /** ztunnel's own text; null on a MISSING row. */
  readonly state: string | null;
  readonly status: Status;
  readonly severity: Severity;
  readonly reason: string | null;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  readonly effectiveNotAfter: string | null;
  /** Whole seconds from the reference time to effectiveNotAfter; negative once past. */
  readonly remainingSeconds: number | null;
  /** Share of the leaf's lifetime that is used, in percent with one decimal; may leave 0…100. */
  readonly lifetimePercent: number | null;
  readonly serialNumber: SerialNumber | null;
  readonly fingerprintSHA256: string | null;
  readonly issuer: string | null;
  /** Leaf first, then intermediates; without roots and without what could not be parsed. */
  readonly chain: readonly X509Facts[];
  readonly roots: readonly X509Facts[];
  /** The root that the chain verifies to, whatever its dates; null for none. Not in the JSON. */
  readonly anchor: X509Facts | null;
  /** The intermediates on the way to it; without one, all of the chain. Not in the JSON. */
  readonly issuers: readonly X509Facts[];
  /** What it presents to peers, and what it verifies them with; null where there is nothing to present. Not in the JSON. */
  readonly peering: Peering | null;
  readonly owners: Owners;
  /** Whether anybody needs it. Not in the JSON. */
  readonly use: Use;
  /** What the dump held, for `-o short` and `raw`; undefined on a MISSING row. */
  readonly entry: CertificateEntry | undefined;
}

/** CERTIFICATE of a workload: its identity's STATUS on its node; `none` needs none; `-` not known. */
export type WorkloadCertificate = Status | 'none' | '-';

/**
 * Whether a workload is captured: `pending` while its ztunnel takes it over, `not enrolled` if it is redirected to a
 * ztunnel that does not have it, `no` for a pod that is not redirected, `none` for what can't be, `-` where it is not known.
 */
export type CaptureState = 'yes' | 'pending' | 'not enrolled' | 'no' | 'none' | '-';

/** One workload of the mesh, joined with its certificate and owner: a row of `workloads`. */
export interface WorkloadItem {
  readonly workload: Workload;
  /** `spiffe://…` made of its trust domain, namespace and service account. */
  readonly identity: string;
  readonly certificate: WorkloadCertificate;
  readonly severity: Severity;
  readonly capture: CaptureState;
  /** `Pod`, `WorkloadEntry`, `ServiceEntry`, `SplitHorizonWorkload`, `NetworkGateway`, or what the uid says. */
  readonly kind: string;
  readonly owner: Owners;
  /** `name`, `namespace/name` when elsewhere, or null for none; the raw destination when no service has it. */
  readonly waypoint: string | null;
  /** The ztunnels whose dump holds it. */
  readonly ztunnels: readonly ZtunnelRef[];
  /** Two of these ztunnels have it differently. */
  readonly differs: boolean;
}

/** One service of the mesh: a row of `services`. */
export interface ServiceItem {
  readonly service: Service;
  /** Endpoints whose workload is in the same dump, with status Healthy. */
  readonly healthyEndpoints: number;
  /** As in a WorkloadItem. */
  readonly waypoint: string | null;
  readonly ztunnels: readonly ZtunnelRef[];
  readonly differs: boolean;
}

/** One authorization policy of the mesh: a row of `policies`. */
export interface PolicyItem {
  readonly policy: Policy;
  readonly ztunnels: readonly ZtunnelRef[];
  readonly differs: boolean;
}

/** One ztunnel: a row of `ztunnels`. What a pod would tell is null for a dump file without one. */
export interface ZtunnelItem {
  readonly ztunnel: ZtunnelRef;
  /** `Running`, `Pending`, `Terminating`, … */
  readonly phase: string | null;
  /** The image's tag, or what its dump says where that is read. */
  readonly version: string | null;
  readonly ready: boolean | null;
  readonly restarts: number | null;
  /** RFC 3339. */
  readonly createdAt: string | null;
  /** Whole seconds up to the reference time. */
  readonly ageSeconds: number | null;
  readonly answered: boolean;
  /** Why it did not answer, or what of its answer could not be used. */
  readonly reason: string | null;
  readonly severity: Severity;
  /** Pods of its node that are captured; null where pods are not known. */
  readonly captured: number | null;
  /** Those that it has taken over and runs a proxy for; null where its dump does not say. */
  readonly enrolled: number | null;
  /** Those whose proxy does not run; null where its dump does not say. */
  readonly pending: number | null;
  /** How many certificates it lists by status, judged without knowing who uses them; null if it did not answer. */
  readonly certificates: Readonly<Partial<Record<Status, number>>> | null;
  /** Its dump's `config` as sent. */
  readonly raw: JsonObject | undefined;
}

/** An end of a connection: `ip:port` as sent, and the same with a service's or workload's name where one is known. */
export interface ConnectionEnd {
  readonly address: string;
  readonly name: string;
}

/** One open connection of a captured pod: a row of `connections`. */
export interface ConnectionItem {
  readonly ztunnel: ZtunnelRef;
  /** The Kubernetes UID of the pod, and its name as far as the dump or the API tells. */
  readonly pod: { readonly uid: string; readonly namespace: string | null; readonly name: string | null };
  readonly owner: Owners;
  readonly direction: Direction;
  readonly local: ConnectionEnd;
  readonly remote: ConnectionEnd;
  /** Where the client wanted to go; null when ztunnel does not know. */
  readonly target: ConnectionEnd | null;
  readonly protocol: string;
  readonly raw: JsonObject | undefined;
}
