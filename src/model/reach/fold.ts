// Which of many routes say the same, and what they come to together.

import { plural } from '../certificates/summary.ts';
import type { StepName } from './facts.ts';
import { keyOfFact } from './facttexts.ts';
import type { Outcome, Route } from './route.ts';

/** Routes that end alike, for the same reason. */
export interface FoldedRoutes {
  /** The first of them speaks for all. */
  readonly first: Route;
  readonly routes: readonly Route[];
}

/** In the order in which each outcome comes first. */
export function foldRoutes(routes: readonly Route[]): readonly FoldedRoutes[] {
  const groups = Map.groupBy(routes, keyOfRoute);
  return Array.from(groups.values(), (members) => ({ first: members[0]!, routes: members }));
}

/** Steps that tell apart connections that come about. */
const TELLING: ReadonlySet<StepName> = new Set(['destination', 'waypoint', 'gateway', 'way', 'policies']);

/** Equal for routes of one outcome, apart from the pods and addresses that they are between. */
export function keyOfRoute({ outcome, decisive, steps }: Route): string {
  const telling = decisive ? [decisive] : steps.filter(({ step }) => TELLING.has(step));
  return [outcome, ...telling.map(({ step, fact }) => `${step} ${keyOfFact(fact)}`)].join('\n');
}

export interface ReachSummary {
  /** The worst: refused before what can't be told. */
  readonly outcome: Outcome;
  readonly reached: number;
  readonly refused: number;
  readonly unknown: number;
  readonly total: number;
}

export function summarizeRoutes(routes: readonly Pick<Route, 'outcome'>[]): ReachSummary {
  const count = (outcome: Outcome) => routes.filter((route) => route.outcome === outcome).length;
  const [reached, refused, unknown] = [count('reached'), count('refused'), count('unknown')];
  const outcome = refused > 0 ? 'refused' : unknown > 0 ? 'unknown' : 'reached';
  return { outcome, reached, refused, unknown, total: routes.length };
}

/** `reachable: 3 of 3 ways`, `not reachable: 0 of 3`, `reachable for 2 of 3`, with those that can't be told. */
export function formatSummary({ outcome, reached, unknown, total }: ReachSummary): string {
  const ways = plural(total, 'way');
  const open = unknown === 0 ? '' : `, ${unknown} unknown`;
  if (outcome === 'reached') return `reachable: ${reached} of ${ways}`;
  if (reached === 0 && unknown === total) return `unknown: ${total} of ${ways}`;
  return reached === 0 ? `not reachable: 0 of ${ways}${open}` : `reachable for ${reached} of ${ways}${open}`;
}
