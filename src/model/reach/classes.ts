// Which sources, and which targets, are treated alike by every ztunnel of a mesh.

import { formatIdentity, parseIdentity } from '../certificates/identity.ts';
import type { Service, Workload } from '../dump.ts';
import { callerOf } from '../policies/rules.ts';
import { type Enrolment, enrolmentOf } from './enrolment.ts';
import { keyOfFact } from './facttexts.ts';
import { type Client, signatureOf } from './inbound.ts';
import { type Hop, type Plan, planOutbound, type Target } from './outbound.ts';
import { planPlain } from './plain.ts';
import { viewThatKnows } from './route.ts';
import { createSignatures } from './signatures.ts';
import { beginAt } from './start.ts';
import { type ReachView, readGateway } from './view.ts';
import type { ReachWorld } from './world.ts';

/** A source, as far as it matters to others. */
export interface ClassedSource {
  readonly workload: Workload;
  /** Equal for sources of which no destination treats one otherwise than the other. */
  readonly client: number;
  /** Equal for sources whose ztunnels take every target to the same place. */
  readonly place: string;
}

export interface Classes {
  readonly classifySource: (workload: Workload) => ClassedSource;
  /** Equal for targets that treat every source alike, where sources of this place are taken to. */
  readonly classifyTarget: (source: ClassedSource, target: Target) => number;
}

export function createClasses(world: ReachWorld): Classes {
  const numberOf = createNumbers();
  const signatures = createSignatures(world);
  const viewNumbers = new Map(world.views.map((view, index) => [view, index]));
  const matters = findWhatMatters(world);
  const starts = new Map<Workload, ReturnType<typeof beginAt>>();
  const startOf = (workload: Workload) => {
    const start = starts.get(workload) ?? beginAt(world, { kind: 'workload', workload });
    starts.set(workload, start);
    return start;
  };

  function entryKey(view: ReachView, identity: string): string {
    const entry = view.entryOf(identity);
    if (entry === undefined) return view.knows('certificates') ? 'not listed' : 'not known';
    const state = world.verification.stateOf(entry);
    return state.state === 'usable' ? world.verification.classOf(entry) : `${state.state} ${state.why}`;
  }

  function clientKey({ identity, view, workload, hasOwnProxy }: Client): readonly string[] {
    const isHosted = workload === undefined || workload.networkMode === 'HostNetwork';
    const address = isHosted ? '?' : signatures.ofSource(workload);
    if (identity === undefined) return ['plain', address];
    const entry = view === undefined ? '' : entryKey(view, formatIdentity(identity));
    return [
      hasOwnProxy ? 'own proxy' : '',
      identity.trustDomain,
      signatures.ofCaller(callerOf(identity)),
      entry,
      address,
    ];
  }

  function classifySource(workload: Workload): ClassedSource {
    const start = startOf(workload);
    const hasClient = start.way === 'ztunnel' || start.way === 'plain';
    const parts = [
      start.way,
      ...start.steps.map(({ result, fact }) => `${result} ${keyOfFact(fact)}`),
      ...(hasClient ? clientKey(start.client) : []),
    ];
    const { namespace, network, node, clusterId, locality, uid } = workload;
    const { region = '', zone = '', subzone = '' } = locality ?? {};
    const place = [
      start.way === 'ztunnel' ? viewNumbers.get(start.view) : start.way,
      network,
      matters.namespaces ? namespace : '',
      ...(matters.places ? [node, clusterId, region, zone, subzone] : []),
      matters.waypoints.has(uid) ? uid : '',
    ];
    return { workload, client: numberOf(parts.join('|')), place: place.join('|') };
  }

  const hopClasses = new Map<string, number>();

  /** `view`: the ztunnel whose knowledge of the workload it is; undefined for kube-proxy. */
  function classifyHop(view: ReachView | undefined, hop: Hop, sans: readonly string[]): number {
    const { workload, address, port, gateway } = hop;
    const from = view === undefined ? -1 : viewNumbers.get(view)!;
    const key = `${from} ${workload.uid} ${workload.name} ${address?.text ?? ''} ${port} ${sans.join()}`;
    const known = hopClasses.get(key);
    if (known !== undefined) return known;
    const nameless = workload.hostname === '' ? 'nowhere' : 'by name';
    const parts = [
      workload.protocol,
      String(port),
      address === undefined ? nameless : signatures.ofDestination(address),
      ...(gateway === undefined
        ? describeThere(enrolmentOf(world, workload), workload, sans)
        : [`${gateway.network} ${gateway.destination} ${gateway.candidates.length > 0}`]),
    ];
    const made = numberOf(parts.join('|'));
    hopClasses.set(key, made);
    return made;
  }

  function describeThere(there: Enrolment, workload: Workload, sans: readonly string[]): readonly string[] {
    if (there.state === 'unknown') return [there.state, workload.trustDomain, there.why];
    const expected = formatIdentity(workload);
    if (there.state !== 'captured') return [there.state, workload.trustDomain];
    const { view, workload: own } = there;
    const presented = formatIdentity(own);
    const isExpected = [expected, ...sans].some((each) => each === presented && parseIdentity(each));
    return [
      there.state,
      own.trustDomain,
      isExpected ? '' : `${presented} ${expected} ${sans.join()}`,
      entryKey(view, presented),
      view.knows('policies') ? String(numberOf(signatureOf(view.policies.applyingTo(own)))) : view.ref.name,
      String(own.applicationTunnel?.port),
    ];
  }

  function classifyPlan(plan: Plan, view: ReachView | undefined, target: Target, place: string): number {
    const service = plan.meant.what === 'service' ? plan.meant.service : undefined;
    if (plan.way === 'direct') {
      const sans = service?.subjectAltNames ?? [];
      const hops = plan.hops.map((hop) => classifyHop(view, hop, sans)).sort((a, b) => a - b);
      return numberOf(`direct ${hops.join()}`);
    }
    // Of these there are few. What decides names what it is about, and may be known to other ztunnels only.
    const name = service === undefined ? '' : `${service.namespace}/${service.hostname}`;
    return numberOf(`${plan.way} ${name} ${target.address.text} ${target.port} ${place}`);
  }

  const targetClasses = new Map<string, number>();

  function classifyTarget({ workload, place }: ClassedSource, target: Target): number {
    const key = `${place}|${target.address.text}|${target.port}`;
    const known = targetClasses.get(key);
    if (known !== undefined) return known;
    const start = startOf(workload);
    if (start.way === 'none' || start.way === 'kubelet') return -1;
    const knowing = viewThatKnows(world, start.client, target) ?? world.views[0];
    const view = start.way === 'ztunnel' ? start.view : undefined;
    const made =
      view !== undefined
        ? classifyPlan(planOutbound(view, start.client.workload!, target), view, target, place)
        : knowing === undefined
          ? -1
          : classifyPlan(planPlain(knowing, start.client.workload, target), undefined, target, place);
    targetClasses.set(key, made);
    return made;
  }

  return { classifySource, classifyTarget };
}

