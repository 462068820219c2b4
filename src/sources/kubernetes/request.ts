// One GET to the API server: bounded in time and size, with an error that says what went wrong.

import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../base/errors.ts';
import { type Deadline, formatWait, startDeadline } from './deadline.ts';
import { networkError } from './errors.ts';
import type { Transport } from './transport.ts';

export interface RequestBounds {
  /** For TCP and TLS, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** For everything together, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** 500 pods take about 1 MB; no page that is meant well comes near this. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Any answer is a result, whatever its status. Throws UserError when there is none. */
export async function fetchAnswer(
  transport: Transport,
  path: string,
  headers: Readonly<Record<string, string>>,
  bounds: RequestBounds,
): Promise<ApiAnswer> {
  const { connectTimeoutMs, requestTimeoutMs } = bounds;
  const deadline = startDeadline(requestTimeoutMs, 'did not answer', bounds.signal, (phase) =>
    timedOut(transport.shown, phase, requestTimeoutMs),
  );
  try {
    const send = () => respond(transport, path, headers, connectTimeoutMs, deadline);
    const response = await send().catch((thrown) => {
      // The server may close an idle connection of the pool just when it is taken: that says nothing.
      if (thrown instanceof StaleConnection) return send();
      throw thrown;
    });
    deadline.enter('did not finish its answer');
    const body = await readBody(response, transport.server);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (thrown) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw networkError(thrown instanceof StaleConnection ? thrown.cause : thrown, transport.shown);
  } finally {
    deadline.clear();
  }
}

class StaleConnection extends Error {}

function respond(
  transport: Transport,
  path: string,
  headers: Readonly<Record<string, string>>,
  connectTimeoutMs: number,
  deadline: Deadline,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (transport.server.startsWith('https:') ? https : http).get(`${transport.server}${path}`, {
      ...transport.options,
      headers: { ...transport.options.headers, 'Accept-Encoding': 'gzip', ...headers },
      signal: deadline.signal,
    });
    boundConnect(request, connectTimeoutMs, transport.shown);
    request.on('response', resolve);
    request.on('error', (thrown: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (thrown.code === 'ECONNRESET' || thrown.code === 'EPIPE');
      reject(stale ? new StaleConnection('stale connection', { cause: thrown }) : thrown);
    });
    // Switching to a protocol that nobody asked for ends a request with neither an answer nor an error.
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/** Ends the request unless a connection is ready in time. */
function boundConnect(request: ClientRequest, connectTimeoutMs: number, server: string): void {
  const timer = setTimeout(() => {
    request.destroy(timedOut(server, 'did not accept a connection', connectTimeoutMs));
  }, connectTimeoutMs);
  const stop = () => clearTimeout(timer);
  request.on('close', stop);
  request.on('socket', (socket: TLSSocket) => {
    if (request.reusedSocket) stop();
    else socket.once(socket.encrypted ? 'secureConnect' : 'connect', stop);
    // Behind a proxy the socket is handed over ready to use.
    if (!socket.connecting && !socket.encrypted) stop();
  });
  request.on('response', stop);
}

async function readBody(response: IncomingMessage, server: string): Promise<Uint8Array> {
  const zipped = response.headers['content-encoding'] === 'gzip';
  // Unlike pipe, pipeline ends the unpacking also when the answer broke off before it was piped.
  const stream: Readable = zipped ? pipeline(response, createGunzip(), () => {}) : response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      response.destroy();
      throw new UserError(
        `the API server ${server} sent more than ${MAX_BODY_BYTES / 1024 / 1024} MB in one answer`,
        'Check that `server` of the kubeconfig context is a Kubernetes API server.',
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function timedOut(server: string, what: string, waitedMs: number): UserError {
  return new UserError(
    `the API server ${server} ${what} within ${formatWait(waitedMs)}`,
    'Check that the cluster is up and that this machine can reach it (VPN, proxy, firewall), then try again.',
  );
}
