// Where a user's secrets come from: the kubeconfig, a token file, or a credential plugin.

import { messageOf, UserError } from '../../base/errors.ts';
import { joinBytes, readBytes } from '../files/bytestream.ts';
import { fileError } from '../files/fileerror.ts';
import {
  type AuthProvider,
  type ClusterEntry,
  NOBODY,
  type UserEntry,
} from '../kubeconfig/kubeconfigentry.ts';
import type { Environment } from '../kubeconfig/kubeconfigfiles.ts';
import type { Connection } from './connection.ts';
import { fetchPluginCredential } from './execplugin.ts';

/** A bundle of all authorities that a system trusts is a tenth of that. */
const MAX_SECRET_BYTES = 4 * 1024 * 1024;

/** The user with its token file read and its plugin's answer filled in. Throws UserError. */
export async function fetchSecrets(connection: Connection, env: Environment): Promise<UserEntry> {
  const { user, server } = connection;
  // As kubectl: credentials never travel in clear text.
  if (server.startsWith('http:')) return NOBODY;
  if (user.tokenFile !== undefined) return { ...user, token: await readToken(user.tokenFile, user.token) };
  const ownMeans =
    user.token !== undefined ||
    user.username !== undefined ||
    user.certFile !== undefined ||
    user.certData !== undefined;
  if (user.exec !== undefined && !ownMeans) {
    const { token, certificate, key } = await fetchPluginCredential(user.exec, connection, env);
    return { ...user, token, certData: toBase64(certificate), keyData: toBase64(key) };
  }
  const { authProvider } = user;
  if (authProvider === undefined || (ownMeans && authProvider.name === 'oidc')) return user;
  return { ...user, token: providedToken(authProvider, connection.userName) };
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

function toBase64(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : Buffer.from(pem, 'utf8').toString('base64');
}
