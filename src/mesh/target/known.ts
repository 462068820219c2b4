// What TARGET and --selector are looked up in: the mesh's pods, owners and ztunnels, as far as they can be listed.

import { ForbiddenError, UsageError, UserError } from '../../base/errors.ts';
import type { CommandContext } from '../../commands/command.ts';
import type { CommonOptions } from '../../commands/flags/common.ts';
import { createTargetWorld, type TargetPod, type TargetWorld } from '../../model/targets/targetworld.ts';
import type { Ztunnel } from '../../model/types.ts';
import { type ListedInventory, listInventory, noInventory } from '../inventory.ts';
import { rememberLists } from '../knownlists.ts';
import { readFileDumps } from './filedumps.ts';
import type { Searched } from './targeterror.ts';

/** What there is to find TARGET in. */
export interface Known {
  readonly context: CommandContext;
  readonly inventory: ListedInventory;
  readonly world: TargetWorld;
  /** As they are asked, with the node of each; of a file's ztunnel its dump tells. */
  readonly ztunnels: readonly { readonly asked: Ztunnel; readonly named: Ztunnel }[];
}

/** Lists what TARGET and --selector may be about: the ztunnels, and the pods where they are needed. */
export async function look(
  options: CommonOptions,
  outer: CommandContext,
  needsPods: boolean,
): Promise<Known> {
  const isLive = outer.cluster.source === 'live';
  const cluster = rememberLists(outer.cluster);
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

/** Where a name without a namespace is looked up. */
export function placesOf(options: CommonOptions, { cluster }: CommandContext) {
  return { given: options.namespace, context: options.allNamespaces ? undefined : cluster.namespace };
}

export function searchedIn({ world, context }: Known, options: CommonOptions): Searched {
  return { world, places: placesOf(options, context), saved: options.file.length > 0 };
}

/** Not found, because what it would be found in could not be listed. */
export function notListed(shown: string, { inventory, context }: Known): UserError | undefined {
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
export function labelledPods(
  known: Known,
  { selector }: { readonly selector?: string | undefined },
): readonly TargetPod[] {
  if (known.inventory.pods.known) return known.world.pods;
  throw (
    notListed(`--selector ${selector}`, known) ??
    new UsageError(
      '--selector needs the labels of pods, which a config dump does not have',
      'Add --resources with what `kubectl get pods -A -o yaml` prints.',
    )
  );
}
