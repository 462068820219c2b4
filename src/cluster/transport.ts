// How requests reach the API server: one connection pool with its TLS and proxy, and the headers of a user.

import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { messageOf, UserError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { fetchPluginCredential } from './execplugin.ts';
import type { UserEntry } from './kubeconfig.ts';
import type { Environment } from './kubeconfigfiles.ts';
import { findProxy } from './proxy.ts';

export interface Transport {
  /** See Connection.server. */
  readonly server: string;
  readonly agent: Agent;
  /** Who asks: Authorization and impersonation; secret, never to be shown. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

type TlsOptions = https.RequestOptions & { headers?: Record<string, string> };

/**
 * Gets the user's credentials (running a plugin or asking an identity provider if need be) and opens a pool
 * with them. To be called once before fanning out: every call asks for credentials and makes a pool anew.
 */
export async function openTransport(connection: Connection, env: Environment): Promise<Transport> {
  // Node gives up on an address after 250 ms by default, too short for a distant API server.
  setDefaultAutoSelectFamilyAttemptTimeout(5000);
  const { server } = connection;
  const user = await withSecrets(connection, env);
  const proxyUrl = connection.cluster.proxyUrl ?? findProxy(server, env);
  const options: TlsOptions = {};
  try {
    await clientConfig(connection, user, proxyUrl).applyToHTTPSOptions(options);
  } catch (thrown) {
    throw credentialsUnusable(connection, thrown);
  }
  return {
    server,
    agent:
      proxyUrl === undefined ? directAgent(server, options, connection) : proxyAgent(options, connection),
    headers: { ...options.headers, ...basicAuth(user), ...impersonation(connection.user) },
  };
}

/** client-node's view of the one cluster and user that count; what it leaves out or gets wrong is done here. */
function clientConfig(
  { cluster, server }: Connection,
  user: UserEntry,
  proxyUrl: string | undefined,
): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    currentContext: 'context',
    contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
    clusters: [
      {
        name: 'cluster',
        server,
        caData: cluster.caData,
        // Data wins over the file in a kubeconfig; client-node has it the other way round.
        caFile: cluster.caData === undefined ? cluster.caFile : undefined,
        tlsServerName: cluster.tlsServerName,
        // client-node refuses http:// (kubectl proxy) unless verification is skipped.
        skipTLSVerify: cluster.insecure || server.startsWith('http:'),
        proxyUrl,
      },
    ],
    users: [
      {
        name: 'user',
        certData: user.certData,
        certFile: user.certData === undefined ? user.certFile : undefined,
        keyData: user.keyData,
        keyFile: user.keyData === undefined ? user.keyFile : undefined,
        token: user.token,
        authProvider: user.authProvider && { ...user.authProvider, config: { ...user.authProvider.config } },
      },
    ],
  });
  return config;
}

/** The user with its token file read and its plugin's answer filled in. */
async function withSecrets(connection: Connection, env: Environment): Promise<UserEntry> {
  const { user, server } = connection;
  // As kubectl: credentials never travel in clear text.
  if (server.startsWith('http:')) return { asGroups: [], asExtra: {} };
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
      `The kubeconfig's user "${connection.userName}" has the auth provider "${user.authProvider.name}", which no longer exists.`,
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
      `The token file ${file} can't be read: ${messageOf(thrown)}.`,
      'Correct `tokenFile` in the kubeconfig, or choose another context with --context.',
      { cause: thrown },
    );
  }
}

function toBase64(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : Buffer.from(pem, 'utf8').toString('base64');
}

function directAgent(server: string, options: TlsOptions, { cluster }: Connection): Agent {
  if (server.startsWith('http:')) return new http.Agent({ keepAlive: true });
  const { ca, cert, key, servername } = options;
  try {
    return new https.Agent({
      keepAlive: true,
      ca,
      cert,
      key,
      // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED can't switch verification off.
      rejectUnauthorized: !cluster.insecure,
      ...(servername !== undefined && { servername }),
    });
  } catch (thrown) {
    throw new UserError(
      `The certificates that the kubeconfig names can't be used: ${messageOf(thrown)}.`,
      'Check certificate-authority, client-certificate and client-key.',
      { cause: thrown },
    );
  }
}

/** client-node's agent for the proxy, made to keep connections and to verify as the direct one does. */
function proxyAgent(options: TlsOptions, { cluster }: Connection): Agent {
  const agent = options.agent as Agent & { options: https.AgentOptions };
  Object.assign(agent.options, { keepAlive: true, rejectUnauthorized: !cluster.insecure });
  return Object.assign(agent, { keepAlive: true });
}

function basicAuth(user: UserEntry): Readonly<Record<string, string>> {
  if (user.username === undefined) return {};
  const pair = Buffer.from(`${user.username}:${user.password ?? ''}`, 'utf8').toString('base64');
  return { Authorization: `Basic ${pair}` };
}

/** client-node sends only the name; groups, uid and extra are needed to be someone else in full. */
function impersonation(user: UserEntry): Readonly<Record<string, string | readonly string[]>> {
  if (user.as === undefined) return {};
  const extra = Object.entries(user.asExtra).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    values,
  ]);
  return {
    'Impersonate-User': user.as,
    ...(user.asGroups.length > 0 && { 'Impersonate-Group': user.asGroups }),
    ...(user.asUid !== undefined && { 'Impersonate-Uid': user.asUid }),
    ...Object.fromEntries(extra),
  };
}

function credentialsUnusable({ userName }: Connection, thrown: unknown): UserError {
  return new UserError(
    `The credentials of the kubeconfig's user "${userName}" can't be used: ${messageOf(thrown)}.`,
    'Check the files it names, or sign in again, then check with `kubectl auth whoami`.',
    { cause: thrown },
  );
}
