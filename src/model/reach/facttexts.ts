// How the facts that decide a connection read, and which of them say the same.

import { formatDuration } from '../../base/duration.ts';
import { plural } from '../certificates/summary.ts';
import { formatDryRun, formatPolicies, type PolicyExplanation } from '../policies/explain.ts';
import type { Unfit } from './endpoints.ts';
import type { FactName, Facts, ReachFact } from './facts.ts';

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
