// How TARGET and --selector narrow a command: to the ztunnels that it needs to ask, and to the rows that it shows.

import { ForbiddenError, UsageError, UserError } from '../../errors.ts';
import { type FoundTarget, findTarget } from '../../model/findtarget.ts';
import { isInUnknownDomain, listKnownIdentities } from '../../model/knownidentities.ts';
import { compareText } from '../../model/order.ts';
import { formatTarget, parseTarget, type Target } from '../../model/target.ts';
import { createTargetWorld, type TargetPod, type TargetWorld } from '../../model/targetworld.ts';
import type { Answer, Ztunnel } from '../../model/types.ts';
import { keyOfZtunnel } from '../../model/ztunnels.ts';
import { matchesSelector, parseSelector } from '../../selector.ts';
import type { CommandContext } from '../command.ts';
import type { CommonOptions } from '../common.ts';
import { readFileDumps, rereadable } from './filedumps.ts';
import { type ListedInventory, listInventory, noInventory } from './inventory.ts';
import { KEEPS_ALL, type Keeps, keepsBoth, keepsIdentity, keepsPods } from './keeps.ts';
import { rememberLists } from './knownlists.ts';
import { absentTarget, ambiguousTarget, type Searched } from './targeterror.ts';

export interface Narrowed<O> {
  /** With TARGET, -n said where to look it up, and filters nothing any more. */
  readonly options: O;
  /** Its cluster has only the ztunnels that are needed; what was listed is not asked for again. */
  readonly context: CommandContext;
  readonly keeps: Keeps;
  /** True if `keeps` may leave rows out. */
  readonly filtered: boolean;
  /**
   * Throws UserError where TARGET is an identity that nothing has, now that ztunnels have answered. For when there
   * is no row, and no failure that could be why.
   */
  readonly refuseAbsent: (answers: readonly Answer[]) => void;
}

type NarrowOptions = CommonOptions & { readonly selector?: string | undefined };

/**
 * Finds TARGET (the command's first word) and the pods of --selector. Asks nothing where neither is given. Throws
 * UserError when TARGET is not found, is ambiguous or can't be looked up, or when no ztunnel serves it.
 */
export async function narrow<O extends NarrowOptions>(
  given: O,
  context: CommandContext,
): Promise<Narrowed<O>> {
  const target = given.words[0] === undefined ? undefined : parseTarget(given.words[0]);
  const selector = given.selector === undefined ? undefined : parseSelector(given.selector);
  if (target === undefined && selector === undefined) {
    return { options: given, context, keeps: KEEPS_ALL, filtered: false, refuseAbsent: () => {} };
  }
  const known = await look(given, context, target?.type !== 'node' || selector !== undefined);
  const found = target && find(target, known, given, context);
  const selected =
    selector &&
    labelledPods(known, given).filter(
      ({ labels }) => labels !== undefined && matchesSelector(selector, labels),
    );
  const needed = neededZtunnels(target, found, selected, known);
  return {
    options: target === undefined ? given : { ...given, namespace: undefined },
    context: { ...known.context, cluster: { ...known.context.cluster, findZtunnels: async () => needed } },
    keeps: keepsBoth(keepsTarget(found), selected === undefined ? KEEPS_ALL : keepsPods(selected)),
    filtered: selected !== undefined || found?.what === 'pods' || found?.what === 'identity',
    refuseAbsent: (answers) => {
      if (found?.what !== 'identity') return;
      const identities = listKnownIdentities(answers, known.world.pods);
      if (isAbsent(found, identities)) throw absentTarget(target!, searchedIn(known, given), identities);
    },
  };
}

/** Pods may run under it in any trust domain that is known of. */
function isAbsent(
  { identity, pods }: Extract<FoundTarget, { what: 'identity' }>,
  known: readonly string[],
): boolean {
  return !known.includes(identity) && (pods.length === 0 || isInUnknownDomain(identity, known));
}

/** For commands that show all that ztunnels hold, whatever TARGET is: only who is asked is narrowed. */
export async function narrowScope<O extends NarrowOptions>(
  given: O,
  context: CommandContext,
): Promise<Narrowed<O>> {
  const narrowed = await narrow(given, context);
  narrowed.refuseAbsent([]);
  return narrowed;
}

/** What there is to find TARGET in. */
interface Known {
  readonly context: CommandContext;
  readonly inventory: ListedInventory;
  readonly world: TargetWorld;
  /** As they are asked, with the node of each; of a file's ztunnel its dump tells. */
  readonly ztunnels: readonly { readonly asked: Ztunnel; readonly named: Ztunnel }[];
}

async function look(options: CommonOptions, outer: CommandContext, needsPods: boolean): Promise<Known> {
  const isLive = outer.cluster.source === 'live';
  const cluster = rememberLists(isLive ? outer.cluster : rereadable(outer.cluster));
  const context = { ...outer, cluster };
  const [inventory, dumps] = await Promise.all([
    needsPods ? listInventory(context, undefined) : noInventory,
    isLive ? findLive(options, context) : readFileDumps(options, context),
  ]);
  const answers = dumps.flatMap(({ answer }) => answer ?? []);
  const ztunnels = dumps.map(({ given, answer }) => ({ asked: given, named: answer?.ztunnel ?? given }));
  const world = createTargetWorld(
    inventory,
    ztunnels.map(({ named }) => named),
    answers,
  );
  return { context, inventory, world, ztunnels };
}

