// What kubectl takes for credentials and client-node does not: its authenticator, and the files that hold certificates.

import type { RequestOptions } from 'node:https';
import type { Authenticator } from '@kubernetes/client-node/dist/auth.js';
import { messageOf, UserError } from '../../base/errors.ts';
import { fileError, joinBytes, readBytes } from '../files/bytestream.ts';
import type { AuthProvider, ClusterEntry, UserEntry } from '../kubeconfig/kubeconfigentry.ts';
import type { Environment } from '../kubeconfig/kubeconfigfiles.ts';
import type { Connection } from './connection.ts';
import { fetchPluginCredential, type PluginCredential } from './execplugin.ts';

/** A bundle of all authorities that a system trusts is a tenth of that. */
const MAX_SECRET_BYTES = 4 * 1024 * 1024;

/**
 * What KubeConfig asks before it makes a request's options, and again for each port-forward: the token file is read, and
 * a plugin run, the first time only. Its applyAuthentication throws UserError.
 */
export function authenticatorOf(connection: Connection, env: Environment): Authenticator {
  let fetched: Promise<Credential> | undefined;
  return {
    isAuthProvider: () => true,
    applyAuthentication: async (_user, options: RequestOptions) => {
      fetched ??= fetchCredential(connection, env);
      const { token, certificate, key } = await fetched;
      options.headers = {
        ...options.headers,
        ...impersonation(connection.user),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      };
      if (certificate !== undefined) Object.assign(options, { cert: certificate, key });
    },
  };
}

type Credential = Partial<PluginCredential>;

/** What the user's entry names and does not hold; nothing where it holds all, which client-node applies itself. */
async function fetchCredential({ server, cluster, user }: Connection, env: Environment): Promise<Credential> {
  // As kubectl: credentials never travel in clear text.
  if (server.startsWith('http:')) return {};
  if (user.tokenFile !== undefined) return { token: await readToken(user.tokenFile, user.token) };
  const ownMeans =
    user.token !== undefined ||
    user.username !== undefined ||
    user.certFile !== undefined ||
    user.certData !== undefined;
  const { plugin, provider } = user;
  if (plugin !== undefined && !ownMeans) return fetchPluginCredential(plugin, { ...cluster, server }, env);
  if (provider === undefined || (ownMeans && provider.name === 'oidc')) return {};
  return { token: providedToken(provider, user.name) };
}

/** Of these client-node sends the user's name alone; groups, uid and extra are needed to be someone else in full. */
function impersonation(user: UserEntry): Readonly<Record<string, string | string[]>> {
  if (user.impersonateUser === undefined) return {};
  const extra = Object.entries(user.impersonateExtra).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    values,
  ]);
  return {
    'Impersonate-User': user.impersonateUser,
    ...(user.impersonateGroups.length > 0 && { 'Impersonate-Group': [...user.impersonateGroups] }),
    ...(user.impersonateUid !== undefined && { 'Impersonate-Uid': user.impersonateUid }),
    ...Object.fromEntries(extra),
  };
}

/**
 * As it is, run out or not: renewing it may end the refresh token that the kubeconfig holds, so that is left to kubectl,
 * which writes down the new one. The server says if it has run out.
 */
function providedToken({ name, config }: AuthProvider, userName: string): string {
  if (name !== 'oidc') {
    throw new UserError(
      `the kubeconfig's user "${userName}" has the auth provider "${name}", which no longer exists`,
      "Renew the kubeconfig with the cloud's own tool, so that it names a credential plugin (exec).",
    );
  }
  const token = config['id-token'];
  if (token) return token;
  throw new UserError(
    `the kubeconfig's user "${userName}" has the auth provider oidc, but no id-token yet`,
    'Get one with `kubectl auth whoami`.',
  );
}

async function readToken(file: string, otherwise: string | undefined): Promise<string> {
  try {
    return (await readSecret(file, 'it')).toString('utf8').trim();
  } catch (thrown) {
    if (otherwise !== undefined) return otherwise;
    throw new UserError(
      `the token file ${file} can't be read: ${messageOf(thrown)}`,
      'Correct `tokenFile` in the kubeconfig, or choose another context with --context.',
      { cause: thrown },
    );
  }
}

/**
 * The entry with the certificates and keys that it names as files as data; data that is there wins, as for kubectl. An
 * empty file is refused: none at all would mean the system's authorities. Throws UserError.
 */
export async function fetchCertificates<T extends ClusterEntry | UserEntry>(entry: T): Promise<T> {
  const named: Readonly<Record<string, unknown>> = { ...entry };
  const read = Object.entries(FILES).map(async ([data, [file, flag]]) => {
    const path = named[file];
    if (named[data] !== undefined || typeof path !== 'string') return {};
    const subject = `the ${flag} ${path}`;
    const bytes = await readSecret(path, subject).catch((thrown) => {
      throw fileError(thrown, subject);
    });
    if (bytes.length === 0) throw new UserError(`${subject} is empty`, 'Name another file.');
    return { [data]: bytes.toString('base64') };
  });
  return Object.assign({}, entry, ...(await Promise.all(read)));
}

/** Which file holds which data, and what flags and kubeconfigs call it. */
const FILES = {
  caData: ['caFile', 'certificate-authority'],
  certData: ['certFile', 'client-certificate'],
  keyData: ['keyFile', 'client-key'],
} as const;

function readSecret(file: string, subject: string): Promise<Buffer> {
  return joinBytes(readBytes(file), MAX_SECRET_BYTES, subject, 'Check which file is meant.');
}
