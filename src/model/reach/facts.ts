// The facts that decide whether a connection comes about, step by step, and how they read.

import { formatDuration } from '../../base/duration.ts';
import { plural } from '../certificates/summary.ts';
import { formatDryRun, formatPolicies, type PolicyExplanation } from '../policies/explain.ts';
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
interface Facts {
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

const UNFIT = {
  unknownWorkload: 'not known as a workload',
  unhealthy: 'unhealthy',
  noAddress: 'without an address',
  noPort: 'without the port',
  elsewhere: 'in another place than load balancing wants',
  weightless: 'of no weight',
} satisfies Record<Unfit, string>;

type Texts = { readonly [F in FactName]: (fact: Facts[F]) => string };

const TEXTS: Texts = {
  captured: ({ workload, ztunnel, node }) => `${workload} is captured by ${ztunnel} on ${node}`,
  takenForCaptured: ({ workload, ztunnel }) =>
    `${workload} is HBONE to ${ztunnel}, whose dump does not say which pods it captures`,
  notCaptured: ({ workload }) => `${workload} is not captured: plain TCP, without an identity`,
  hostNetwork: ({ workload }) => `${workload} is on its node's network: plain TCP, without an identity`,
  kubelet: ({ node }) => `probes of the kubelet of ${node} come from 169.254.7.127 and pass ztunnel by`,
  outsider: ({ address }) => `${address} is no workload of the mesh: plain TCP, without an identity`,
  ownProxy: ({ workload }) => `${workload} has a proxy of its own, which is in no dump`,
  notEnrolled: ({ workload, ztunnel, node }) =>
    `${ztunnel} on ${node} was never handed ${workload}: all of its connections fail`,
  pending: ({ workload, ztunnel, said }) => `the proxy of ${workload} on ${ztunnel} is ${said}, not Up`,
  otherwise: ({ workload, ztunnel, handed, known }) =>
    known === null
      ? `${ztunnel} was handed ${workload} and knows no such workload: it refuses all of its connections`
      : `${ztunnel} was handed ${workload} with account ${handed} and knows it with account ${known}: it refuses all of its connections`,
  captureUnknown: ({ workload, why }) => `whether ${workload} is captured is not known: ${why}`,
  presents: ({ identity, remainingSeconds }) =>
    `presents ${identity}, valid ${formatDuration(remainingSeconds)}`,
  presentsNothing: () => 'plain TCP: no identity is presented',
  certificateUnusable: ({ identity, why }) => `${identity} has no certificate that can be used: ${why}`,
  certificateUnknown: ({ identity, why }) => `the certificate of ${identity}: ${why}`,
  certificateNotListed: ({ identity, ztunnel }) =>
    `${ztunnel} does not list ${identity}: it fetches it when a connection needs it`,
  toWorkload: ({ workload, address, port }) =>
    `${workload} at ${address}${port === null ? '' : `, port ${port}`}`,
  toService: ({ service, port, targets, endpoints, fitting, waypoint }) => {
    const count =
      fitting === endpoints
        ? plural(endpoints, 'endpoint')
        : `${fitting} of ${plural(endpoints, 'endpoint')}`;
    const lead = targets.length === 0 ? '' : ` → ${targets.join(', ')}`;
    return waypoint === null
      ? `service ${service}, port ${port}${lead}, ${count}, no waypoint`
      : `service ${service}, port ${port}, waypoint ${waypoint}`;
  },
  toUnknown: ({ address, ztunnel }) => `${ztunnel} does not know ${address}: plain TCP to it`,
  toItself: ({ service }) => `service ${service} takes connections to the address itself: plain TCP to it`,
  noPort: ({ service, port, ports }) => {
    const has = ports.length === 0 ? 'it has none' : `it has ${ports.join(', ')}`;
    return port === null
      ? `service ${service} needs a port: ${has}`
      : `service ${service} has no port ${port}: ${has}`;
  },
  noEndpoint: ({ service, port, endpoints, unfit }) => {
    const reasons = (Object.keys(UNFIT) as Unfit[]).flatMap((why) =>
      unfit[why] ? [`${unfit[why]} ${UNFIT[why]}`] : [],
    );
    const why = endpoints === 0 ? 'it has none' : reasons.join(', ');
    return `service ${service} has no endpoint for port ${port}: ${why}`;
  },
  otherNetwork: ({ workload, network }) =>
    `${workload} is in network ${network}, which is reached by services only`,
  nowhere: ({ destination }) => `${destination} has no address to connect to`,
  waypoint: ({ waypoint, workload, address }) =>
    `waypoint ${waypoint}: HBONE to ${workload} (${address}); what it makes of the connection is in no dump`,
  waypointMissing: ({ waypoint, ztunnel }) => `waypoint ${waypoint} is not known to ${ztunnel}`,
  waypointEmpty: ({ waypoint }) => `waypoint ${waypoint} has no endpoint that could be chosen`,
  gateway: ({ network, gateway }) =>
    `to network ${network} by gateway ${gateway}: what is behind it is in no dump of this network`,
  gatewayMissing: ({ network, gateway }) =>
    gateway === null
      ? `there is no gateway to network ${network}`
      : `gateway ${gateway} to network ${network} is not known, or has no endpoint`,
  hbone: ({ workload, address, node }) =>
    `HBONE to ${workload} (${address})${node === '' ? '' : ` on ${node}`}`,
  plain: ({ workload, address }) => `plain TCP to ${workload} (${address})`,
  leaves: ({ address }) => `plain TCP to ${address}, which is no workload that is known here`,
  nobodyListens: ({ workload }) =>
    `istiod says HBONE of ${workload}, which no ztunnel captures: nobody listens on its port 15008`,
  ownPort: ({ port }) => `port ${port} is ztunnel's own: it takes no connections to it`,
  trusted: ({ client, server, node, clientRoot, serverRoot }) =>
    `${server}${node === '' ? '' : ` on ${node}`} accepts ${client} by root ${shorten(clientRoot)}; ${client} accepts ${server} by root ${shorten(serverRoot)}`,
  noCertificates: () => 'plain TCP: no certificates',
  serverRefuses: ({ client, server, why }) => `${server} does not accept ${client}: ${why}`,
  clientRefuses: ({ client, server, why }) => `${client} does not accept ${server}: ${why}`,
  otherDomain: ({ client, server }) =>
    `the client is in trust domain ${client}, the server in ${server}: it accepts its own only`,
  otherIdentity: ({ expected, presented }) =>
    `the client expects ${expected.join(' or ')}, the server presents ${presented}`,
  ownCertificate: ({ workload }) => `${workload} presents a certificate of its own, which is in no dump`,
  trustUnknown: ({ why }) => why,
  policies: ({ explanation }) => formatPolicies(explanation),
  policiesPassedBy: ({ workload }) => `no ztunnel applies policies to ${workload}`,
  ownPolicies: ({ workload }) => `what the proxy of ${workload} refuses is in no dump`,
  policiesUnknown: ({ why }) => why,
  unknownToSource: ({ workload, source, other }) => `${source} does not know ${workload}, ${other} does`,
  saidDifferently: ({ workload, field, source, sourceValue, other, otherValue }) =>
    `${field} of ${workload} is ${sourceValue} to ${source}, ${otherValue} to ${other}`,
  otherPolicies: ({ workload, source, other }) =>
    `${source} has other policies for ${workload} than ${other}, whose own decide`,
  sharedAddress: ({ service, others }) =>
    `the address belongs to ${others.join(', ')}, too: of these, the client gets ${service}`,
  absentPolicies: ({ ztunnel, policies }) =>
    `${ztunnel} lacks ${policies.join(', ')}, and skips what it lacks`,
  dryRun: ({ effect }) => effect,
};

/** One phrase. */
export function formatFact(fact: ReachFact): string {
  return (TEXTS[fact.fact] as (fact: ReachFact) => string)(fact);
}

/** Enough of a fingerprint to tell roots apart. */
function shorten(fingerprint: string): string {
  return `${fingerprint.slice(0, 8)}…`;
}

/** What of a fact decides, apart from which pod or address it is about: equal outcomes have equal ones. */
export function keyOfFact(fact: ReachFact): string {
  return `${fact.fact} ${(DECIDING[fact.fact] as ((fact: ReachFact) => string) | undefined)?.(fact) ?? ''}`;
}

const DECIDING: { readonly [F in FactName]?: (fact: Facts[F]) => string } = {
  certificateUnusable: ({ why }) => why,
  certificateUnknown: ({ why }) => why,
  noPort: ({ service, port }) => `${service} ${port}`,
  noEndpoint: ({ service, port }) => `${service} ${port}`,
  toService: ({ service, port }) => `${service} ${port}`,
  waypoint: ({ waypoint }) => waypoint,
  waypointMissing: ({ waypoint }) => waypoint,
  waypointEmpty: ({ waypoint }) => waypoint,
  gateway: ({ gateway }) => gateway,
  gatewayMissing: ({ network }) => network,
  otherNetwork: ({ network }) => network,
  ownPort: ({ port }) => String(port),
  serverRefuses: ({ why }) => why,
  clientRefuses: ({ why }) => why,
  otherDomain: ({ client, server }) => `${client} ${server}`,
  otherIdentity: ({ expected, presented }) => `${expected.join()} ${presented}`,
  trustUnknown: ({ why }) => why,
  policiesUnknown: ({ why }) => why,
  policies: ({ explanation }) => {
    const { decision, decisive, nearest } = explanation;
    const by = decisive ?? nearest;
    return `${decision.reason} ${by?.policy ?? ''} ${by?.rule ?? ''}`;
  },
};

/** What enforcing policies of a dry run would change, as a note; undefined for nothing. */
export function noteDryRun(explanation: PolicyExplanation): ReachFact | undefined {
  const effect = formatDryRun(explanation);
  return effect === undefined ? undefined : { fact: 'dryRun', effect };
}
