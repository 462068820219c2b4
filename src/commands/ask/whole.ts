// Which dumps the mesh's workloads, services and policies are read from: one of a live mesh, all that were saved.

import type { Answer, Section } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';
import { type CommonOptions, isDocument } from '../common.ts';
import { type Collected, collectDumps, type Wanted } from './collect.ts';

export interface CollectedWhole {
  readonly collected: Collected;
  /** The dumps to show: with several of them, rows are compared. */
  readonly answers: readonly Answer[];
}

/** Every ztunnel knows the whole mesh, so one of them is enough; saved dumps are compared. */
export async function collectWhole(
  sections: ReadonlySet<Section>,
  options: CommonOptions,
  context: CommandContext,
): Promise<CollectedWhole> {
  const wanted = wantedOf(sections, isDocument(options), context);
  const collected = await collectDumps(wanted, options, context);
  return { collected, answers: shownOf(collected) };
}

/** `besides`: what is read of every ztunnel, though one whole dump is enough of the rest. */
export function wantedOf(
  sections: ReadonlySet<Section>,
  isDocument: boolean,
  { cluster }: CommandContext,
  besides: ReadonlySet<Section> = new Set(),
): Wanted {
  const all = new Set([...sections, ...besides]);
  if (cluster.source === 'live') return { sections: besides, once: all, keepRaw: isDocument };
  // Ztunnels of different releases are compared more leniently.
  return { sections: new Set<Section>([...all, 'version']), keepRaw: isDocument || 'several' };
}

/** The one whole dump, where only one was read. */
export function shownOf({ whole, answers }: Collected): readonly Answer[] {
  return whole === undefined ? answers : [whole];
}
