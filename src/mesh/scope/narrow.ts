// How TARGET and --selector narrow what is asked: to the ztunnels that are needed, and to the rows that are shown.

import { matchesSelector, parseSelector } from '../../base/selector.ts';
import { type FoundTarget, findTarget } from '../../model/targets/findtarget.ts';
import { isInUnknownDomain, listKnownIdentities } from '../../model/targets/knownidentities.ts';
import { formatTarget, parseTarget, type Target } from '../../model/targets/target.ts';
import type { Ztunnel } from '../../model/types.ts';
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
    refuseAbsent: (answers) => {
      if (found?.what !== 'identity') return;
      const identities = listKnownIdentities(answers, known.world.pods);
      if (isAbsent(found, identities)) {
        throw absentTarget(target!, searchedIn(known, asking, mesh), identities);
      }
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
