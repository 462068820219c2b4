// The facts that decide whether a connection comes about, step by step.

import type { PolicyExplanation } from '../policies/explain.ts';
import type { Unfit } from './endpoints.ts';

export const STEPS = [
  'capture',
  'identity',
  'destination',
  'waypoint',
  'gateway',
  'way',
  'trust',
  'policies',
] as const;
export type StepName = (typeof STEPS)[number];

/** `refused`: the connection does not come about; `unknown`: can't be told. */
export type StepResult = 'ok' | 'refused' | 'unknown';

/** Workloads are written `namespace/name`, services `name.namespace`, ztunnels by their pod's name. */
export interface Facts {
  // capture, of the source; and of the destination as part of the way
  readonly captured: { readonly workload: string; readonly ztunnel: string; readonly node: string };
  readonly takenForCaptured: { readonly workload: string; readonly ztunnel: string };
  readonly notCaptured: { readonly workload: string };
  readonly hostNetwork: { readonly workload: string };
  readonly kubelet: { readonly node: string };
  readonly outsider: { readonly address: string };
  readonly ownProxy: { readonly workload: string };
  readonly notEnrolled: { readonly workload: string; readonly ztunnel: string; readonly node: string };
  readonly pending: { readonly workload: string; readonly ztunnel: string; readonly said: string };
  readonly otherwise: {
    readonly workload: string;
    readonly ztunnel: string;
    readonly handed: string;
    /** null where the ztunnel knows no workload of the name. */
    readonly known: string | null;
  };
  readonly captureUnknown: { readonly workload: string; readonly why: string };
  // identity, of the source; and of the destination as part of trust
  readonly presents: { readonly identity: string; readonly remainingSeconds: number };
  readonly presentsNothing: Readonly<Record<never, never>>;
  readonly certificateUnusable: { readonly identity: string; readonly why: string };
  readonly certificateUnknown: { readonly identity: string; readonly why: string };
  readonly certificateNotListed: { readonly identity: string; readonly ztunnel: string };
  // destination
  readonly toWorkload: { readonly workload: string; readonly address: string; readonly port: number | null };
  readonly toService: {
    readonly service: string;
    readonly port: number;
    /** Ports of the endpoints that it leads to, ascending. */
    readonly targets: readonly number[];
    readonly endpoints: number;
    readonly fitting: number;
    /** null without one. */
    readonly waypoint: string | null;
  };
  readonly toUnknown: { readonly address: string; readonly ztunnel: string };
  readonly toItself: { readonly service: string };
  readonly noPort: {
    readonly service: string;
    readonly port: number | null;
    readonly ports: readonly number[];
  };
  readonly noEndpoint: {
    readonly service: string;
    readonly port: number;
    readonly endpoints: number;
    readonly unfit: Readonly<Partial<Record<Unfit, number>>>;
  };
  readonly otherNetwork: { readonly workload: string; readonly network: string };
  readonly nowhere: { readonly destination: string };
  // waypoint and gateway
  readonly waypoint: { readonly waypoint: string; readonly workload: string; readonly address: string };
  readonly waypointMissing: { readonly waypoint: string; readonly ztunnel: string };
  readonly waypointEmpty: { readonly waypoint: string };
  readonly gateway: { readonly network: string; readonly gateway: string };
  readonly gatewayMissing: { readonly network: string; readonly gateway: string | null };
  // way
  readonly hbone: { readonly workload: string; readonly address: string; readonly node: string };
  readonly plain: { readonly workload: string; readonly address: string };
  readonly leaves: { readonly address: string };
  readonly nobodyListens: { readonly workload: string };
  readonly ownPort: { readonly port: number };
  // trust
  readonly trusted: {
    readonly client: string;
    readonly server: string;
    readonly node: string;
    /** SHA-256 fingerprints of the roots that the client's and the server's chains lead to. */
    readonly clientRoot: string;
    readonly serverRoot: string;
  };
  readonly noCertificates: Readonly<Record<never, never>>;
  readonly serverRefuses: { readonly client: string; readonly server: string; readonly why: string };
  readonly clientRefuses: { readonly client: string; readonly server: string; readonly why: string };
  readonly otherDomain: { readonly client: string; readonly server: string };
  readonly otherIdentity: { readonly expected: readonly string[]; readonly presented: string };
  /** Of a proxy that is not ztunnel: it is in no dump. */
  readonly ownCertificate: { readonly workload: string };
  readonly trustUnknown: { readonly why: string };
  // policies
  readonly policies: { readonly explanation: PolicyExplanation };
  readonly policiesPassedBy: { readonly workload: string };
  readonly ownPolicies: { readonly workload: string };
  readonly policiesUnknown: { readonly why: string };
  // notes, beside the steps
  readonly unknownToSource: { readonly workload: string; readonly source: string; readonly other: string };
  readonly saidDifferently: {
    readonly workload: string;
    readonly field: string;
    readonly source: string;
    readonly sourceValue: string;
    readonly other: string;
    readonly otherValue: string;
  };
  readonly otherPolicies: { readonly workload: string; readonly source: string; readonly other: string };
  readonly sharedAddress: { readonly service: string; readonly others: readonly string[] };
  readonly absentPolicies: { readonly ztunnel: string; readonly policies: readonly string[] };
  readonly dryRun: { readonly effect: string };
}

export type FactName = keyof Facts;
export type ReachFact = { readonly [F in FactName]: { readonly fact: F } & Facts[F] }[FactName];
