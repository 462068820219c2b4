// How whole config dumps are read as they were sent, a few held at a time.

import { pMapIterable } from 'p-map';
import { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { createDumpReader } from '../../decode/dump/configdump.ts';
import { parseJsonExactly } from '../../decode/json/text.ts';
import type { Asking } from '../../mesh/asking.ts';
import { failureOf } from '../../mesh/each.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { ztunnelDocument } from '../../model/documents/document.ts';
import type { Failure, Ztunnel, ZtunnelRef } from '../../model/types.ts';
import { refOf } from '../../model/ztunnels/ztunnels.ts';
import type { DumpItem } from '../../printers/shapes.ts';

/** A dump may have 70 MB and more. */
const MOST_HELD = 4;

interface SentDump {
  readonly ztunnel: ZtunnelRef;
  readonly chunks: readonly Uint8Array[];
}

/**
 * The dumps of those that answer, in the order given. None is passed on before it is whole, so that what breaks off becomes a
 * failure and no half of it is printed; `fail` is told of failures as they come.
 */
export async function* readSentDumps(
  ztunnels: readonly Ztunnel[],
  { parsed, fail }: { readonly parsed: boolean; readonly fail: (failure: Failure) => void },
  asking: Asking,
  mesh: Mesh,
): AsyncGenerator<DumpItem, void, undefined> {
  const tally = { done: 0, failed: 0 };
  const concurrency = Math.min(asking.concurrency, MOST_HELD);
  const read = async (ztunnel: Ztunnel): Promise<DumpItem | Failure> => {
    try {
      const { ztunnel: ref, chunks } = await readWhole(ztunnel, asking, mesh);
      const about = ztunnelDocument(ref);
      return parsed ? { ztunnel: about, value: parseDump(chunks) } : { ztunnel: about, chunks };
    } catch (error) {
      mesh.signal.throwIfAborted();
      return failureOf(ztunnel, error);
    }
  };
  for await (const outcome of pMapIterable(ztunnels, read, { concurrency, backpressure: concurrency })) {
    const failed = 'severity' in outcome;
    tally.done += 1;
    tally.failed += Number(failed);
    mesh.progress.update(tally.done, ztunnels.length, tally.failed);
    if (failed) fail(outcome);
    else yield outcome;
  }
}

async function readWhole(ztunnel: Ztunnel, asking: Asking, { cluster, signal }: Mesh): Promise<SentDump> {
  const reader = createDumpReader({ sections: new Set(['config']), keepRaw: false, toTheEnd: true });
  const chunks: Uint8Array[] = [];
  const request = { port: asking.proxyAdminPort, timeoutMs: asking.timeout, signal };
  for await (const chunk of cluster.openDump(ztunnel, request)) {
    reader.write(chunk);
    chunks.push(chunk);
  }
  const dump = reader.end();
  const named = await cluster.identify(ztunnel, dump.config.localNode);
  return { ztunnel: refOf({ ztunnel: named, dump }), chunks };
}

/** For YAML the value is needed, and with it the dump as one text. */
function parseDump(chunks: readonly Uint8Array[]): Json {
  try {
    return parseJsonExactly(
      Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
  } catch (cause) {
    throw new UserError(
      "the config dump can't be written as YAML: it is damaged or too large",
      'Use -o json.',
      {
        cause,
      },
    );
  }
}
