// Proxies on loopback before the API server: one that lends its own credentials, as `kubectl proxy`, and one for CONNECT.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Announcement } from './controlplane.ts';

export interface ApiProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** `METHOD path` of each request in the order of arrival, upgrades included. */
  readonly requests: readonly string[];
  /** The Authorization headers that clients sent, which is none if they are careful. */
  readonly credentials: readonly string[];
  close(): void;
}

/** Asks as admin. `before` may delay each request, and do something meanwhile. */
export async function startApiProxy(
  { server, caFile, adminToken }: Announcement,
  before: (request: IncomingMessage) => Promise<void> = async () => {},
): Promise<ApiProxy> {
  const requests: string[] = [];
  const credentials: string[] = [];
  const ca = readFileSync(caFile);
  const forward = async (request: IncomingMessage) => {
    requests.push(`${request.method} ${request.url}`);
    credentials.push(...(request.headers.authorization === undefined ? [] : [request.headers.authorization]));
    await before(request);
    const { host: _host, ...headers } = request.headers;
    return httpsRequest(`${server}${request.url}`, {
      ca,
      method: request.method,
      headers: { ...headers, authorization: `Bearer ${adminToken}` },
    });
  };
  const proxy = createServer(async (request, response) => {
    const onward = await forward(request);
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.on('upgrade', async (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    const onward = await forward(request);
    onward.on('error', () => socket.destroy());
    onward.on('upgrade', (answer, upstream) => {
      socket.write(headOf(answer));
      join(socket, upstream);
    });
    onward.on('response', (answer) => {
      socket.write(headOf(answer));
      answer.pipe(socket);
    });
    onward.end();
  });
  return { url: await listen(proxy), requests, credentials, close: () => close(proxy) };
}

export interface ConnectProxy {
  readonly url: string;
  /** `host:port` of each CONNECT. */
  readonly targets: readonly string[];
  close(): void;
}

/** Whatever host is asked for is looked for on 127.0.0.1, as a proxy of another network would know it. */
export async function startConnectProxy(): Promise<ConnectProxy> {
  const targets: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
    targets.push(request.url ?? '');
    const upstream = connect(Number((request.url ?? '').split(':').at(-1)), '127.0.0.1');
    upstream.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(socket, upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return { url: await listen(proxy), targets, close: () => close(proxy) };
}

function join(left: Duplex, right: Duplex): void {
  left.pipe(right).pipe(left);
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

function headOf(answer: IncomingMessage): string {
  const pairs = answer.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${answer.rawHeaders[at + 1]}`] : [],
  );
  return [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, ...pairs, '', ''].join('\r\n');
}

/** A server that accepts and never answers. */
export async function startSilence(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(() => {});
  return { url: await listen(server), close: () => close(server) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}
