// How a pod reaches the API server of its own cluster.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { kubeConfigOf } from './kubeconfig.ts';
import { NOBODY, type UserEntry } from './kubeconfigentry.ts';
import type { Environment } from './kubeconfigfiles.ts';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const NAME = 'in-cluster';

/** A kubeconfig made of the pod's service account; undefined when this is not a pod. */
export async function loadInCluster(
  env: Environment,
  directory = SERVICE_ACCOUNT,
): Promise<KubeConfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const tokenFile = path.join(directory, 'token');
  if (!host || !port || (await readText(tokenFile)) === undefined) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const namespace = (await readText(path.join(directory, 'namespace')))?.trim();
  // The token is read from its file every time: the kubelet replaces it before it runs out.
  const user: UserEntry = { ...NOBODY, name: NAME, tokenFile };
  return kubeConfigOf({
    clusters: [{ name: NAME, server, skipTLSVerify: false, caFile: path.join(directory, 'ca.crt') }],
    users: [user],
    contexts: [{ name: NAME, cluster: NAME, user: NAME, namespace: namespace || undefined }],
    currentContext: NAME,
  });
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
