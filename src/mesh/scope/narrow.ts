// How TARGET and --selector narrow what is asked: to the ztunnels that are needed, and to the rows that are shown.

import { AbsentTargetError } from '../../base/errors.ts';
import { matchesSelector, parseSelector } from '../../base/selector.ts';
import { type FoundTarget, findTarget } from '../../model/targets/findtarget.ts';
import { isInUnknownDomain, listKnownIdentities } from '../../model/targets/knownidentities.ts';
import { formatTarget, parseTarget, type Target } from '../../model/targets/target.ts';
import type { Answer, Ztunnel } from '../../model/types.ts';
import type { Asking } from '../asking.ts';
import type { Mesh } from '../mesh.ts';
import type { Wanted } from '../wanted.ts';
import { KEEPS_ALL, type Keeps, keepsBoth, keepsIdentity, keepsPods } from './keeps.ts';
import { type Known, labelledPods, learn, notListed, placesOf, searchedIn } from './known.ts';
import { neededZtunnels } from './needed.ts';
import type { Scope } from './scope.ts';
import { absentTarget, ambiguousTarget } from './targeterror.ts';

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

function find(target: Target, known: Known, asking: Asking, mesh: Mesh): FoundTarget {
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
