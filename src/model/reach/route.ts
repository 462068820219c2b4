// The way of one connection from its source to whatever it can end at, step by step as ztunnel takes it.

import { formatIdentity } from '../certificates/identity.ts';
import type { Workload } from '../dump.ts';
import { describeDestination, factOfNoWay, nameOfService, noteShared } from './destination.ts';
import { type ReachFact, STEPS } from './facts.ts';
import {
  addressFor,
  type Client,
  findEntry,
  followInbound,
  formatSocket,
  nameOf,
  type Step,
} from './inbound.ts';
import { HBONE_PORT, type Hop, type Meant, type Plan, planOutbound, type Target } from './outbound.ts';
import { planPlain } from './plain.ts';
import { beginAt, type ReachSource } from './start.ts';
import type { ReachView } from './view.ts';
import type { ReachWorld } from './world.ts';

export type Outcome = 'reached' | 'refused' | 'unknown';

/** One way that the connection may take. */
export interface Route {
  readonly source: ReachSource;
  /** undefined where the destination has no address, or no port, to connect to. */
  readonly target: Target | undefined;
  /** Where it ends; undefined where it does not get that far, or leaves what is known. */
  readonly endpoint: Workload | undefined;
  /** In the order of STEPS; nothing follows a step that refuses. */
  readonly steps: readonly Step[];
  /** What is worth knowing besides: above all, where two ztunnels know different things. */
  readonly notes: readonly ReachFact[];
  readonly outcome: Outcome;
  /** The step that refuses, or of those that can't be told the first; undefined where it is reached. */
  readonly decisive: Step | undefined;
}

/** All ways: one for each endpoint that may be chosen. Never empty. */
export function traceRoutes(world: ReachWorld, source: ReachSource, target: Target): readonly Route[] {
  const start = beginAt(world, source);
  const finish = (steps: readonly Step[], endpoint?: Workload, notes: readonly ReachFact[] = []) =>
    makeRoute(source, target, [...start.steps, ...steps], endpoint, notes);
  if (start.way === 'none') return [finish([])];
  if (start.way === 'kubelet') return traceProbe(world, target, finish);
  const context: Context = { world, target, client: start.client, finish };
  if (start.way === 'ztunnel') {
    return followPlan(planOutbound(start.view, start.client.workload!, target), context, start.view);
  }
  const view = viewThatKnows(world, start.client, target) ?? world.views[0];
  if (view === undefined) {
    return [finish([{ step: 'way', result: 'ok', fact: leaving(target) }])];
  }
  return followPlan(planPlain(view, start.client.workload, target), context, undefined);
}

/** The way to a destination that can't be connected to at all, whoever tries. */
export function traceNowhere(world: ReachWorld, source: ReachSource, fact: ReachFact): Route {
  const { steps } = beginAt(world, source);
  return makeRoute(source, undefined, [...steps, refusing('destination', fact)], undefined, []);
}

type Finish = (steps: readonly Step[], endpoint?: Workload, notes?: readonly ReachFact[]) => Route;

interface Context {
  readonly world: ReachWorld;
  readonly target: Target;
  readonly client: Client;
  readonly finish: Finish;
}

/** The kubelet's probes are not redirected, so that nothing of ztunnel's counts. */
function traceProbe(world: ReachWorld, target: Target, finish: Finish): readonly Route[] {
  const found = world.findAddress(world.views[0]?.network ?? '', target.address.text);
  const workload = found !== undefined && !('endpoints' in found) ? found : undefined;
  const address = formatSocket(target.address.text, target.port);
  const steps: readonly Step[] = [
    {
      step: 'way',
      result: 'ok',
      fact: workload ? { fact: 'plain', workload: nameOf(workload), address } : { fact: 'leaves', address },
    },
    ...(workload
      ? [
          {
            step: 'policies',
            result: 'ok',
            fact: { fact: 'policiesPassedBy', workload: nameOf(workload) },
          } as const,
        ]
      : []),
  ];
  return [finish(steps, workload)];
}

