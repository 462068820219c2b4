// What TARGET and --selector are looked up in: the mesh's pods, owners and ztunnels, as far as they can be listed.

import { ForbiddenError, UsageError, UserError } from '../../base/errors.ts';
import { createTargetWorld, type TargetPod, type TargetWorld } from '../../model/targets/targetworld.ts';
import type { Ztunnel } from '../../model/types.ts';
import { type Asking, findZtunnels } from '../asking.ts';
import { type ListedInventory, listInventory, noInventory } from '../lists.ts';
import type { Mesh } from '../mesh.ts';
import { type Outcome, readDump } from '../readdump.ts';
import type { Wanted } from '../wanted.ts';
import type { Searched } from './targeterror.ts';

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
