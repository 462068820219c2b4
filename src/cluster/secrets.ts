// Where a user's secrets come from: the kubeconfig, a token file, or a credential plugin.

import { readFile } from 'node:fs/promises';
import { messageOf, UserError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { fetchPluginCredential } from './execplugin.ts';
import { NOBODY, type UserEntry } from './kubeconfigentry.ts';
import type { Environment } from './kubeconfigfiles.ts';

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
  if (user.authProvider !== undefined && user.authProvider.name !== 'oidc') {
    throw new UserError(
      `the kubeconfig's user "${connection.userName}" has the auth provider "${user.authProvider.name}", which no longer exists`,
      "Renew the kubeconfig with the cloud's own tool, so that it names a credential plugin (exec).",
    );
  }
  return user;
}

async function readToken(file: string, otherwise: string | undefined): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (thrown) {
    if (otherwise !== undefined) return otherwise;
    throw new UserError(
      `the token file ${file} can't be read: ${messageOf(thrown)}`,
      'Correct `tokenFile` in the kubeconfig, or choose another context with --context.',
      { cause: thrown },
    );
  }
}

function toBase64(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : Buffer.from(pem, 'utf8').toString('base64');
}
