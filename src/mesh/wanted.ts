// What is read of each ztunnel's dump: no more than is shown and judged, so that reading can stop there.

import type { Section } from '../model/dump.ts';
import type { Cluster } from '../sources/cluster.ts';

export interface Wanted {
  /** Of every ztunnel; empty if one whole dump is all that is wanted. */
  readonly sections: ReadonlySet<Section>;
  /** Of one ztunnel (the first Ready one by node name that answers) besides; undefined for none. */
  readonly once?: ReadonlySet<Section> | undefined;
  /** Keep each element as ztunnel sent it; `several`: if several ztunnels are asked, whose words are compared. */
  readonly keepRaw: boolean | 'several';
  /** Of the workloads, those of the ztunnel's own node are enough. */
  readonly ownWorkloads?: boolean;
}

/** What is wanted of sections that every ztunnel knows alike. */
export interface WholeWanted {
  readonly sections: ReadonlySet<Section>;
  /** What is read of every ztunnel, though one whole dump is enough of the rest. */
  readonly besides?: ReadonlySet<Section> | undefined;
  /** Compare the dumps of all ztunnels. */
  readonly deep?: boolean | undefined;
  readonly keepRaw: boolean;
}

/** Every ztunnel knows the whole mesh, so one of them is enough; with `deep`, and of saved dumps, all are compared. */
export function wantedOfAll(
  { sections, besides = new Set(), deep, keepRaw }: WholeWanted,
  { source }: Pick<Cluster, 'source'>,
): Wanted {
  const all = new Set([...sections, ...besides]);
  if (source === 'live' && !deep) return { sections: besides, once: all, keepRaw };
  // Ztunnels of different releases are compared more leniently.
  return { sections: new Set<Section>([...all, 'version']), keepRaw: keepRaw || 'several' };
}
