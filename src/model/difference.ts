// What a change between two states of a mesh is, and in which order changes are shown.

import type { JsonObject } from '../base/json.ts';
import { type Comparator, compareBy, compareText } from '../base/order.ts';
import { compareSeverity } from './order.ts';
import type { Severity } from './types.ts';

/** What can come, go or change, in the order in which it is shown. */
export const DIFFERENCE_KINDS = ['Certificate', 'Trust', 'Workload', 'Service', 'Policy', 'Pair'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** How: `status`, `root` and `renewed` are of certificates, `works` and `fails` of pairs of them, `changed` of the others. */
export const CHANGES = [
  'added',
  'removed',
  'status',
  'root',
  'renewed',
  'works',
  'fails',
  'changed',
] as const;
export type Change = (typeof CHANGES)[number];

/** As it follows a number: `1 renewed`, `1 with another status`, `1 that works now`. */
export function wordOf(change: string): string {
  if (change === 'works' || change === 'fails') return `that ${change} now`;
  return change === 'status' || change === 'root' ? `with another ${change}` : change;
}

/** One thing that is not as it was: a row of `diff`. */
export interface Difference {
  /** The context of its cluster, where several clusters are asked. */
  readonly cluster?: string;
  readonly kind: DifferenceKind;
  /** An identity's, or the thing's own; null for an identity that is no SPIFFE id of a workload. */
  readonly namespace: string | null;
  /** A certificate's service account, or the whole identity; of trust both sides of the pair. */
  readonly name: string;
  readonly node: string | null;
  /** What tells it from all others: identity, uid, hostname. */
  readonly id: string;
  /** At least one, in the order of CHANGES. */
  readonly changes: readonly Change[];
  /** Of what it is now; information for what was removed. */
  readonly severity: Severity;
  /** In words. */
  readonly detail: string;
  /** The facts that differ, as they were and as they are; null where it was not or is not there. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

const KIND_RANK = new Map(DIFFERENCE_KINDS.map((kind, rank) => [kind, rank]));

/** By kind, gravity, namespace, name, node, id, cluster. */
export const compareDifferences: Comparator<Difference> = compareBy<Difference>(
  (a, b) => KIND_RANK.get(a.kind)! - KIND_RANK.get(b.kind)!,
  (a, b) => compareSeverity(a.severity, b.severity),
  (a, b) => compareText(a.namespace ?? '', b.namespace ?? ''),
  (a, b) => compareText(a.name, b.name),
  (a, b) => compareText(a.node ?? '', b.node ?? ''),
  (a, b) => compareText(a.id, b.id),
  (a, b) => compareText(a.cluster ?? '', b.cluster ?? ''),
);

/** How many changes of each sort there are for each kind, zeros left out. */
export function countDifferences(
  differences: readonly Difference[],
): Readonly<Partial<Record<DifferenceKind, Readonly<Partial<Record<Change, number>>>>>> {
  return Object.fromEntries(
    DIFFERENCE_KINDS.flatMap((kind) => {
      const changes = differences.filter((each) => each.kind === kind).flatMap((each) => each.changes);
      const counts = CHANGES.flatMap((change) => {
        const count = changes.filter((each) => each === change).length;
        return count === 0 ? [] : [[change, count] as const];
      });
      return counts.length === 0 ? [] : [[kind, Object.fromEntries(counts)]];
    }),
  );
}
