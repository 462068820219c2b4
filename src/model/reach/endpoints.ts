// Which of a service's endpoints a ztunnel can choose for a connection, and why not the others.

import type { Locality, Service, ServiceEndpoint, Workload } from '../dump.ts';
import { type Address, parseAddress } from '../policies/addresses.ts';
import type { ReachView } from './view.ts';

/** Somewhere that ztunnel could send the connection. */
export interface Candidate {
  readonly workload: Workload;
  /** undefined where the workload has a hostname only, or is behind a network gateway. */
  readonly address: Address | undefined;
  /** Its own port. */
  readonly port: number | undefined;
}

/** Why an endpoint is none. */
export type Unfit =
  | 'unknownWorkload'
  | 'unhealthy'
  | 'noAddress'
  | 'noPort'
  /** By the service's load balancing, another place goes first, or is the only one. */
  | 'elsewhere'
  | 'weightless';

export interface Choice {
  readonly candidates: readonly Candidate[];
  /** How many endpoints are left out for which reason. */
  readonly unfit: ReadonlyMap<Unfit, number>;
  readonly endpoints: number;
  /** The service has the port; false fails every connection. */
  readonly hasPort: boolean;
}

interface ChoiceInput {
  readonly view: ReachView;
  readonly source: Workload;
  readonly service: Service;
  readonly port: number;
  /** The address asked for; the endpoint's one of the same family is used. */
  readonly target: Address | undefined;
  /** A waypoint's port need not be one of its service. */
  readonly forWaypoint?: boolean;
}

export function chooseEndpoints(input: ChoiceInput): Choice {
  const { service, port, forWaypoint } = input;
  const servicePort = service.ports.find((each) => each.port === port);
  const unfit = new Map<Unfit, number>();
  const leaveOut = (why: Unfit) => void unfit.set(why, (unfit.get(why) ?? 0) + 1);
  const choice = (candidates: readonly Candidate[], hasPort: boolean): Choice => {
    return { candidates, unfit, endpoints: service.endpoints.length, hasPort };
  };
  if (servicePort === undefined && !forWaypoint) return choice([], false);
  const fitting = service.endpoints.flatMap((endpoint) => {
    const found = fitEndpoint(endpoint, input, servicePort?.targetPort);
    if (typeof found !== 'string') return [found];
    leaveOut(found);
    return [];
  });
  const ranked = rank(fitting, input);
  for (let index = ranked.length; index < fitting.length; index += 1) leaveOut('elsewhere');
  // Of endpoints of different weight, those of none are never chosen.
  const weighty = ranked.filter(({ workload }) => workload.capacity > 0);
  for (let index = weighty.length; index < ranked.length; index += 1) leaveOut('weightless');
  const withAddress = weighty.flatMap((each) => {
    const found = withAddressOf(each, input);
    if (found === undefined) leaveOut('noAddress');
    return found ?? [];
  });
  return choice(once(withAddress), true);
}

interface Fitting {
  readonly workload: Workload;
  readonly port: number;
}

function fitEndpoint(
  { workloadUid, status, ports }: ServiceEndpoint,
  { view, source, service, port, forWaypoint }: ChoiceInput,
  servicePort: number | undefined,
): Fitting | Unfit {
  const workload = view.workloadByUid(workloadUid);
  if (workload === undefined) return 'unknownWorkload';
  // Before 1.24 endpoints have no status of their own, and those of unhealthy workloads were left out.
  const isHealthy = (status || workload.status) !== 'Unhealthy';
  if (!isHealthy && service.loadBalancer?.healthPolicy !== 'AllowAll') return 'unhealthy';
  const hasAddress = workload.addresses.length > 0 || workload.hostname !== '';
  if (!hasAddress && (workload.network === source.network || workload.networkGateway === undefined)) {
    return 'noAddress';
  }
  const own = ports.find((each) => each.port === port)?.targetPort;
  const target = own ?? (servicePort || undefined);
  if (target !== undefined) return { workload, port: target };
  // ztunnel takes it over with the port of the tunnel.
  const hasTunnelPort = forWaypoint && workload.applicationTunnel?.port !== undefined;
  return hasTunnelPort ? { workload, port } : 'noPort';
}

/** By the wishes of the service for where its endpoints are: all of them, or as many as can be had. */
function rank(fitting: readonly Fitting[], { service, source }: ChoiceInput): readonly Fitting[] {
  const balancer = service.loadBalancer;
  if (balancer === undefined || !['Strict', 'Failover'].includes(balancer.mode)) return fitting;
  const { mode, preferences } = balancer;
  const ranked = fitting.flatMap((each) => {
    const score = scoreOf(preferences, source, each.workload);
    return mode === 'Strict' && score.agreeing !== preferences.length ? [] : [{ each, score: score.total }];
  });
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0);
  return ranked.filter(({ score }) => score === best).map(({ each }) => each);
}

/** How many of the preferences hold, one after the other up to the first that does not. */
function scoreOf(
  preferences: readonly string[],
  source: Workload,
  workload: Workload,
): { readonly agreeing: number; readonly total: number } {
  const networkFirst = preferences[0] === 'Network';
  let agreeing = 0;
  let bonus = 0;
  for (const scope of preferences) {
    const agrees = AGREES.get(scope)?.(source, workload) ?? false;
    // The network alone is asked for first, and still not for good.
    if (scope === 'Network' && networkFirst) {
      if (!agrees) continue;
      bonus = preferences.length - 1;
    }
    if (!agrees) break;
    agreeing += 1;
  }
  return { agreeing, total: agreeing + bonus };
}

const placeOf = (part: keyof Locality) => (source: Workload, workload: Workload) =>
  (source.locality?.[part] ?? '') === (workload.locality?.[part] ?? '');

const AGREES: ReadonlyMap<string, (source: Workload, workload: Workload) => boolean> = new Map([
  ['Region', placeOf('region')],
  ['Zone', placeOf('zone')],
  ['Subzone', placeOf('subzone')],
  ['Node', (source: Workload, workload: Workload) => source.node === workload.node],
  ['Cluster', (source: Workload, workload: Workload) => source.clusterId === workload.clusterId],
  ['Network', (source: Workload, workload: Workload) => source.network === workload.network],
]);

function withAddressOf({ workload, port }: Fitting, { service, target }: ChoiceInput): Candidate | undefined {
  const address = chooseAddress(workload, target, service.ipFamilies);
  if (address === undefined && workload.addresses.length > 0 && workload.hostname === '') {
    return workload.networkGateway === undefined ? undefined : { workload, address, port };
  }
  return { workload, address, port };
}

const FAMILY_BYTES: ReadonlyMap<string, number> = new Map([
  ['IPv4', 4],
  ['IPv6', 16],
]);

/** The address asked for if it is one of the workload's, else one of its family, else any that the service allows. */
export function chooseAddress(
  { addresses }: Workload,
  target: Address | undefined,
  families = '',
): Address | undefined {
  const known = addresses.flatMap((text) => parseAddress(text) ?? []);
  const asked = known.find(({ text }) => text === target?.text);
  if (asked !== undefined) return asked;
  const bytes = FAMILY_BYTES.get(families);
  const allowed = known.filter((each) => bytes === undefined || each.bytes.length === bytes);
  return allowed.find((each) => each.bytes.length === target?.bytes.length) ?? allowed[0];
}

/** Before 1.24 a workload stands there once for each address. */
function once(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ workload, address, port }) => {
    const key = `${workload.uid} ${workload.name} ${address?.text ?? ''} ${port}`;
    return !seen.has(key) && seen.add(key);
  });
}
