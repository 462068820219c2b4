// What saved dumps say of their workloads, read before it is known which of the dumps are wanted.

import { UserError } from '../../base/errors.ts';
import type { CommandContext } from '../../commands/command.ts';
import type { CommonOptions } from '../../commands/flags/common.ts';
import { createDumpReader } from '../../decode/dump/configdump.ts';
import type { Section } from '../../model/dump.ts';
import type { Answer, Ztunnel } from '../../model/types.ts';
import type { Cluster } from '../../sources/cluster.ts';

/** A dump as it was given, and what it says; undefined where it can't be read, which will be told when it is asked. */
export interface FileDump {
  readonly given: Ztunnel;
  readonly answer: Answer | undefined;
}

const SECTIONS: ReadonlySet<Section> = new Set(['workloads', 'config']);

/** Reads all of them, one after the other. */
export async function readFileDumps(
  options: CommonOptions,
  context: CommandContext,
): Promise<readonly FileDump[]> {
  const { cluster, signal } = context;
  const dumps: FileDump[] = [];
  for (const given of await cluster.findZtunnels({
    selector: options.ztunnelSelector,
    namespace: undefined,
  })) {
    dumps.push({ given, answer: await readOne(given, cluster, options, signal) });
  }
  return dumps;
}

async function readOne(
  given: Ztunnel,
  cluster: Cluster,
  options: CommonOptions,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const reader = createDumpReader({ sections: SECTIONS, keepRaw: false });
  const { proxyAdminPort: port, timeout: timeoutMs } = options;
  const request = { port, timeoutMs, signal, transient: true, again: true };
  try {
    for await (const chunk of cluster.openDump(given, request)) if (reader.write(chunk)) break;
    const dump = reader.end();
    return { ztunnel: await cluster.identify(given, dump.config.localNode), dump };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
