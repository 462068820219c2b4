// Where a ztunnel takes a connection of one of its pods: to a workload, a waypoint, a network gateway, or as it is.

import type { GatewayAddress, Service, Workload } from '../dump.ts';
import type { Address } from '../policies/addresses.ts';
import { type Candidate, type Choice, chooseAddress, chooseEndpoints } from './endpoints.ts';
import { type ReachView, readGateway } from './view.ts';

/** An address and port that somebody connects to. */
export interface Target {
  readonly address: Address;
  /** undefined: not asked for. */
  readonly port: number | undefined;
}

/** What the address is to the ztunnel. */
export type Meant =
  | { readonly what: 'service'; readonly service: Service; readonly others: readonly Service[] }
  | { readonly what: 'workload'; readonly workload: Workload }
  | { readonly what: 'unknown' };

export type Plan =
  /** Any of them may be chosen. Their protocol says whether it is by HBONE or plain. */
  | {
      readonly way: 'direct';
      readonly meant: Meant;
      readonly hops: readonly Hop[];
      readonly choice: Choice | undefined;
    }
  /** As plain TCP to the very address. */
  | { readonly way: 'passthrough'; readonly meant: Meant }
  /** Each of several waypoints, or of its endpoints, may be chosen. */
  | { readonly way: 'waypoint'; readonly meant: Meant; readonly waypoints: readonly WaypointPlan[] }
  | {
      readonly way: 'none';
      readonly meant: Meant;
      readonly why: NoWay;
      readonly choice: Choice | undefined;
    };

/** A next hop; `gateway` is how it is reached in another network, always by way of a service. */
export interface Hop extends Candidate {
  readonly gateway: GatewayPlan | undefined;
}

/** Why there is no way at all. */
export type NoWay = 'noPort' | 'noEndpoint' | 'otherNetwork';

export interface WaypointPlan {
  readonly destination: string;
  /** undefined where the ztunnel knows nothing of the name or address. */
  readonly found: Service | Workload | undefined;
  readonly hops: readonly Hop[];
}

export interface GatewayPlan {
  readonly network: string;
  /** undefined for a workload that names none. */
  readonly destination: string | undefined;
  readonly candidates: readonly Candidate[];
}

/** What ztunnel does with a connection of `source`, one of its own pods. */
export function planOutbound(view: ReachView, source: Workload, target: Target): Plan {
  const meant = findMeant(view, source, target.address);
  if (meant.what === 'service') {
    const waypoints = waypointsOf(meant.service);
    if (waypoints.length > 0) {
      return {
        way: 'waypoint',
        meant,
        waypoints: waypoints.map((each) => planWaypoint(each, view, source, target)),
      };
    }
  }
  // ztunnel sends to a service of the address before it sends to a workload of it.
  const service = view.serviceAt(source.network, target.address.text, source.namespace);
  if (service !== undefined) return planService(service, meant, view, source, target);
  const workload = view.workloadAt(source.network, target.address.text);
  if (workload === undefined) return { way: 'passthrough', meant };
  return planWorkload(workload, meant, view, source, target);
}

/** A workload with the address, else a service. */
export function findMeant(view: ReachView, source: Workload, { text }: Address): Meant {
  const workload = view.workloadAt(view.network, text);
  if (workload !== undefined) return { what: 'workload', workload };
  const service = view.serviceAt(view.network, text, source.namespace);
  if (service === undefined) return { what: 'unknown' };
  const others = view.servicesAt(view.network, text).filter((each) => each !== service);
  return { what: 'service', service, others };
}

/** Those with a share of the connections, else the one. */
function waypointsOf({ waypoint, weightedWaypoints }: Service): readonly GatewayAddress[] {
  const weighted = weightedWaypoints.filter(({ weight }) => weight > 0).map((each) => each.waypoint);
  if (weighted.length > 0) return weighted;
  return waypoint === undefined ? [] : [waypoint];
}

