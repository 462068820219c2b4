// Which ztunnels are asked, how, and what of each dump is read: no more than is shown and judged.

import { createDumpReader } from '../decode/dump/configdump.ts';
import type { DumpReaderOptions } from '../decode/dump/reading.ts';
import type { Section } from '../model/dump.ts';
import type { Answer, Failure, Ztunnel } from '../model/types.ts';
import type { Cluster } from '../sources/cluster.ts';
import { failureOf } from './each.ts';
import { type Mesh, withMovingTime } from './mesh.ts';

export interface Asking {
  /** The words after the command; the first is TARGET, where the command takes one. */
  readonly words: readonly string[];
  /** `-l`, a label selector of the pods behind the rows. */
  readonly selector?: string | undefined;
  /** `-n`: the workloads' namespace, or where TARGET is. */
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  /** Only ztunnels on these nodes; all if empty. */
  readonly node: readonly string[];
  readonly ztunnelNamespace: string | undefined;
  readonly ztunnelSelector: string;
  readonly proxyAdminPort: number;
  /** Of each ztunnel, in milliseconds. */
  readonly timeout: number;
  /** How many ztunnels are asked at once. */
  readonly concurrency: number;
  /** Saved files; none if the mesh is live. */
  readonly file: readonly string[];
}

/** The ztunnels' pods, wherever they may be, before --node and their phases are looked at. */
export function findZtunnels(
  { ztunnelSelector: selector, ztunnelNamespace: namespace }: Asking,
  { cluster, signal }: Pick<Mesh, 'cluster' | 'signal'>,
): Promise<readonly Ztunnel[]> {
  return cluster.findZtunnels({ selector, namespace, signal });
}

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

/** Which sections are read, and how much of them is held. */
export type Reading = Omit<DumpReaderOptions, 'judged' | 'toTheEnd'>;

export interface Outcome {
  readonly answer?: Answer;
  /** Of a ztunnel without an answer, or of those that were asked before one did. */
  readonly failures: readonly Failure[];
}

/** A ztunnel that can't be asked, or whose answer is no config dump, becomes a Failure. */
export async function readDump(
  ztunnel: Ztunnel,
  reading: Reading,
  asking: Pick<Asking, 'proxyAdminPort' | 'timeout'>,
  mesh: Mesh,
): Promise<Outcome> {
  const { cluster, signal } = mesh;
  let at: Date | undefined;
  const reader = createDumpReader({ ...reading, judged: cluster.redacted === true });
  const request = { port: asking.proxyAdminPort, timeoutMs: asking.timeout, signal, transient: true };
  try {
    for await (const chunk of cluster.openDump(ztunnel, request)) {
      at ??= await timeOf(mesh);
      if (reader.write(chunk)) break;
    }
    return { answer: { ztunnel, dump: reader.end(), at }, failures: [] };
  } catch (error) {
    signal.throwIfAborted();
    return { failures: [failureOf(ztunnel, error)] };
  }
}

/** Reading a large mesh takes so long that certificates are renewed meanwhile. */
async function timeOf(mesh: Mesh): Promise<Date | undefined> {
  return mesh.cluster.source === 'live' ? (await withMovingTime(mesh).reference()).time : undefined;
}
