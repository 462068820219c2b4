// What a config dump says, in today's shape, whatever release wrote it.

import type { Json, JsonObject } from '../base/json.ts';
import type { TlsFacts } from './certificates/tlsfacts.ts';

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
  /** Names and keys in it are replaced, too. */
  readonly tls: TlsFacts;
  /** The keys, as `tls.key` has them, that its signature was checked with and is of. */
  readonly signers: readonly string[];
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

/** Where a workload runs; absent parts are ''. */
export interface Locality {
  readonly region: string;
  readonly zone: string;
  readonly subzone: string;
}

/** How a workload wants its traffic handed over by ztunnel (waypoints that ztunnel captures, since 1.22). */
export interface ApplicationTunnel {
  /** `PROXY` or `NONE`. */
  readonly protocol: string;
  /** undefined for the port that was asked for. */
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
  /** The way to it from other networks. */
  readonly networkGateway: GatewayAddress | undefined;
  readonly applicationTunnel: ApplicationTunnel | undefined;
  /** undefined before 1.22, and where nothing is known of it. */
  readonly locality: Locality | undefined;
  /** Its weight among a service's endpoints (1.26+); 1 where the dump has none. */
  readonly capacity: number;
  /** `namespace/name` of each policy of scope WorkloadSelector that selects it. */
  readonly authorizationPolicies: readonly string[];
  /** `namespace/hostname` of each service it backs. */
  readonly services: readonly string[];
  readonly raw: JsonObject | undefined;
}

/** One workload behind a service. */
export interface ServiceEndpoint {
  readonly workloadUid: string;
  /** `Healthy` or `Unhealthy`, as the service sees it; '' before 1.24. */
  readonly status: string;
  /** Its own ports, which go before the service's. */
  readonly ports: readonly ServicePort[];
}

/** A port of a service, and the port of its workloads that it leads to (0: theirs by name). */
export interface ServicePort {
  readonly port: number;
  readonly targetPort: number;
}

/** Which of a service's endpoints are chosen. */
export interface LoadBalancer {
  /** `Standard`, `Strict` (all preferences must hold), `Failover` (as many as can be), or `Passthrough`. */
  readonly mode: string;
  /** `OnlyHealthy` or `AllowAll`; '' before 1.24. */
  readonly healthPolicy: string;
  /** `Region`, `Zone`, `Subzone`, `Node`, `Cluster`, `Network`: those at which endpoint and client must agree, in order. */
  readonly preferences: readonly string[];
}

/** One of several waypoints of a service, and its share of the connections (1.31+). */
export interface WeightedWaypoint {
  readonly waypoint: GatewayAddress;
  readonly weight: number;
}

/** A service as ztunnel knows it. */
export interface Service {
  readonly name: string;
  readonly namespace: string;
  readonly hostname: string;
  /** `network/ip` each. */
  readonly vips: readonly string[];
  /** `network/ip/length` of each range of addresses that it has (1.30+). */
  readonly cidrVips: readonly string[];
  readonly subjectAltNames: readonly string[];
  readonly ports: readonly ServicePort[];
  /** By workload uid. Before 1.24 there is one for each address, so that a workload may stand here twice. */
  readonly endpoints: readonly ServiceEndpoint[];
  readonly waypoint: GatewayAddress | undefined;
  /** Where there are any, they go before `waypoint`. */
  readonly weightedWaypoints: readonly WeightedWaypoint[];
  /** undefined for none of these wishes, and before 1.22. */
  readonly loadBalancer: LoadBalancer | undefined;
  /** `IPv4`, `IPv6` or `Dual`; '' for no restriction, and before 1.23. */
  readonly ipFamilies: string;
  /** Of several services with one address, it goes before those of other namespaces than the client's (1.29+). */
  readonly canonical: boolean;
  /** `Public` or `Namespace` (1.31+): who may use it. '' before. */
  readonly visibility: string;
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
  /**
   * Rules of which one must hold, each of clauses that all must, each of matches of which one must; as sent, with the
   * kinds of a match in today's spelling.
   */
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
  /** It signs its certificates itself, for tests: nobody else trusts them. */
  readonly fakeCa: boolean;
  /** It asks istiod only for what its connections need, and so does not know the whole mesh. */
  readonly xdsOnDemand: boolean;
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
  /** `tls-aws-lc`, `tls-ring`, …: what the build verifies certificates with; undefined when it does not say. */
  readonly cryptoProvider: string | undefined;
  readonly problems: readonly SectionProblem[];
}