function planService(
  service: Service,
  meant: Meant,
  view: ReachView,
  source: Workload,
  target: Target,
): Plan {
  if (service.loadBalancer?.mode === 'Passthrough') return { way: 'passthrough', meant };
  const { port } = target;
  if (port === undefined) return { way: 'none', meant, why: 'noPort', choice: undefined };
  const choice = chooseEndpoints({ view, source, service, port, target: target.address });
  if (!choice.hasPort) return { way: 'none', meant, why: 'noPort', choice };
  if (choice.candidates.length === 0) return { way: 'none', meant, why: 'noEndpoint', choice };
  return { way: 'direct', meant, hops: hopsOf(choice.candidates, view, source, target), choice };
}

function hopsOf(
  candidates: readonly Candidate[],
  view: ReachView,
  source: Workload,
  target: Target,
): readonly Hop[] {
  return candidates.map((each) => {
    const isNear = each.workload.network === source.network;
    return { ...each, gateway: isNear ? undefined : gatewayOf(each.workload, view, source, target) };
  });
}

function planWorkload(
  workload: Workload,
  meant: Meant,
  view: ReachView,
  source: Workload,
  target: Target,
): Plan {
  if (workload.network !== source.network)
    return { way: 'none', meant, why: 'otherNetwork', choice: undefined };
  const { waypoint } = workload;
  if (meant.what === 'workload' && waypoint !== undefined && !isWaypointOf(source, workload, view)) {
    return { way: 'waypoint', meant, waypoints: [planWaypoint(waypoint, view, source, target)] };
  }
  const address = chooseAddress(workload, target.address);
  const hops = [{ workload, address, port: target.port, gateway: undefined }];
  return { way: 'direct', meant, hops, choice: undefined };
}

/** The waypoint itself sends straight to what is behind it. */
function isWaypointOf(source: Workload, { waypoint }: Workload, view: ReachView): boolean {
  const found = waypoint && findGateway(waypoint, view, source).found;
  if (found === undefined) return false;
  if (!('endpoints' in found)) return found.uid === source.uid;
  return found.endpoints.some(({ workloadUid }) => workloadUid === source.uid);
}

interface FoundGateway {
  readonly found: Service | Workload | undefined;
  readonly target: Address | undefined;
}

function findGateway(gateway: GatewayAddress, view: ReachView, source: Workload): FoundGateway {
  const read = readGateway(gateway);
  if ('hostname' in read) return { found: view.byHost(read.namespace, read.hostname), target: undefined };
  const { network, address } = read;
  return {
    found: view.serviceAt(network, address.text, source.namespace) ?? view.workloadAt(network, address.text),
    target: address,
  };
}

/** HBONE's own port, where a gateway names none. */
export const HBONE_PORT = 15_008;

function candidatesOf(
  { found, target }: FoundGateway,
  port: number,
  view: ReachView,
  source: Workload,
  asked: Address,
  forWaypoint: boolean,
): readonly Candidate[] {
  if (found === undefined) return [];
  const near = target ?? asked;
  if (!('endpoints' in found)) return [{ workload: found, address: chooseAddress(found, near), port }];
  return chooseEndpoints({ view, source, service: found, port, target: near, forWaypoint }).candidates;
}

function planWaypoint(
  gateway: GatewayAddress,
  view: ReachView,
  source: Workload,
  target: Target,
): WaypointPlan {
  const found = findGateway(gateway, view, source);
  const port = gateway.port ?? HBONE_PORT;
  const candidates = candidatesOf(found, port, view, source, target.address, true);
  return {
    destination: gateway.destination,
    found: found.found,
    hops: hopsOf(candidates, view, source, target),
  };
}

function gatewayOf(abroad: Workload, view: ReachView, source: Workload, target: Target): GatewayPlan {
  const { networkGateway, network } = abroad;
  if (networkGateway === undefined) return { network, destination: undefined, candidates: [] };
  const port = networkGateway.port ?? HBONE_PORT;
  const found = findGateway(networkGateway, view, source);
  return {
    network,
    destination: networkGateway.destination,
    candidates: candidatesOf(found, port, view, source, target.address, false),
  };
}
