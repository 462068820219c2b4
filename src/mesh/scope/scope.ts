// Which ztunnels are asked, why others are not, and which rows TARGET, --selector and -n leave.

import { UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import type { Answer, Failure, Ztunnel } from '../../model/types.ts';
import { type Asking, findZtunnels, type Outcome, type Wanted } from '../asking.ts';
import type { Mesh } from '../mesh.ts';
import { KEEPS_ALL, type Keeps } from './keeps.ts';
import { type Named, narrow, narrowEach } from './narrow.ts';

export interface Scope {
  /** Running, terminating and pending. */
  readonly ztunnels: readonly Ztunnel[];
  /** Those worth a connection: Running, Ready or not, and terminating. */
  readonly asked: readonly Ztunnel[];
  /** Those that are not asked. */
  readonly failures: readonly Failure[];
  /** Where a whole dump is best read from: Ready before not Ready, then by node, then by name. */
  readonly wholeDumpOrder: readonly Ztunnel[];
  /** Saved dumps that were read to find TARGET in, with all that is wanted of them. */
  readonly read: ReadonlyMap<Ztunnel, Outcome>;
  readonly keeps: Keeps;
  /** True if `keeps` may leave rows out. */
  readonly filtered: boolean;
  /** -n as a filter: undefined beside TARGET, which it says where to look up. */
  readonly namespace: string | undefined;
  /**
   * Throws UserError where TARGET is an identity that nothing has, now that ztunnels have answered. For when there
   * is no row, and no failure that could be why.
   */
  readonly refuseAbsent: (answers: readonly Answer[]) => void;
}

/** All ztunnels that the flags leave. Throws UserError when there is none. */
export async function findScope(asking: Asking, mesh: Mesh): Promise<Scope> {
  const found = await findZtunnels(asking, mesh);
  return { ...scopeOf(found, asking, mesh), namespace: asking.namespace };
}

/**
 * Those that serve TARGET (the first word) and the pods of --selector; all where neither is given. Saved dumps are read
 * for it, once, with what is `wanted` of them. Throws UserError when TARGET is not found, is ambiguous or can't be looked
 * up, or when no ztunnel serves it.
 */
export async function findTargetScope(asking: Asking, wanted: Wanted, mesh: Mesh): Promise<Scope> {
  if (asking.words[0] === undefined && asking.selector === undefined) return findScope(asking, mesh);
  const { ztunnels, ...narrowed } = await narrow(asking, wanted, mesh);
  return { ...scopeOf(ztunnels, asking, mesh), ...narrowed };
}

/** The same for commands that show all that ztunnels hold, whatever TARGET is: only who is asked is narrowed. */
export async function findServingScope(asking: Asking, wanted: Wanted, mesh: Mesh): Promise<Scope> {
  const scope = await findTargetScope(asking, wanted, mesh);
  scope.refuseAbsent([]);
  return scope;
}

/** What words mean that name the ends of connections, each by itself. */
export interface EndsScope {
  readonly scope: Scope;
  readonly named: readonly Named[];
}

/**
 * All ztunnels, or with two words those that serve what the words name. Throws as findTargetScope does, but for a word that
 * means nothing: that is said in `named`, so that it may mean something in another cluster.
 */
export async function findEndsScope(asking: Asking, wanted: Wanted, mesh: Mesh): Promise<EndsScope> {
  if (asking.words.length === 0) return { scope: await findScope(asking, mesh), named: [] };
  const { ztunnels, serving, read, named } = await narrowEach(asking, wanted, mesh);
  const isPair = named.length > 1;
  const scope =
    isPair && serving.length === 0 ? sortOut([]) : scopeOf(isPair ? serving : ztunnels, asking, mesh);
  return { scope: { ...EVERYTHING, ...scope, read, namespace: undefined }, named };
}

/** These and no others, whatever the flags say; there may be none. */
export function scopeOfThese(ztunnels: readonly Ztunnel[]): Scope {
  return { ...sortOut(ztunnels), ...EVERYTHING, namespace: undefined };
}

const EVERYTHING = { read: new Map(), keeps: KEEPS_ALL, filtered: false, refuseAbsent: () => {} } as const;

/** Of those found, the ones that the flags leave. Throws UserError when there is none. */
export function scopeOf(found: readonly Ztunnel[], asking: Asking, mesh: Mesh): Omit<Scope, 'namespace'> {
  const ztunnels = found.filter((ztunnel) => inScope(ztunnel, asking.node));
  if (ztunnels.length === 0) throw nothingFound(found, asking, mesh);
  return { ...sortOut(ztunnels), ...EVERYTHING };
}

function sortOut(ztunnels: readonly Ztunnel[]) {
  const pending = ztunnels.filter((ztunnel) => phaseOf(ztunnel) === 'Pending' && !isTerminating(ztunnel));
  const asked = ztunnels.filter((ztunnel) => !pending.includes(ztunnel));
  return {
    ztunnels,
    asked,
    failures: pending.map((ztunnel) => notRunning(ztunnel, asked)),
    wholeDumpOrder: asked.toSorted(byReadinessThenNode),
  };
}

function isReady(ztunnel: Ztunnel): boolean {
  if (ztunnel.pod === undefined) return true;
  return ztunnel.pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
}

function isTerminating(ztunnel: Ztunnel): boolean {
  return ztunnel.pod?.metadata.deletionTimestamp !== undefined;
}

/** A dump file counts as Running: it was, when it was taken. */
function phaseOf(ztunnel: Ztunnel): string {
  return ztunnel.pod === undefined ? 'Running' : (ztunnel.pod.status?.phase ?? 'Pending');
}

function inScope(ztunnel: Ztunnel, nodes: readonly string[]): boolean {
  const phase = phaseOf(ztunnel);
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  return nodes.length === 0 || (ztunnel.node !== null && nodes.includes(ztunnel.node));
}

function nothingFound(found: readonly Ztunnel[], options: Asking, { cluster }: Mesh): UserError {
  const where =
    options.ztunnelNamespace === undefined ? 'any namespace' : `namespace ${options.ztunnelNamespace}`;
  if (found.length > 0 && options.node.length > 0) {
    const nodes = [...new Set(found.flatMap((ztunnel) => ztunnel.node ?? []))].sort();
    const shown = nodes.slice(0, 5).join(', ') + (nodes.length > 5 ? ', …' : '');
    return new UserError(
      `no ztunnel runs on node ${options.node.join(' or ')}`,
      `There are ztunnels on: ${shown}.`,
    );
  }
  if (cluster.server === undefined) {
    return new UserError(
      'no ztunnel is in what was saved',
      'Take the snapshot again where ztunnels run, or name another one.',
    );
  }
  return new UserError(
    `no ztunnel pod found in ${where} with label ${options.ztunnelSelector}`,
    'If Istio is installed in ambient mode here, name its pods with --ztunnel-selector or --ztunnel-namespace; else choose another --context.',
  );
}

/** Pending: a failure without a connection, but only a warning while another ztunnel serves its node. */
function notRunning(ztunnel: Ztunnel, asked: readonly Ztunnel[]): Failure {
  const replaced = asked.some(
    (other) => other.node !== null && other.node === ztunnel.node && !isTerminating(other),
  );
  const { namespace, name } = ztunnel;
  return {
    ztunnel: { namespace, name, node: ztunnel.node },
    severity: replaced ? 'warning' : 'error',
    message: 'the pod is Pending, so it was not asked',
    hint: replaced
      ? 'Another ztunnel of that node was asked.'
      : `See why with: kubectl describe pod ${name} -n ${namespace}`,
  };
}

function byReadinessThenNode(a: Ztunnel, b: Ztunnel): number {
  const ready = Number(isReady(b)) - Number(isReady(a));
  const terminating = Number(isTerminating(a)) - Number(isTerminating(b));
  return ready || terminating || compareText(a.node ?? '', b.node ?? '') || compareText(a.name, b.name);
}
