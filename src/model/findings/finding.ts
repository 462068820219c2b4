// What a finding of `check` is: the rule that looks for it, and what it came to.

import type { Owners } from '../items.ts';
import type { Severity, ZtunnelRef } from '../types.ts';
import type { Situation } from './situation.ts';

export type FindingSeverity = Exclude<Severity, 'ok'>;

/** What kind of object a finding concerns. */
export type ConcernedKind =
  | 'Certificate'
  | 'Identity'
  | 'Pod'
  | 'StatefulSet'
  | 'Service'
  | 'ServiceAccount'
  | 'Ztunnel'
  | 'Node'
  | 'Authority'
  | 'Clock'
  | 'Cluster'
  /** A controller, or a bare pod. */
  | 'Owner'
  | 'Policy'
  /** Two groups of certificates. */
  | 'Trust'
  /** Of a service, and no pod. */
  | 'Workload';

/** One object that a finding concerns. */
export interface Concerned {
  /** The context of its cluster, where several clusters are asked. */
  readonly cluster?: string;
  readonly kind: ConcernedKind;
  /** null for what belongs to no namespace. */
  readonly namespace: string | null;
  /** A certificate goes by its service account, or by its whole identity where that is no SPIFFE id. */
  readonly name: string;
  readonly node: string | null;
  /** The ztunnel that says so; null where none does. */
  readonly ztunnel: ZtunnelRef | null;
  /** Less than the finding's own, where it is not so bad for this one; undefined for that. */
  readonly severity?: FindingSeverity;
  /** What is particular about this one; null for no more than the finding itself says. */
  readonly detail: string | null;
  /** Whose pods it hits. */
  readonly hits: Owners;
}

/** What a rule found, and why it could not look, or not everywhere: undefined if it could. */
export interface Found {
  readonly objects: readonly Concerned[];
  readonly notEvaluated: string | undefined;
}

/** Looks for one finding. */
export type Finder = (situation: Situation) => Found;

/** What is said of a finding; the texts are sentences, of which docs/findings.md is made as well. */
export interface FindingTexts {
  /** At its worst. */
  readonly severity: FindingSeverity;
  /** What it may be for single objects, less grave than that. */
  readonly lesser?: readonly FindingSeverity[];
  /** A phrase without a full stop. */
  readonly title: string;
  readonly meaning: string;
  /** What to do. */
  readonly remedy: string;
}

/** One row of the table of findings. */
export interface FindingRule extends FindingTexts {
  readonly find: Finder;
  /** The same in this mesh, where that says more than in general. */
  readonly textsIn?: (situation: Situation) => Pick<FindingTexts, 'title' | 'remedy'>;
  /** A sentence on where to look in this mesh; undefined for none. */
  readonly particulars?: (situation: Situation, objects: readonly Concerned[]) => string | undefined;
}

/** All objects were looked at. */
export function found(objects: readonly Concerned[]): Found {
  return { objects, notEvaluated: undefined };
}

/** Nothing, or not everything, could be looked at. `why` completes "not evaluated: …". */
export function notEvaluated(why: string, objects: readonly Concerned[] = []): Found {
  return { objects, notEvaluated: why };
}

/** Nobody is hit, or it is not known who. */
export const NOBODY: Owners = { known: true, owners: [] };
export const UNKNOWN_HITS: Owners = { known: false, why: 'unknown' };
