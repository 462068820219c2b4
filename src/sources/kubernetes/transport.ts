// How requests reach the API server: one connection pool with its TLS and proxy, and the headers of a user.

import type { Agent } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { createSecureContext } from 'node:tls';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { messageOf, UserError } from '../../base/errors.ts';
import type { UserEntry } from '../kubeconfig/kubeconfigentry.ts';
import type { Environment } from '../kubeconfig/kubeconfigfiles.ts';
import type { Connection } from './connection.ts';
import { basicAuth, impersonation } from './identityheaders.ts';
import { findProxy, placeOfProxy } from './proxy.ts';
import { fetchCertificates, fetchSecrets } from './secrets.ts';

export interface Transport {
  /** See Connection.server. */
  readonly server: string;
  /** The server in a sentence that says why it did not answer, which may be due to the proxy before it. */
  readonly shown: string;
  readonly agent: Agent;
  /** Who asks: Authorization and impersonation; secret, never to be shown. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

type TlsOptions = https.RequestOptions & { headers?: Record<string, string> };

/**
 * Gets the user's credentials (running a plugin or asking an identity provider if need be) and opens a pool
 * with them. To be called once before fanning out: every call asks for credentials and makes a pool anew.
 */
export async function openTransport(given: Connection, env: Environment): Promise<Transport> {
  // Node gives up on an address after 250 ms by default, too short for a distant API server.
  setDefaultAutoSelectFamilyAttemptTimeout(5000);
  const { server } = given;
  const cluster = await fetchCertificates(given.cluster);
  const connection = { ...given, cluster };
  const user = await fetchCertificates(await fetchSecrets(connection, env));
  const proxyUrl = cluster.proxyUrl ?? findProxy(server, env);
  const shown = proxyUrl === undefined ? server : `${server} (through the proxy ${placeOfProxy(proxyUrl)})`;
  const options: TlsOptions = {};
  try {
    await clientConfig(connection, user, proxyUrl).applyToHTTPSOptions(options);
  } catch (thrown) {
    throw credentialsUnusable(connection, thrown);
  }
  return {
    server,
    shown,
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
        keyData: user.keyData,
        token: user.token,
      },
    ],
  });
  return config;
}

function directAgent(server: string, options: TlsOptions, { cluster }: Connection): Agent {
  if (server.startsWith('http:')) return new http.Agent({ keepAlive: true });
  const { ca, cert, key, servername } = options;
  try {
    return new https.Agent({
      keepAlive: true,
      // Made once: a thousand connections would each take a millisecond to make their own.
      secureContext: createSecureContext({ ca, cert, key }),
      // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED can't switch verification off.
      rejectUnauthorized: !cluster.insecure,
      ...(servername !== undefined && { servername }),
    });
  } catch (thrown) {
    throw new UserError(
      `the certificates that the kubeconfig names can't be used: ${messageOf(thrown)}`,
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

function credentialsUnusable({ userName }: Connection, thrown: unknown): UserError {
  return new UserError(
    `the credentials of the kubeconfig's user "${userName}" can't be used: ${messageOf(thrown)}`,
    'Check the files it names, or sign in again, then check with `kubectl auth whoami`.',
    { cause: thrown },
  );
}
