// Which proxy stands before a server, by the environment variables that kubectl honours.

import { BlockList, isIP } from 'node:net';
import { UserError } from '../../base/errors.ts';
import type { Environment } from '../kubeconfig/kubeconfigfiles.ts';

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
