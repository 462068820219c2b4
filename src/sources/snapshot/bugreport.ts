// The mesh of an archive of `istioctl bug-report`: the config dumps that it keeps of ztunnels.

import { open } from 'node:fs/promises';
import { compareText } from '../../base/order.ts';
import type { Ztunnel } from '../../model/types.ts';
import type { Cluster } from '../cluster.ts';
import { openFiles } from '../files/files.ts';
import type { Unpacked } from './archive.ts';

/** A dump of a report, and the pod whose it is. */
export interface ReportDump {
  readonly namespace: string;
  readonly name: string;
  /** Where it was unpacked. */
  readonly path: string;
}

export interface BugReportOptions {
  readonly dumps: readonly ReportDump[];
  readonly resources: readonly string[];
  readonly selector: string;
  readonly clock: () => Date;
  /** Removes what was unpacked, once it is closed. */
  readonly remove: () => Promise<void>;
}

// `proxies/<namespace>/<pod>/` holds one file for each path of an admin port; Envoy's own dump has a query in its name.
const DUMP = /^(?:[^/]+\/)?proxies\/([^/]+)\/([^/]+)\/config_dump$/;
const HEAD_BYTES = 256;

/** Whether an archive's file is where a report has the dumps of ztunnels. */
export function isReportDump(name: string): boolean {
  return DUMP.test(name);
}

/** By namespace and pod, without the dumps of Envoys that were asked for the same path. */
export async function findReportDumps(unpacked: Unpacked): Promise<readonly ReportDump[]> {
  const dumps: ReportDump[] = [];
  for (const [entry, place] of [...unpacked].sort(([a], [b]) => compareText(a, b))) {
    const [, namespace, name] = DUMP.exec(entry) ?? [];
    if (namespace === undefined || name === undefined || (await isEnvoys(place))) continue;
    dumps.push({ path: place, name, namespace });
  }
  return dumps;
}

async function isEnvoys(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return /^\s*\{\s*"configs"/.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Its dumps as files are read, only that their ztunnels are named by the report. */
export async function openBugReport(options: BugReportOptions): Promise<Cluster> {
  const { dumps, remove } = options;
  const files = await openFiles({ ...options, dumps: dumps.map(({ path }) => path), stdin: noInput() });
  const unnamed = await files.findZtunnels({ selector: options.selector, namespace: undefined });
  const ztunnels = new Map(
    dumps.map(({ namespace, name }, index): [Ztunnel, Ztunnel] => [
      { namespace, name, node: null, pod: undefined },
      unnamed[index]!,
    ]),
  );
  return {
    ...files,
    findZtunnels: async () => [...ztunnels.keys()],
    openDump: (ztunnel, request) => files.openDump(ztunnels.get(ztunnel)!, request),
    identify: async (ztunnel, localNode) => {
      const pods = await files.list('pods', { namespace: ztunnel.namespace ?? undefined });
      const pod = pods.find(({ metadata }) => metadata.name === ztunnel.name);
      return { ...ztunnel, node: localNode ?? null, pod };
    },
    close: remove,
  };
}

async function* noInput(): AsyncIterable<Uint8Array> {}
