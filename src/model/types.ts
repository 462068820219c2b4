// The nouns of the program: what a config dump and a Kubernetes object hold, and what is said of them.

// ---------------------------------------------------------------- JSON

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

// ---------------------------------------------------------------- config dump (ztunnel's /config_dump)

/** The sections of a config dump that the program reads, by their name in today's dumps. */
export const SECTIONS = [
  'certificates',
  'config',
  'policies',
  'services',
  'version',
  'workloadState',
  'workloads',
] as const;
export type Section = (typeof SECTIONS)[number];

/** One X.509 certificate as a dump lists it. Dates are RFC 3339 text, the serial number is decimal text. */
export interface DumpCertificate {
  /** PEM text, already freed of the base64 that ztunnel ≥ 1.21 wraps around it; '' if it could not be read. */
  readonly pem: string;
  readonly serialNumber: string;
  readonly validFrom: string;
  readonly expirationTime: string;
  /** In a redacted dump, instead of the PEM text of a certificate that could be read. */
  readonly facts?: JudgedFacts | undefined;
}

/** What is wrong between a certificate and one that bears its issuer's name. */
export type LinkFlaw = 'otherIssuer' | 'badSignature';

/** All that certificates are judged by, without the certificate. Dates are RFC 3339. */
export interface JudgedFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: string;
  readonly notAfter: string;
  /** Of whatever tells certificates apart, not of the DER. */
  readonly fingerprintSHA256: string;
  /** The URIs of its subject alternative name. */
  readonly uris: readonly string[];
  readonly isAuthority: boolean;
  /** Names itself as its issuer, with its own key. */
  readonly isSelfIssued: boolean;
  /** What following it to an issuer came to, by the issuer's fingerprint; one that is not here did not issue it. */
  readonly links: ReadonlyMap<string, LinkFlaw | 'issued'>;
}

/** One identity's entry in a dump's `certificates`, in today's shape. */
export interface CertificateEntry {
  /** `spiffe://<trust domain>/ns/<namespace>/sa/<service account>`, as sent. */
  readonly identity: string;
  /** `Initializing`, `Available`, `Unavailable: <reason>`, or what a later ztunnel says. */
  readonly state: string;
  /** Leaf first, in the order sent; ztunnel 1.22.0–1.24.5 and 1.25.0–1.25.2 end it with the root. */
  readonly chain: readonly DumpCertificate[];
  /** All trust anchors; undefined when the dump has no `rootCerts` at all (missing is not empty). */
  readonly roots: readonly DumpCertificate[] | undefined;
  /** The entry as ztunnel sent it; undefined unless the reader was asked to keep it. */
  readonly raw: JsonObject | undefined;
}

/** `network/ip` or `namespace/hostname` of a waypoint or gateway. */
export interface GatewayAddress {
  readonly destination: string;
  readonly port: number | undefined;
}

/** A workload as ztunnel knows it. Absent strings are ''. */
export interface Workload {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Never '': ztunnel fills in `default`. */
  readonly serviceAccount: string;
  /** Never '': ztunnel fills in `cluster.local`. */
  readonly trustDomain: string;
  readonly addresses: readonly string[];
  readonly hostname: string;
  readonly protocol: string;
  /** `Standard` or `HostNetwork` (1.24+). */
  readonly networkMode: string;
  /** True for waypoints and gateways that speak HBONE themselves. */
  readonly nativeTunnel: boolean;
  readonly node: string;
  readonly network: string;
  readonly clusterId: string;
  readonly status: string;
  readonly waypoint: GatewayAddress | undefined;
  /** `namespace/hostname` of each service it backs. */
  readonly services: readonly string[];
  readonly raw: JsonObject | undefined;
}

/** One workload behind a service. */
export interface ServiceEndpoint {
  readonly workloadUid: string;
  /** `Healthy` or `Unhealthy`, as the service sees it; '' before 1.24. */
  readonly status: string;
}

/** A port of a service, and the port of its workloads that it leads to (0: theirs by name). */
export interface ServicePort {
  readonly port: number;
  readonly targetPort: number;
}

/** A service as ztunnel knows it. */
export interface Service {
  readonly name: string;
  readonly namespace: string;
  readonly hostname: string;
  /** `network/ip` each. */
  readonly vips: readonly string[];
  readonly subjectAltNames: readonly string[];
  readonly ports: readonly ServicePort[];
  /** By workload uid. Before 1.24 there is one for each address, so that a workload may stand here twice. */
  readonly endpoints: readonly ServiceEndpoint[];
  readonly waypoint: GatewayAddress | undefined;
  readonly raw: JsonObject | undefined;
}

/** An authorization policy as ztunnel knows it. */
export interface Policy {
  readonly name: string;
  readonly namespace: string;
  readonly action: string;
  readonly scope: string;
  /** Only logged, not enforced (1.29+). */
  readonly dryRun: boolean;
  /** As sent: rules of which one must hold, each of clauses that all must, each of matches of which one must. */
  readonly rules: Json;
  readonly raw: JsonObject | undefined;
}

