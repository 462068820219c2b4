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
  /** `tls-aws-lc`, `tls-ring`, …: what the build verifies certificates with; undefined when it does not say. */
  readonly cryptoProvider: string | undefined;
  readonly problems: readonly SectionProblem[];
}
