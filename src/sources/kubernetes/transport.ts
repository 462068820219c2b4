// How requests reach the API server: the options that KubeConfig makes, proxies, and one pool of connections.

import type { Agent } from 'node:http';
import type { AgentOptions, RequestOptions } from 'node:https';
import { BlockList, isIP, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { messageOf, UserError } from '../../base/errors.ts';
import { kubeConfigOf } from '../kubeconfig/kubeconfig.ts';
import type { UserEntry } from '../kubeconfig/kubeconfigentry.ts';
import type { Environment } from '../kubeconfig/kubeconfigfiles.ts';
import type { Connection } from './connection.ts';
import { authenticatorOf, fetchCertificates } from './credentials.ts';

export interface Transport {
  /** See Connection.server. */
  readonly server: string;
  /** The server in a sentence that says why it did not answer, which may be due to the proxy before it. */
  readonly shown: string;
  /** Of one context. What it makes of further requests' options has the same agent and the same credentials. */
  readonly config: KubeConfig;
  readonly agent: Agent;
  /** For a request to the server. Secret, never to be shown. */
  readonly options: RequestOptions;
}

/**
 * Gets the user's credentials (running a plugin or asking an identity provider if need be) and opens a pool
 * with them. To be called once before fanning out: every call asks for credentials and makes a pool anew.
 */
export async function openTransport(given: Connection, env: Environment): Promise<Transport> {
  // Node gives up on an address after 250 ms by default, too short for a distant API server.
  setDefaultAutoSelectFamilyAttemptTimeout(5000);
  const { server } = given;
  const [cluster, user] = await Promise.all([
    fetchCertificates(given.cluster),
    fetchCertificates(given.user),
  ]);
  const proxyUrl = cluster.proxyUrl ?? findProxy(server, env);
  const shown = proxyUrl === undefined ? server : `${server} (through the proxy ${placeOfProxy(proxyUrl)})`;
  const connection = { ...given, cluster: { ...cluster, proxyUrl }, user };
  const config = configOf(connection, env);
  // Stated outright, so that NODE_TLS_REJECT_UNAUTHORIZED can't switch verification off.
  const options: RequestOptions = { rejectUnauthorized: true };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (thrown) {
    throw thrown instanceof UserError ? thrown : credentialsUnusable(user, thrown);
  }
  return { server, shown, config, agent: pooled(server, options), options };
}

/** As client-node holds it, and what it would otherwise leave out or refuse. */
function configOf(connection: Connection, env: Environment): KubeConfig {
  const { server, cluster, user } = connection;
  const plain = server.startsWith('http:');
  const config = kubeConfigOf({
    currentContext: 'context',
    contexts: [{ name: 'context', cluster: cluster.name, user: user.name }],
    // client-node refuses http:// (kubectl proxy) unless verification is skipped, and prefers files to data.
    clusters: [{ ...cluster, server, caFile: undefined, skipTLSVerify: cluster.skipTLSVerify || plain }],
    users: [plain ? { name: user.name } : heldBy(user)],
  });
  config.addAuthenticator(authenticatorOf(connection, env));
  return config;
}

/** What client-node takes from a user's entry; the rest is the authenticator's. */
function heldBy({ name, certData, keyData, token, tokenFile, username, password }: UserEntry) {
  const withToken = tokenFile === undefined ? token : undefined;
  return { name, certData, keyData, token: withToken, username, password: password ?? '' };
}

/** client-node's agent, for one connection a request, made to keep connections and to make their TLS context once. */
function pooled(server: string, { agent, ca, cert, key }: RequestOptions): Agent {
  const own = agent as Agent & { readonly options: AgentOptions };
  Object.assign(own, { keepAlive: true });
  Object.assign(own.options, { keepAlive: true });
  if (server.startsWith('http:')) return own;
  try {
    // A thousand connections would each take a millisecond to make their own.
    Object.assign(own.options, { secureContext: createSecureContext({ ca, cert, key }) });
  } catch (thrown) {
    throw new UserError(
      `the certificates that the kubeconfig names can't be used: ${messageOf(thrown)}`,
      'Check certificate-authority, client-certificate and client-key.',
      { cause: thrown },
    );
  }
  return own;
}

function credentialsUnusable({ name }: UserEntry, thrown: unknown): UserError {
  return new UserError(
    `the credentials of the kubeconfig's user "${name}" can't be used: ${messageOf(thrown)}`,
    'Check the files it names, or sign in again, then check with `kubectl auth whoami`.',
    { cause: thrown },
  );
}

/**
 * HTTPS_PROXY or HTTP_PROXY by the server's scheme (lower case too), unless NO_PROXY excludes it. As in Go,
 * which kubectl is written in: ALL_PROXY does not count and loopback is never proxied.
 */
export function findProxy(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (isLoopback(host) || isExcluded(host, port, env.NO_PROXY || env.no_proxy || '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/** Where a proxy is, without the password that its URL may hold. Throws UserError if it is no proxy's. */
export function placeOfProxy(proxyUrl: string): string {
  const url = URL.parse(proxyUrl);
  if (url !== null && SCHEMES.has(url.protocol) && url.hostname !== '') return `${url.protocol}//${url.host}`;
  throw new UserError(
    'the address of the proxy is not an http, https or socks5 URL',
    'Correct proxy-url in the kubeconfig, or HTTPS_PROXY; it should read like http://HOST:3128.',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isExcluded(host: string, port: string, noProxy: string): boolean {
  return noProxy
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
    .some((item) => item === '*' || excludes(item, host, port));
}

function excludes(item: string, host: string, port: string): boolean {
  if (item.includes('/')) return isInSubnet(item, host);
  const [, name = item, only] = /^(.*[^:]|\[.*\]):(\d+)$/.exec(item) ?? [];
  if (isIP(item) === 0 && only !== undefined && only !== port) return false;
  const plain = (isIP(item) === 0 ? name : item).replace(/^\[|\]$/g, '').replace(/^\*(?=\.)/, '');
  // A leading dot leaves the domain itself proxied; without one the domain and all below it are excluded.
  return plain.startsWith('.') ? host.endsWith(plain) : host === plain || host.endsWith(`.${plain}`);
}

function isInSubnet(item: string, host: string): boolean {
  const [network = '', bits = ''] = item.split('/');
  const family = isIP(host);
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
