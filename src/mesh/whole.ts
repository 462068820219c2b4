// Which dumps the mesh's workloads, services and policies are read from: one of a live mesh, or all of them.

import type { CommandContext } from '../commands/command.ts';
import { type CommonOptions, isDocument } from '../commands/flags/common.ts';
import type { Section } from '../model/dump.ts';
import type { Answer } from '../model/types.ts';
import { type Collected, collectDumps, type Wanted } from './collect.ts';

export interface CollectedWhole {
  readonly collected: Collected;
  /** The dumps to show: with several of them, rows are compared. */
  readonly answers: readonly Answer[];
}

/** Every ztunnel knows the whole mesh, so one of them is enough; with --deep, and of saved dumps, all are compared. */
export async function collectWhole(
  sections: ReadonlySet<Section>,
  options: CommonOptions & { readonly deep?: boolean },
  context: CommandContext,
): Promise<CollectedWhole> {
  const wanted = wantedOf(sections, options, context);
  const collected = await collectDumps(wanted, options, context);
  return { collected, answers: shownOf(collected) };
}

/** `besides`: what is read of every ztunnel, though one whole dump is enough of the rest. */
export function wantedOf(
  sections: ReadonlySet<Section>,
  options: { readonly output: string | undefined; readonly deep?: boolean },
  { cluster }: CommandContext,
  besides: ReadonlySet<Section> = new Set(),
): Wanted {
  const all = new Set([...sections, ...besides]);
  const keepRaw = isDocument(options);
  if (cluster.source === 'live' && !options.deep) return { sections: besides, once: all, keepRaw };
  // Ztunnels of different releases are compared more leniently.
  return { sections: new Set<Section>([...all, 'version']), keepRaw: keepRaw || 'several' };
}

/** The one whole dump, where only one was read. */
export function shownOf({ whole, answers }: Collected): readonly Answer[] {
  return whole === undefined ? answers : [whole];
}
