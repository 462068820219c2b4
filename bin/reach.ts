// What the program reaches outside of itself: the cluster that the options mean, live or saved, and files.

import type { Io } from '../src/cli/io.ts';
import type { CommonOptions } from '../src/commands/spec/common.ts';
import type { Cluster } from '../src/sources/cluster.ts';
import { openFiles } from '../src/sources/files/files.ts';
import type { ConnectionFlags } from '../src/sources/kubeconfig/connectionflags.ts';
import type { loadKubeconfig } from '../src/sources/kubeconfig/kubeconfigfiles.ts';
import { openSaved } from '../src/sources/snapshot/saved.ts';
import { createSnapshot as writeSnapshot } from '../src/sources/snapshot/snapshotwriter.ts';
import { systemClock } from './clock.ts';

const live = () => import('./live.ts');

/** Opens it. Nothing is asked of a live cluster yet. */
export async function connect(options: CommonOptions, io: Io): Promise<Cluster> {
  const { env } = io;
  const clock = () => io.clock.now();
  if (options.file.length > 0) {
    const saved = await connectSaved(options, io);
    if (saved !== undefined) return saved;
    const { file: dumps, resources, ztunnelSelector: selector } = options;
    return openFiles({ dumps, resources, selector, stdin: io.stdin, clock });
  }
  const { connectKube } = await live();
  const { kubeconfig, ztunnelNamespace, requestTimeout: requestTimeoutMs = 60_000 } = options;
  return connectKube({
    ...connectionFlagsOf(options),
    kubeconfig,
    config: await kubeconfigOf(options, io),
    ztunnelNamespace,
    env,
    clock,
    connectTimeoutMs: 10_000,
    requestTimeoutMs,
  });
}

type Loaded = ReturnType<typeof loadKubeconfig>;
const kubeconfigs = new WeakMap<Io, Loaded>();

/** Read once in a run, however many clusters it asks: what it is in may be a pipe. */
function kubeconfigOf({ kubeconfig }: CommonOptions, io: Io): Loaded {
  const load = async () => {
    const { loadKubeconfig } = await live();
    return loadKubeconfig(kubeconfig, io.env);
  };
  const config = kubeconfigs.get(io) ?? load();
  kubeconfigs.set(io, config);
  return config;
}

/** A snapshot or a bug report, which stand alone; undefined where -f names single dumps only. */
async function connectSaved(options: CommonOptions, io: Io): Promise<Cluster | undefined> {
  const { file: files, resources, ztunnelSelector: selector } = options;
  const { clock, signal, env } = io;
  return openSaved({
    files,
    resources,
    selector,
    clock: () => clock.now(),
    signal,
    temporary: env.TMPDIR || undefined,
  });
}

/** Times of files are the system's, too. */
export const createSnapshot: Io['createSnapshot'] = async (path, signal) => {
  return writeSnapshot(path, signal, systemClock.now());
};

/** Nothing is asked of any cluster. */
export const listContexts: Io['listContexts'] = async (options, io) => {
  return [...(await kubeconfigOf(options, io)).getContexts()].map(({ name }) => name);
};

function connectionFlagsOf(options: CommonOptions): ConnectionFlags {
  const { context, cluster, user, server, token, as, asGroup: asGroups, asUid } = options;
  const { certificateAuthority, clientCertificate, clientKey, tlsServerName, insecureSkipTlsVerify } =
    options;
  const who = { context, cluster, user, token, as, asGroups, asUid, clientCertificate, clientKey };
  return { ...who, server, certificateAuthority, tlsServerName, insecureSkipTlsVerify };
}

export { readInput } from '../src/sources/files/bytestream.ts';
export { findSavedUnder as findSaved } from '../src/sources/snapshot/saved.ts';
export { saveFile } from './savefile.ts';
