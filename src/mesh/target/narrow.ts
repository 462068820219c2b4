// How TARGET and --selector narrow a command: to the ztunnels that it needs to ask, and to the rows that it shows.

import { matchesSelector, parseSelector } from '../../base/selector.ts';
import type { CommandContext } from '../../commands/command.ts';
import type { CommonOptions } from '../../commands/flags/common.ts';
import { isInUnknownDomain, listKnownIdentities } from '../../model/certificates/knownidentities.ts';
import { type FoundTarget, findTarget } from '../../model/targets/findtarget.ts';
import { formatTarget, parseTarget, type Target } from '../../model/targets/target.ts';
import type { Answer } from '../../model/types.ts';
import { KEEPS_ALL, type Keeps, keepsBoth, keepsIdentity, keepsPods } from './keeps.ts';
import { type Known, labelledPods, look, notListed, placesOf, searchedIn } from './known.ts';
import { neededZtunnels } from './needed.ts';
import { absentTarget, ambiguousTarget } from './targeterror.ts';

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

function keepsTarget(found: FoundTarget | undefined): Keeps {
  if (found?.what === 'pods') return keepsPods(found.pods);
  if (found?.what === 'identity') return keepsIdentity(found.identity, found.pods);
  return KEEPS_ALL;
}