async function findLive(options: CommonOptions, { cluster, signal }: CommandContext) {
  const query = { selector: options.ztunnelSelector, namespace: options.ztunnelNamespace, signal };
  return (await cluster.findZtunnels(query)).map((given) => ({ given, answer: undefined }));
}

function placesOf(options: CommonOptions, { cluster }: CommandContext) {
  return { given: options.namespace, context: options.allNamespaces ? undefined : cluster.namespace };
}

function searchedIn({ world, context }: Known, options: CommonOptions): Searched {
  return { world, places: placesOf(options, context), saved: options.file.length > 0 };
}

function find(target: Target, known: Known, options: CommonOptions, context: CommandContext): FoundTarget {
  const places = placesOf(options, context);
  const ztunnels = known.ztunnels.map(({ named }) => named);
  const found = findTarget(target, known.world, ztunnels, places);
  if (found.what === 'ambiguous') throw ambiguousTarget(target, found);
  if (found.what !== 'absent') return found;
  const identities = listKnownIdentities([], known.world.pods);
  throw (
    notListed(formatTarget(target.type, target.name), known) ??
    absentTarget(target, searchedIn(known, options), identities)
  );
}

/** Not found, because what it would be found in could not be listed. */
function notListed(shown: string, { inventory, context }: Known): UserError | undefined {
  const [why] = inventory.causes;
  if (why === undefined || context.cluster.source === 'files') return undefined;
  const { clusterRole } = inventory;
  const message = `${shown} can't be looked up: ${why}`;
  const hint = 'Name a node or a ztunnel pod, or ask for the right to list what is missing.';
  return clusterRole === undefined
    ? new UserError(message, 'Try again, or name a node or a ztunnel pod.')
    : new ForbiddenError(message, hint, { clusterRole });
}

/** The pods whose labels are known. */
function labelledPods(known: Known, options: NarrowOptions): readonly TargetPod[] {
  if (known.inventory.pods.known) return known.world.pods;
  throw (
    notListed(`--selector ${options.selector}`, known) ??
    new UsageError(
      '--selector needs the labels of pods, which a config dump does not have',
      'Add --resources with what `kubectl get pods -A -o yaml` prints.',
    )
  );
}

function keepsTarget(found: FoundTarget | undefined): Keeps {
  if (found?.what === 'pods') return keepsPods(found.pods);
  if (found?.what === 'identity') return keepsIdentity(found.identity, found.pods);
  return KEEPS_ALL;
}

/** Throws UserError when none of them serves TARGET. A selector that leaves nothing is no error. */
function neededZtunnels(
  target: Target | undefined,
  found: FoundTarget | undefined,
  selected: readonly TargetPod[] | undefined,
  { ztunnels }: Known,
): readonly Ztunnel[] {
  const nodes = nodesOf(found);
  const ofTarget = ztunnels.filter(({ asked, named }) => {
    if (found?.what === 'ztunnels') return found.keys.has(keyOfZtunnel(named));
    // A dump that can't be read may be of any node.
    return nodes === undefined || (named.node === null ? asked.pod === undefined : nodes.has(named.node));
  });
  if (ofTarget.length === 0 && nodes !== undefined) throw unserved(target!, nodes, namespaceOf(found));
  const labelled = selected && new Set(selected.map(({ node }) => node));
  const narrowed = ofTarget.filter(({ named }) => named.node === null || labelled?.has(named.node) !== false);
  return (narrowed.length === 0 ? ofTarget : narrowed).map(({ asked }) => asked);
}

/** undefined for any node. */
function nodesOf(found: FoundTarget | undefined): ReadonlySet<string> | undefined {
  if (found?.what === 'node') return new Set([found.node]);
  if (found?.what !== 'pods' && (found?.what !== 'identity' || found.pods.length === 0)) return undefined;
  return new Set(found.pods.flatMap(({ node }) => node ?? []));
}

function namespaceOf(found: FoundTarget | undefined): string {
  return found !== undefined && 'pods' in found ? (found.pods[0]?.namespace ?? '') : '';
}

function unserved({ type, name }: Target, nodes: ReadonlySet<string>, namespace: string): UserError {
  const shown = formatTarget(type, name);
  if (nodes.size === 0) {
    return new UserError(
      `no pod of ${shown} is on a node yet`,
      `See why with: kubectl describe pods -n ${namespace}`,
    );
  }
  const sorted = [...nodes].sort(compareText);
  const named = sorted.slice(0, 3).join(', ') + (sorted.length > 3 ? ', …' : '');
  return type === 'node'
    ? new UserError(
        `no ztunnel is known on node ${name}`,
        'kubectl ztunnel ztunnels lists those that there are.',
      )
    : new UserError(
        `no ztunnel is known on ${named}, where ${shown} runs`,
        'Live, ztunnel may not run there; from files, add the config dump of that node with -f.',
      );
}
