// How one ztunnel's config dump is read, as far as it is wanted.

import { createDumpReader } from '../decode/dump/configdump.ts';
import type { DumpReaderOptions } from '../decode/dump/content.ts';
import type { Answer, Failure, Ztunnel } from '../model/types.ts';
import type { Asking } from './asking.ts';
import { failureOf } from './each.ts';
import { type Mesh, withMovingTime } from './mesh.ts';

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
  const reader = createDumpReader({ ...reading, judged: cluster.redacted === true });
  const request = { port: asking.proxyAdminPort, timeoutMs: asking.timeout, signal, transient: true };
  let at: Date | undefined;
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