function leaving({ address, port }: Target): ReachFact {
  return { fact: 'leaves', address: formatSocket(address.text, port) };
}

/** The first ztunnel that knows the address. */
export function viewThatKnows(
  { views }: ReachWorld,
  { workload }: Client,
  { address }: Target,
): ReachView | undefined {
  return views.find((view) => {
    const network = workload?.network ?? view.network;
    return view.workloadAt(network, address.text) ?? view.servicesAt(network, address.text)[0];
  });
}

/** `view`: the ztunnel that the connection leaves by; undefined where it passes none. */
function followPlan(plan: Plan, context: Context, view: ReachView | undefined): readonly Route[] {
  const { world, target, client, finish } = context;
  const shared = noteShared(plan.meant);
  if (plan.way === 'none')
    return [finish([refusing('destination', factOfNoWay(plan, target))], undefined, shared)];
  if (plan.way === 'passthrough') return followPassthrough(plan.meant, context, view);
  if (plan.way === 'waypoint') {
    const identity = presentIdentity(world, client);
    const destination = describeDestination(plan, target, true);
    return plan.waypoints.flatMap((each) => {
      const before = [...identity, destination];
      if (isRefused(identity)) return [finish(identity, undefined, shared)];
      return followWaypoint(each, view).map(({ step, endpoint }) =>
        finish([...before, step], endpoint, shared),
      );
    });
  }
  const destination = describeDestination(plan, target, false);
  const sans = plan.meant.what === 'service' ? plan.meant.service.subjectAltNames : [];
  return plan.hops.map((hop) => followHop(hop, destination, sans, context, shared));
}

function refusing(step: Step['step'], fact: ReachFact): Step {
  return { step, result: 'refused', fact };
}

function isRefused(steps: readonly Step[]): boolean {
  return steps.some(({ result }) => result === 'refused');
}

function followHop(
  hop: Hop,
  destination: Step,
  sans: readonly string[],
  { world, client, finish }: Context,
  shared: readonly ReachFact[],
): Route {
  const needsIdentity =
    client.identity !== undefined && (hop.workload.protocol === 'HBONE' || hop.gateway !== undefined);
  const identity = needsIdentity ? presentIdentity(world, client) : NO_IDENTITY;
  if (isRefused(identity)) return finish(identity, hop.workload, shared);
  const before = [...identity, destination];
  if (hop.gateway !== undefined) return finish([...before, followGateway(hop.gateway)], hop.workload, shared);
  const source = client.workload;
  const isHosted = source === undefined || source.networkMode === 'HostNetwork';
  const address = isHosted ? client.address : addressFor(source, hop.address);
  const { steps, notes } = followInbound(world, { ...client, address }, hop, sans);
  return finish([...before, ...steps], hop.workload, [...shared, ...notes]);
}

const NO_IDENTITY: readonly Step[] = [{ step: 'identity', result: 'ok', fact: { fact: 'presentsNothing' } }];

/** The certificate of the client's identity, as its own ztunnel has it. */
function presentIdentity(
  world: ReachWorld,
  { identity, view, hasOwnProxy, workload }: Client,
): readonly Step[] {
  if (identity === undefined) return NO_IDENTITY;
  const text = formatIdentity(identity);
  if (hasOwnProxy || view === undefined) {
    const name = workload === undefined ? text : nameOf(workload);
    return [{ step: 'identity', result: 'unknown', fact: { fact: 'ownCertificate', workload: name } }];
  }
  const { judged, entry } = findEntry(world, view, text);
  if (judged !== undefined) return [{ step: 'identity', ...judged }];
  const state = world.verification.stateOf(entry);
  const until = state.state === 'usable' ? state.until : world.at;
  const remainingSeconds = Math.ceil((until - world.at) / 1000);
  return [{ step: 'identity', result: 'ok', fact: { fact: 'presents', identity: text, remainingSeconds } }];
}

