// Which pairs of those seen in open connections would come about again, and what of that has changed between two states.

import type { Difference } from '../difference.ts';
import type { Connection, Direction, Service, Workload } from '../dump.ts';
import { DIRECTIONS } from '../dump.ts';
import { parseAddress } from '../policies/addresses.ts';
import type { Severity } from '../types.ts';
import { askMatrix, explainAnswer } from './ask.ts';
import { formatFact } from './facttexts.ts';
import { createMatrix, type ReachMatrix } from './matrix.ts';
import type { Outcome } from './route.ts';
import type { Destination } from './targets.ts';
import type { ReachView } from './view.ts';
import type { ReachWorld } from './world.ts';

/** By names, which outlast addresses. */
export interface SeenPair {
  readonly source: { readonly namespace: string; readonly name: string };
  readonly destination: {
    readonly what: 'service' | 'workload';
    readonly namespace: string;
    readonly name: string;
  };
  readonly port: number;
}

const SOCKET = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/;

/** Of workloads and services that ztunnels know, each once, in the order of the dumps. */
export function listSeenPairs({ views }: ReachWorld): readonly SeenPair[] {
  const pairs = views.flatMap((view) =>
    view.dump.capturedPods.flatMap((pod) => {
      const own = pod.name === undefined ? undefined : view.workloadByName(pod.namespace ?? '', pod.name);
      if (own === undefined) return [];
      return DIRECTIONS.flatMap((direction) =>
        pod.connections[direction].flatMap((each) => pairOf(direction, each, own, view) ?? []),
      );
    }),
  );
  return [...new Map(pairs.map((pair) => [keyOfPair(pair), pair])).values()];
}

export function keyOfPair({ source, destination, port }: SeenPair): string {
  const { what, namespace, name } = destination;
  return `${source.namespace}/${source.name} ${what} ${namespace}/${name}:${port}`;
}

/** Of an inbound connection the client is known by its address; undefined for an end that has no name. */
function pairOf(
  direction: Direction,
  { source, originalDestination, actualDestination }: Connection,
  own: Workload,
  view: ReachView,
): SeenPair | undefined {
  const find = (socket: string) => {
    const [, bracketed, bare, port] = SOCKET.exec(socket) ?? [];
    const address = parseAddress(bracketed ?? bare ?? '');
    return address && { address: address.text, port: Number(port) };
  };
  if (direction === 'inbound') {
    const [from, to] = [find(source), find(actualDestination)];
    const client = from && view.workloadAt(own.network, from.address);
    if (client === undefined || to === undefined) return undefined;
    return { source: client, destination: { what: 'workload', ...endOf(own) }, port: to.port };
  }
  const to = find(originalDestination);
  const meant =
    to &&
    (view.workloadAt(own.network, to.address) ?? view.serviceAt(own.network, to.address, own.namespace));
  if (to === undefined || meant === undefined) return undefined;
  const what = 'endpoints' in meant ? 'service' : 'workload';
  return { source: own, destination: { what, ...endOf(meant) }, port: to.port };
}

function endOf({ namespace, name }: Workload | Service) {
  return { namespace, name };
}

interface Judged {
  readonly outcome: Outcome;
  readonly source: Workload;
  /** Only asked for where it differs. */
  readonly explain: () => string;
  /** What is not known is not known for want of a dump. */
  readonly isUnheard: () => boolean;
}

const RANK = { reached: 0, unknown: 1, refused: 2 } as const satisfies Record<Outcome, number>;

/** undefined where one of the ends is not there. */
function judgePair(world: ReachWorld, matrix: ReachMatrix, pair: SeenPair): Judged | undefined {
  const source = world.findWorkload(pair.source.namespace, pair.source.name);
  const found = findDestination(world, pair);
  if (source === undefined || found === undefined) return undefined;
  const answers = askMatrix(world, matrix, [source], [found]).flatMap((line) => line.answers);
  const worst = answers.toSorted((a, b) => RANK[b.cell.outcome] - RANK[a.cell.outcome])[0];
  if (worst === undefined) return undefined;
  const decisive = () => explainAnswer(world, source, worst);
  return {
    outcome: worst.cell.outcome,
    source,
    explain: () => {
      const step = decisive();
      return step === undefined
        ? 'reached'
        : `${worst.cell.outcome} at ${step.step}: ${formatFact(step.fact)}`;
    },
    isUnheard: () => worst.cell.outcome === 'unknown' && decisive()?.fact.fact === 'captureUnknown',
  };
}

function findDestination(
  world: ReachWorld,
  { destination: { what, namespace, name }, port }: SeenPair,
): Destination | undefined {
  if (what === 'service') {
    const service = world.findService(namespace, name);
    return service && { kind: 'service', service, port };
  }
  const workload = world.findWorkload(namespace, name);
  return workload && { kind: 'workload', workload, port };
}

const SEVERITIES = {
  reached: 'information',
  unknown: 'warning',
  refused: 'critical',
} as const satisfies Record<Outcome, Severity>;

/** Pairs seen in either state that come about in one and not in the other. What nobody was heard of is not compared. */
export function diffPairs(before: ReachWorld, after: ReachWorld): readonly Difference[] {
  const seen = new Map(
    [...listSeenPairs(before), ...listSeenPairs(after)].map((pair) => [keyOfPair(pair), pair]),
  );
  const matrices = [createMatrix(before), createMatrix(after)] as const;
  return Array.from(seen).flatMap(([id, pair]): readonly Difference[] => {
    const was = judgePair(before, matrices[0], pair);
    const is = judgePair(after, matrices[1], pair);
    if (was === undefined || is === undefined || was.outcome === is.outcome) return [];
    if (was.isUnheard() || is.isUnheard()) return [];
    const { namespace, name } = pair.source;
    const { what, ...destination } = pair.destination;
    const to =
      what === 'service'
        ? `${destination.name}.${destination.namespace}`
        : `${destination.namespace}/${destination.name}`;
    const [then, now] = [was.explain(), is.explain()];
    return [
      {
        kind: 'Pair',
        namespace,
        name: `${name} → ${to}:${pair.port}`,
        node: is.source.node || null,
        id,
        changes: ['changed'],
        severity: SEVERITIES[is.outcome],
        detail: `${then} → ${now}`,
        before: { outcome: was.outcome, decides: then },
        after: { outcome: is.outcome, decides: now },
      },
    ];
  });
}