/** One open connection of a captured pod. Addresses are `ip:port` or `[ip]:port`; absent ones are ''. */
export interface Connection {
  readonly source: string;
  /** Where the client wanted to go: an address, or for inbound HBONE a hostname. */
  readonly originalDestination: string;
  readonly actualDestination: string;
  /** `HBONE` or `TCP`. */
  readonly protocol: string;
  readonly raw: JsonObject | undefined;
}
export const DIRECTIONS = ['inbound', 'outbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** A pod that this ztunnel captures; `uid` is the Kubernetes pod UID. */
export interface CapturedPod {
  readonly uid: string;
  readonly state: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly serviceAccount: string | undefined;
  /** In the order sent. */
  readonly connections: Readonly<Record<Direction, readonly Connection[]>>;
  readonly raw: JsonObject | undefined;
}

/** What the program reads of a dump's `config`. */
export interface ZtunnelConfig {
  readonly localNode: string | undefined;
  readonly clusterId: string | undefined;
  readonly network: string | undefined;
  /** `Shared` or `Dedicated`. */
  readonly proxyMode: string | undefined;
  readonly caAddress: string | undefined;
  /** Configured certificate lifetime in seconds. */
  readonly secretTtlSeconds: number | undefined;
  readonly raw: JsonObject | undefined;
}

/** A section that was there but could not be read; the others are unaffected. */
export interface SectionProblem {
  readonly section: Section;
  /** One sentence that names the path or offset where it broke. */
  readonly message: string;
  readonly hint?: string;
}

/** A config dump in today's shape, whatever release it came from. */
export interface ConfigDump {
  /** The sections that were found whole, so that "empty" and "not read" differ. */
  readonly sections: ReadonlySet<Section>;
  readonly certificates: readonly CertificateEntry[];
  readonly workloads: readonly Workload[];
  readonly services: readonly Service[];
  readonly policies: readonly Policy[];
  readonly capturedPods: readonly CapturedPod[];
  readonly config: ZtunnelConfig;
  /** `istioVersion`, else `version`; undefined when neither is known. */
  readonly version: string | undefined;
  readonly problems: readonly SectionProblem[];
}

// ---------------------------------------------------------------- Kubernetes objects
// The shapes are those of the API server's JSON, cut to the fields that proto/ holds.

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** RFC 3339, whole seconds. */
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
}

export interface Pod extends KubeObject {
  readonly kind: 'Pod';
  readonly spec?: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly hostNetwork?: boolean;
  };
  readonly status?: {
    readonly phase?: string;
    readonly startTime?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

export interface StatefulSet extends KubeObject {
  readonly kind: 'StatefulSet';
  readonly spec?: { readonly replicas?: number; readonly ordinals?: { readonly start?: number } };
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

export interface Lease extends KubeObject {
  readonly kind: 'Lease';
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** RFC 3339 with six decimals. */
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
    readonly strategy?: string;
    readonly preferredHolder?: string;
  };
}

/** What a client does to reach a host: `mode` DISABLE (if absent), SIMPLE, MUTUAL or ISTIO_MUTUAL. */
export interface ClientTls {
  readonly mode?: string;
  readonly subjectAltNames?: readonly string[];
}

export interface TrafficPolicy {
  readonly tls?: ClientTls;
  /** Each replaces all of the policy for its port. */
  readonly portLevelSettings?: readonly {
    readonly port?: { readonly number?: number };
    readonly tls?: ClientTls;
  }[];
}

export interface ServiceEntry extends KubeObject {
  readonly kind: 'ServiceEntry';
  readonly spec?: { readonly hosts?: readonly string[]; readonly subjectAltNames?: readonly string[] };
}

export interface DestinationRule extends KubeObject {
  readonly kind: 'DestinationRule';
  readonly spec?: {
    readonly host?: string;
    readonly trafficPolicy?: TrafficPolicy;
    readonly subsets?: readonly {
      readonly name?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly trafficPolicy?: TrafficPolicy;
    }[];
  };
}

// ---------------------------------------------------------------- ztunnels and what was heard of them

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
}

/** When "now" is, and who says so. */
export interface Reference {
  readonly time: Date;
  readonly source: 'api-server' | 'system-clock' | 'flag';
}

/** What is known of a kind of object: the list, that it was not asked for, or that the API refused it. */
export type Listed<T> =
  | { readonly known: true; readonly items: readonly T[] }
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

// ---------------------------------------------------------------- what is said of certificates

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
  /** The root that the chain verifies to, one that is valid if there is any; null for none. Not in the JSON. */
  readonly anchor: X509Facts | null;
  readonly owners: Owners;
  /** What the dump held, for `-o short` and `raw`; undefined on a MISSING row. */
  readonly entry: CertificateEntry | undefined;
}

/** CERTIFICATE of a workload: its identity's STATUS on its node; `none` needs none; `-` not known. */
export type WorkloadCertificate = Status | 'none' | '-';

/** One workload of the mesh, joined with its certificate and owner: a row of `workloads`. */
export interface WorkloadItem {
  readonly workload: Workload;
  /** `spiffe://…` made of its trust domain, namespace and service account. */
  readonly identity: string;
  readonly certificate: WorkloadCertificate;
  readonly severity: Severity;
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
