// Which kubeconfig files count, what they say together, and what a pod has instead of them.

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { messageOf, UserError } from '../../base/errors.ts';
import { joinBytes, readBytes } from '../files/bytestream.ts';
import { joinKubeconfigs, kubeConfigOf, parseKubeconfig } from './kubeconfig.ts';
import { NOBODY, type UserEntry } from './kubeconfigentry.ts';

/** Nobody's is larger than a few. */
const MAX_KUBECONFIG_BYTES = 16 * 1024 * 1024;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The kubeconfig as kubectl finds it: `--kubeconfig`, else the list in KUBECONFIG, else `~/.kube/config`.
 * A file of the list (or the default one) that is missing is skipped; one named by the flag must exist.
 */
export async function loadKubeconfig(flag: string | undefined, env: Environment): Promise<KubeConfig> {
  const files = flag === undefined ? listedFiles(env) : [path.resolve(flag)];
  const configs = await Promise.all(files.map((file) => readKubeconfig(file, flag === undefined)));
  return joinKubeconfigs(configs.filter((config) => config !== undefined));
}

/** The files that are looked at when no flag names one, each once. */
export function listedFiles(env: Environment): readonly string[] {
  const listed = (env.KUBECONFIG ?? '').split(path.delimiter).filter((file) => file !== '');
  if (listed.length > 0) return [...new Set(listed.map((file) => path.resolve(file)))];
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  return [path.join(home, '.kube', 'config')];
}

async function readKubeconfig(file: string, mayBeMissing: boolean): Promise<KubeConfig | undefined> {
  const hint = 'Name a readable kubeconfig with --kubeconfig or KUBECONFIG.';
  let bytes: Buffer;
  try {
    bytes = await joinBytes(readBytes(file), MAX_KUBECONFIG_BYTES, `the kubeconfig ${file}`, hint);
  } catch (thrown) {
    if (thrown instanceof UserError) throw thrown;
    const code = (thrown as NodeJS.ErrnoException).code;
    if (mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw new UserError(
      `the kubeconfig ${file} can't be read: ${REASONS[code ?? ''] ?? messageOf(thrown)}`,
      hint,
      { cause: thrown },
    );
  }
  return parseKubeconfig(bytes.toString('utf8'), file);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

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