function followGateway({ network, destination, candidates }: NonNullable<Hop['gateway']>): Step {
  if (destination === undefined || candidates.length === 0) {
    return refusing('gateway', { fact: 'gatewayMissing', network, gateway: destination ?? null });
  }
  return { step: 'gateway', result: 'unknown', fact: { fact: 'gateway', network, gateway: destination } };
}

type WaypointPlan = Extract<Plan, { way: 'waypoint' }>['waypoints'][number];

function followWaypoint(
  { destination, found, hops }: WaypointPlan,
  view: ReachView | undefined,
): readonly { readonly step: Step; readonly endpoint: Workload | undefined }[] {
  if (found === undefined) {
    const fact: ReachFact = {
      fact: 'waypointMissing',
      waypoint: destination,
      ztunnel: view?.ref.name ?? 'ztunnel',
    };
    return [{ step: refusing('waypoint', fact), endpoint: undefined }];
  }
  const waypoint = nameOf(found);
  if (hops.length === 0)
    return [{ step: refusing('waypoint', { fact: 'waypointEmpty', waypoint }), endpoint: undefined }];
  return hops.map((hop) => {
    const { workload, address, port, gateway } = hop;
    if (gateway !== undefined) return { step: followGateway(gateway), endpoint: workload };
    const socket = formatSocket(address?.text ?? workload.hostname, port ?? HBONE_PORT);
    const fact: ReachFact = { fact: 'waypoint', waypoint, workload: nameOf(workload), address: socket };
    return { step: { step: 'waypoint', result: 'unknown', fact } as const, endpoint: workload };
  });
}

/** Plain TCP to an address that the client's ztunnel does not know, or does not choose for. */
function followPassthrough(meant: Meant, context: Context, view: ReachView | undefined): readonly Route[] {
  const { world, target, client, finish } = context;
  const socket = formatSocket(target.address.text, target.port);
  const isChosen = meant.what === 'service';
  const destination: Step = {
    step: 'destination',
    result: 'ok',
    fact: isChosen
      ? { fact: 'toItself', service: nameOfService(meant.service) }
      : { fact: 'toUnknown', address: socket, ztunnel: view?.ref.name ?? 'nobody' },
  };
  const before = view === undefined && !isChosen ? NO_IDENTITY : [...NO_IDENTITY, destination];
  const other = isChosen ? undefined : viewThatKnows(world, client, target);
  if (other === undefined || other === view) {
    return [finish([...before, { step: 'way', result: 'ok', fact: leaving(target) }])];
  }
  const plain = { ...client, identity: undefined, view: undefined };
  const plan = planPlain(other, client.workload, target);
  const found =
    plan.meant.what === 'workload'
      ? nameOf(plan.meant.workload)
      : plan.meant.what === 'service'
        ? nameOfService(plan.meant.service)
        : socket;
  const notes: readonly ReachFact[] =
    view === undefined
      ? []
      : [{ fact: 'unknownToSource', workload: found, source: view.ref.name, other: other.ref.name }];
  if (plan.way !== 'direct') {
    return [finish([...before, { step: 'way', result: 'ok', fact: leaving(target) }], undefined, notes)];
  }
  return plan.hops.map((hop) => followHop(hop, destination, [], { ...context, client: plain }, notes));
}

const RANK = new Map(STEPS.map((step, rank) => [step, rank]));

function makeRoute(
  source: ReachSource,
  target: Target | undefined,
  steps: readonly Step[],
  endpoint: Workload | undefined,
  notes: readonly ReachFact[],
): Route {
  const sorted = steps.toSorted((a, b) => RANK.get(a.step)! - RANK.get(b.step)!);
  const refused = sorted.find(({ result }) => result === 'refused');
  const unknown = sorted.find(({ result }) => result === 'unknown');
  return {
    source,
    target,
    endpoint,
    steps: sorted,
    notes,
    outcome: refused ? 'refused' : unknown ? 'unknown' : 'reached',
    decisive: refused ?? unknown,
  };
}
