// How TARGET and --selector, looked up in pods, owners and ztunnels, narrow what is asked and shown.

import { AbsentTargetError, ForbiddenError, UsageError, UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import { matchesSelector, parseSelector } from '../../base/selector.ts';
import {
  type FoundTarget,
  findTarget,
  isInUnknownDomain,
  listKnownIdentities,
} from '../../model/targets/findtarget.ts';
import { formatTarget, parseTarget, type Target } from '../../model/targets/target.ts';
import { createTargetWorld, type TargetPod, type TargetWorld } from '../../model/targets/targetworld.ts';
import type { Answer, Ztunnel } from '../../model/types.ts';
import { keyOfZtunnel } from '../../model/ztunnels/ztunnels.ts';
import { type Asking, findZtunnels, type Outcome, readDump, type Wanted } from '../asking.ts';
import { type ListedInventory, listInventory, noInventory } from '../lists.ts';
import type { Mesh } from '../mesh.ts';
import { KEEPS_ALL, type Keeps, keepsBoth, keepsIdentity, keepsPods } from './keeps.ts';
import type { Scope } from './scope.ts';
import { absentTarget, ambiguousTarget, type Searched } from './targeterror.ts';

/** What of a scope TARGET and --selector decide. */
type Narrowed = Pick<Scope, 'read' | 'keeps' | 'filtered' | 'namespace' | 'refuseAbsent'> & {
  readonly ztunnels: readonly Ztunnel[];
};

/** One of TARGET and --selector is given. Throws as findTargetScope does. */
export async function narrow(asking: Asking, wanted: Wanted, mesh: Mesh): Promise<Narrowed> {
  const target = asking.words[0] === undefined ? undefined : parseTarget(asking.words[0]);
  const selector = asking.selector === undefined ? undefined : parseSelector(asking.selector);
  const needsPods = target?.type !== 'node' || selector !== undefined;
  const known = await learn(asking, wanted, mesh, needsPods);
  const found = target && find(target, known, asking, mesh);
  const selected =
    selector &&
    labelledPods(known, asking, mesh).filter(
      ({ labels }) => labels !== undefined && matchesSelector(selector, labels),
    );
  return {
    ztunnels: neededZtunnels(target, found, selected, known),
    read: known.read,
    keeps: keepsBoth(keepsTarget(found), selected === undefined ? KEEPS_ALL : keepsPods(selected)),
    filtered: selected !== undefined || found?.what === 'pods' || found?.what === 'identity',
    namespace: target === undefined ? asking.namespace : undefined,
    refuseAbsent: refusing(target, found, known, asking, mesh),
  };
}

/** What one of several words means, and what is to be said if it means nothing there is. */
export interface Named {
  readonly target: Target;
  readonly found: FoundTarget | undefined;
  /** Nothing goes by that name, as far as pods and dumps told; undefined where something does. */
  readonly absent: AbsentTargetError | undefined;
  /** As in Scope. */
  readonly refuseAbsent: (answers: readonly Answer[]) => void;
}

/** All ztunnels, those that serve any of the words, and what each word means. */
interface NarrowedEach extends Pick<Narrowed, 'ztunnels' | 'read'> {
  readonly serving: readonly Ztunnel[];
  readonly named: readonly Named[];
}

/** Looks up each word, in one list of what there is. */
export async function narrowEach(asking: Asking, wanted: Wanted, mesh: Mesh): Promise<NarrowedEach> {
  const targets = asking.words.map(parseTarget);
  const known = await learn(asking, wanted, mesh, true);
  const named = targets.map((target): Named => {
    const { found, absent } = tryFind(target, known, asking, mesh);
    return { target, found, absent, refuseAbsent: refusing(target, found, known, asking, mesh) };
  });
  const needed = new Set(
    named.flatMap(({ target, found }) =>
      found === undefined ? [] : neededZtunnels(target, found, undefined, known),
    ),
  );
  const ztunnels = known.ztunnels.map(({ asked }) => asked);
  return { ztunnels, serving: ztunnels.filter((each) => needed.has(each)), read: known.read, named };
}

function tryFind(target: Target, known: Known, asking: Asking, mesh: Mesh) {
  try {
    return { found: find(target, known, asking, mesh), absent: undefined };
  } catch (error) {
    if (!(error instanceof AbsentTargetError)) throw error;
    return { found: undefined, absent: error };
  }
}

function refusing(
  target: Target | undefined,
  found: FoundTarget | undefined,
  known: Known,
  asking: Asking,
  mesh: Mesh,
): Scope['refuseAbsent'] {
  return (answers) => {
    if (found?.what !== 'identity') return;
    const identities = listKnownIdentities(answers, known.world.pods);
    if (isAbsent(found, identities)) {
      throw absentTarget(target!, searchedIn(known, asking, mesh), identities);
    }
  };
}

/** Pods may run under it in any trust domain that is known of. */
function isAbsent(
  { identity, pods }: Extract<FoundTarget, { what: 'identity' }>,
  known: readonly string[],
): boolean {
  return !known.includes(identity) && (pods.length === 0 || isInUnknownDomain(identity, known));
}

/** What it is. Throws UserError when it is not found, is ambiguous, or can't be looked up. */
export function find(target: Target, known: Known, asking: Asking, mesh: Mesh): FoundTarget {
  const places = placesOf(asking, mesh);
  const ztunnels = known.ztunnels.map(({ named }) => named);
  const found = findTarget(target, known.world, ztunnels, places);
  if (found.what === 'ambiguous') throw ambiguousTarget(target, found);
  if (found.what !== 'absent') return found;
  const identities = listKnownIdentities([], known.world.pods);
  throw (
    notListed(formatTarget(target.type, target.name), known, mesh) ??
    absentTarget(target, searchedIn(known, asking, mesh), identities)
  );
}

function keepsTarget(found: FoundTarget | undefined): Keeps {
  if (found?.what === 'pods') return keepsPods(found.pods);
  if (found?.what === 'identity') return keepsIdentity(found.identity, found.pods);
  return KEEPS_ALL;
}

/** What there is to find TARGET in. */
export interface Known {
  readonly inventory: ListedInventory;
  readonly world: TargetWorld;
  /** As they are asked, with the node of each; of a file's ztunnel its dump tells. */
  readonly ztunnels: readonly { readonly asked: Ztunnel; readonly named: Ztunnel }[];
  /** The dumps of files, which alone tell what their ztunnels serve. */
  readonly read: ReadonlyMap<Ztunnel, Outcome>;
}

/** Lists what TARGET and --selector may be about: the ztunnels, and the pods where they are needed. */
export async function learn(asking: Asking, wanted: Wanted, mesh: Mesh, needsPods: boolean): Promise<Known> {
  const [inventory, found] = await Promise.all([
    needsPods ? listInventory(mesh, undefined) : noInventory,
    findZtunnels(asking, mesh),
  ]);
  const read = mesh.cluster.source === 'live' ? new Map() : await readAll(found, wanted, asking, mesh);
  const named = await Promise.all(found.map((asked) => nameOf(asked, read.get(asked), mesh)));
  const answers = named.flatMap(({ answer }) => answer ?? []);
  const ztunnels = named.map(({ asked, answer }) => ({ asked, named: answer?.ztunnel ?? asked }));
  const world = createTargetWorld(
    inventory,
    ztunnels.map((each) => each.named),
    answers,
  );
  return { inventory, world, ztunnels, read };
}

/** One after the other, all sections that anybody wants at once. One that can't be read is said so when it is asked. */
async function readAll(
  found: readonly Ztunnel[],
  wanted: Wanted,
  asking: Asking,
  mesh: Mesh,
): Promise<ReadonlyMap<Ztunnel, Outcome>> {
  const sections = new Set([...wanted.sections, ...(wanted.once ?? []), 'workloads', 'config'] as const);
  const keepRaw = wanted.keepRaw === 'several' ? found.length > 1 : wanted.keepRaw;
  const read = new Map<Ztunnel, Outcome>();
  for (const ztunnel of found) {
    read.set(ztunnel, await readDump(ztunnel, { sections, keepRaw }, asking, mesh));
  }
  return read;
}

async function nameOf(asked: Ztunnel, outcome: Outcome | undefined, { cluster }: Mesh) {
  const { answer } = outcome ?? {};
  if (answer === undefined) return { asked, answer };
  const ztunnel = await cluster.identify(asked, answer.dump.config.localNode);
  return { asked, answer: { ...answer, ztunnel } };
}

/** Where a name without a namespace is looked up. */
export function placesOf({ namespace, allNamespaces }: Asking, { cluster }: Pick<Mesh, 'cluster'>) {
  return { given: namespace, context: allNamespaces ? undefined : cluster.namespace };
}

export function searchedIn({ world }: Known, asking: Asking, mesh: Mesh): Searched {
  return { world, places: placesOf(asking, mesh), saved: asking.file.length > 0 };
}

/** Not found, because what it would be found in could not be listed. */
export function notListed(shown: string, { inventory }: Known, { cluster }: Mesh): UserError | undefined {
  const [why] = inventory.causes;
  if (why === undefined || cluster.source === 'files') return undefined;
  const { clusterRole } = inventory;
  const message = `${shown} can't be looked up: ${why}`;
  const hint = 'Name a node or a ztunnel pod, or ask for the right to list what is missing.';
  return clusterRole === undefined
    ? new UserError(message, 'Try again, or name a node or a ztunnel pod.')
    : new ForbiddenError(message, hint, { clusterRole });
}

/** The pods whose labels are known. */
export function labelledPods(known: Known, { selector }: Asking, mesh: Mesh): readonly TargetPod[] {
  if (known.inventory.pods.known) return known.world.pods;
  throw (
    notListed(`--selector ${selector}`, known, mesh) ??
    new UsageError(
      '--selector needs the labels of pods, which a config dump does not have',
      'Add --resources with what `kubectl get pods -A -o yaml` prints.',
    )
  );
}

/** Throws UserError when none of them serves TARGET. A selector that leaves nothing is no error. */
export function neededZtunnels(
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
