// The questions that are asked of a mesh: from some sources to a destination, and from many to many.

import type { Workload } from '../dump.ts';
import { parseAddress } from '../policies/addresses.ts';
import { nameOfService } from './destination.ts';
import type { ReachFact } from './facts.ts';
import { keyOfFact } from './facttexts.ts';
import { nameOf } from './inbound.ts';
import type { ReachCell, ReachMatrix } from './matrix.ts';
import type { Target } from './outbound.ts';
import { type Outcome, type Route, traceNowhere, traceRoutes } from './route.ts';
import type { ReachSource } from './start.ts';
import { type Destination, listTargets } from './targets.ts';
import type { ReachWorld } from './world.ts';

/** Every way of every source to every address and port of the destination: at least one of each. */
export function askRoutes(
  world: ReachWorld,
  sources: readonly ReachSource[],
  destination: Destination,
): readonly Route[] {
  return sources.flatMap((source) => {
    const targets = listTargets(world, source, destination);
    if (targets.length === 0) return [traceNowhere(world, source, factOfNowhere(destination))];
    return targets.flatMap((target) => traceRoutes(world, source, target));
  });
}

/** Why there is nothing to connect to. */
function factOfNowhere(destination: Destination): ReachFact {
  if (destination.kind === 'address') return { fact: 'nowhere', destination: destination.address.text };
  if (destination.kind === 'workload') return { fact: 'nowhere', destination: nameOf(destination.workload) };
  const service = nameOfService(destination.service);
  const hasPorts = destination.port !== undefined || destination.service.ports.length > 0;
  return hasPorts
    ? { fact: 'nowhere', destination: `service ${service}` }
    : { fact: 'noPort', service, port: null, ports: [] };
}

/** What some sources reach of one destination at one port. */
export interface MatrixAnswer {
  readonly destination: Destination;
  readonly port: number | undefined;
  /** Of all its addresses together. */
  readonly cell: ReachCell;
  /** One of them, to follow for the steps; undefined where there is none to connect to. */
  readonly target: Target | undefined;
}

/** Sources of which each reaches the same, for the same reasons. */
export interface MatrixLine {
  readonly sources: readonly Workload[];
  readonly answers: readonly MatrixAnswer[];
}

/** In the order in which sources of each line come first; answers in the order of destinations, then ports. */
export function askMatrix(
  world: ReachWorld,
  matrix: ReachMatrix,
  sources: readonly Workload[],
  destinations: readonly Destination[],
): readonly MatrixLine[] {
  const alike = Map.groupBy(sources, ({ network, addresses }) => `${network} ${familiesOf(addresses)}`);
  return [...alike.values()].flatMap((members) => {
    const source: ReachSource = { kind: 'workload', workload: members[0]! };
    const asked = destinations.flatMap((destination) =>
      listTargets(world, source, destination).map((target) => ({ destination, target })),
    );
    const rows = matrix.rowsOf(
      members,
      asked.map(({ target }) => target),
    );
    const columns = joinAddresses(asked);
    return rows.map(({ sources, cells }) => ({
      sources,
      answers: destinations.flatMap((destination): readonly MatrixAnswer[] => {
        const own = columns.get(destination);
        if (own === undefined) return [goesNowhere(destination)];
        return own.map(({ first, indexes }) => ({
          destination,
          port: first.target.port,
          target: first.target,
          cell: indexes.map((index) => cells[index]!).reduce(joinCells),
        }));
      }),
    }));
  });
}

/** So many are gone through in a few milliseconds. */
const DESTINATIONS_A_STEP = 100;
const SOURCES_A_STEP = 2_000;

/** The same in steps: what is found out of a part is remembered by the matrix, and need not be found out again. */
export function* askMatrixInSteps(
  world: ReachWorld,
  matrix: ReachMatrix,
  sources: readonly Workload[],
  destinations: readonly Destination[],
): Generator<void, readonly MatrixLine[], void> {
  for (let from = 0; from < sources.length; from += SOURCES_A_STEP) {
    const some = sources.slice(from, from + SOURCES_A_STEP);
    for (let to = 0; to < destinations.length; to += DESTINATIONS_A_STEP) {
      if (from > 0 && to > 0) break;
      askMatrix(world, matrix, some, destinations.slice(to, to + DESTINATIONS_A_STEP));
      yield;
    }
  }
  return askMatrix(world, matrix, sources, destinations);
}

function goesNowhere(destination: Destination): MatrixAnswer {
  const why = `destination ${keyOfFact(factOfNowhere(destination))}`;
  const cell = { outcome: 'refused', why, reached: 0, refused: 1, unknown: 0, total: 1 } as const;
  return { destination, port: destination.port, target: undefined, cell };
}

/** The decisive fact of an answer that is not reached, for its first source; undefined for one that is. */
export function explainAnswer(
  world: ReachWorld,
  source: Workload,
  { cell, target, destination }: MatrixAnswer,
): Route['decisive'] {
  if (cell.outcome === 'reached') return undefined;
  const from: ReachSource = { kind: 'workload', workload: source };
  const routes =
    target === undefined ? askRoutes(world, [from], destination) : traceRoutes(world, from, target);
  const alike = routes.find(({ outcome }) => outcome === cell.outcome);
  return (alike ?? askRoutes(world, [from], destination).find(({ outcome }) => outcome === cell.outcome))
    ?.decisive;
}

function familiesOf(addresses: readonly string[]): string {
  const sizes = new Set(addresses.map((text) => parseAddress(text)?.bytes.length ?? 0));
  return [...sizes].sort((a, b) => a - b).join();
}

interface Asked {
  readonly destination: Destination;
  readonly target: Target;
}

interface Joined {
  readonly first: Asked;
  readonly indexes: readonly number[];
}

/** The columns of each destination and port, which may have several addresses. */
function joinAddresses(asked: readonly Asked[]): ReadonlyMap<Destination, readonly Joined[]> {
  const columns = new Map<Destination, Map<number | undefined, number[]>>();
  for (const [index, { destination, target }] of asked.entries()) {
    const ports = columns.get(destination) ?? new Map<number | undefined, number[]>();
    columns.set(destination, ports);
    ports.set(target.port, [...(ports.get(target.port) ?? []), index]);
  }
  return new Map(
    Array.from(columns, ([destination, ports]) => [
      destination,
      Array.from(ports.values(), (indexes) => ({ first: asked[indexes[0]!]!, indexes })),
    ]),
  );
}

const WORST: readonly Outcome[] = ['refused', 'unknown', 'reached'];

/** The worse of the two decides. */
function joinCells(a: ReachCell, b: ReachCell): ReachCell {
  const worse = WORST.indexOf(b.outcome) < WORST.indexOf(a.outcome) ? b : a;
  return {
    outcome: worse.outcome,
    why: worse.why,
    reached: a.reached + b.reached,
    refused: a.refused + b.refused,
    unknown: a.unknown + b.unknown,
    total: a.total + b.total,
  };
}
