// The mesh and clusters that the tests of this folder ask.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Ztunnel } from '../../src/model/types.ts';
import type { Cluster } from '../../src/sources/cluster.ts';
import { connectKube, type KubeOptions } from '../../src/sources/kubernetes/kube.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { type Scenario, scenario } from '../mesh/scenario.ts';
import { deployment, job, statefulSet } from '../mesh/workloads.ts';

export const AT = '2026-11-29T22:00:00Z';
export const SELECTOR = 'app=ztunnel';

/** Two nodes, one of each kind of owner, no certificate out of order. */
export function smallScenario(): Promise<Scenario> {
  return scenario({
    at: AT,
    nodes: ['n1', 'n2'],
    workloads: [
      deployment('shop/web', { on: ['n1', 'n2'] }),
      statefulSet('shop/cart', { on: ['n1'] }),
      job('shop/pay', { on: ['n2'], cronJob: 'pay' }),
    ],
  });
}

/** A cluster that reads this kubeconfig text, with a clock that agrees with the mesh. */
export async function connectTo(kubeconfig: string, options: Partial<KubeOptions> = {}): Promise<Cluster> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cluster-'));
  const file = path.join(directory, 'config');
  await writeFile(file, kubeconfig);
  try {
    return await connectKube({
      kubeconfig: file,
      env: {},
      clock: () => new Date(AT),
      connectTimeoutMs: 5000,
      requestTimeoutMs: 5000,
      ...options,
    });
  } finally {
    // It is read once, when connecting.
    await rm(directory, { recursive: true });
  }
}

/** The whole dump as text. */
export async function readWhole(
  cluster: Cluster,
  ztunnel: Ztunnel,
  { port = 15_000, timeoutMs = 5000, signal = new AbortController().signal } = {},
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of cluster.openDump(ztunnel, { port, timeoutMs, signal })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A kubeconfig for a server and a user, in YAML's JSON form. */
export function kubeconfigOf(cluster: object, user: object = {}, namespace?: string): string {
  return JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c', namespace } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'c', user }],
  });
}

/** The cluster part of a kubeconfig for a mesh. */
export function clusterOf(mesh: Mesh): object {
  return {
    server: mesh.url,
    'certificate-authority-data': Buffer.from(mesh.certificateAuthority).toString('base64'),
  };
}