/** One number for each distinct text. */
function createNumbers(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

interface WhatMatters {
  /** Which service an address belongs to may depend on the client's namespace. */
  readonly namespaces: boolean;
  /** Which endpoint is chosen may depend on where the client is. */
  readonly places: boolean;
  /** UIDs of workloads that are waypoints of others: they pass themselves by. */
  readonly waypoints: ReadonlySet<string>;
}

function findWhatMatters({ views }: ReachWorld): WhatMatters {
  const services = views.flatMap(({ dump }) => dump.services);
  const isChoosy = ({ loadBalancer }: Service) => ['Strict', 'Failover'].includes(loadBalancer?.mode ?? '');
  return {
    namespaces:
      services.some(({ visibility, cidrVips }) => visibility === 'Namespace' || cidrVips.length > 0) ||
      views.some(({ dump }) => hasSharedVip(dump.services)),
    places: services.some(isChoosy),
    waypoints: new Set(views.flatMap(listWaypoints)),
  };
}

function hasSharedVip(services: readonly Service[]): boolean {
  const vips = services.flatMap((service) => service.vips);
  return new Set(vips).size < vips.length;
}

/** Of workloads, that is: a service's waypoint counts for everybody. */
function listWaypoints(view: ReachView): readonly string[] {
  const gateways = new Map(
    view.dump.workloads.flatMap(({ waypoint }) =>
      waypoint === undefined ? [] : [[waypoint.destination, waypoint]],
    ),
  );
  return [...gateways.values()].flatMap((gateway) => {
    const read = readGateway(gateway);
    const found =
      'hostname' in read
        ? [view.byHost(read.namespace, read.hostname)]
        : [
            ...view.servicesAt(read.network, read.address.text),
            view.workloadAt(read.network, read.address.text),
          ];
    return found.flatMap((each) => {
      if (each === undefined) return [];
      return 'endpoints' in each ? each.endpoints.map(({ workloadUid }) => workloadUid) : [each.uid];
    });
  });
}
