// The questions that are asked of a mesh: from some sources to a destination, and from many to many.

import type { Workload } from '../dump.ts';
import { parseAddress } from '../policies/addresses.ts';
import type { ReachCell, ReachMatrix } from './matrix.ts';
import type { Target } from './outbound.ts';
import { type Outcome, type ReachSource, type Route, traceRoutes } from './route.ts';
import { type Destination, listTargets } from './targets.ts';
import type { ReachWorld } from './world.ts';

/** Every way of every source to every address and port of the destination. */
export function askRoutes(
  world: ReachWorld,
  sources: readonly ReachSource[],
  destination: Destination,
): readonly Route[] {
  return sources.flatMap((source) =>
    listTargets(world, source, destination).flatMap((target) => traceRoutes(world, source, target)),
  );
}

/** What some sources reach of one destination at one port. */
export interface MatrixAnswer {
  readonly destination: Destination;
  readonly port: number | undefined;
  /** Of all its addresses together. */
  readonly cell: ReachCell;
  /** One of them, to follow for the steps. */
  readonly target: Target;
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
      answers: columns.map(({ first, indexes }) => ({
        destination: first.destination,
        port: first.target.port,
        target: first.target,
        cell: indexes.map((index) => cells[index]!).reduce(joinCells),
      })),
    }));
  });
}

function familiesOf(addresses: readonly string[]): string {
  const sizes = new Set(addresses.map((text) => parseAddress(text)?.bytes.length ?? 0));
  return [...sizes].sort((a, b) => a - b).join();
}

interface Asked {
  readonly destination: Destination;
  readonly target: Target;
}

/** The columns of each destination and port, which may have several addresses. */
function joinAddresses(
  asked: readonly Asked[],
): readonly { readonly first: Asked; readonly indexes: readonly number[] }[] {
  const columns = new Map<Destination, Map<number | undefined, number[]>>();
  for (const [index, { destination, target }] of asked.entries()) {
    const ports = columns.get(destination) ?? new Map<number | undefined, number[]>();
    columns.set(destination, ports);
    ports.set(target.port, [...(ports.get(target.port) ?? []), index]);
  }
  return [...columns.values()].flatMap((ports) =>
    Array.from(ports.values(), (indexes) => ({ first: asked[indexes[0]!]!, indexes })),
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
