// Which cluster the options mean: saved dumps, or a live one whose code is loaded only then.

import type { Io } from '../src/cli.ts';
import type { Cluster } from '../src/cluster/cluster.ts';
import type { CommonOptions } from '../src/commands/common.ts';

/** Opens it. Nothing is asked of a live cluster yet. */
export async function connect(options: CommonOptions, io: Io): Promise<Cluster> {
  const { env } = io;
  const clock = () => io.clock.now();
  if (options.file.length > 0) {
    const { openFiles } = await import('../src/cluster/files.ts');
    const { file: dumps, resources, ztunnelSelector: selector } = options;
    return openFiles({ dumps, resources, selector, stdin: io.stdin, clock });
  }
  const { connectKube } = await import('../src/cluster/kube.ts');
  const { kubeconfig, context, ztunnelNamespace } = options;
  return connectKube({
    kubeconfig,
    context,
    ztunnelNamespace,
    env,
    clock,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 60_000,
  });
}
