// How one TCP connection into a pod is opened: a WebSocket of the API server as a stream of bytes.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import WebSocket from 'ws';
import { UserError } from '../../base/errors.ts';
import { PushBack, retryAfterOf } from './gate.ts';
import { networkError } from './networkerror.ts';
import { apiError } from './status.ts';
import type { Transport } from './transport.ts';

export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** The kubelet could not connect to the port, or lost the connection; its own words. */
export class ForwardError extends Error {}

/** Frames begin with a channel byte; each channel's first frame holds two bytes of port number. */
const DATA = 0;
const ERROR = 1;
const PORT_BYTES = 2;

const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_ERROR_BYTES = 4 * 1024;
/** The kubelet's text may come in pieces; the server closes right after it, but is not relied on to. */
const ERROR_GRACE_MS = 200;

/**
 * Resolves once the API server has accepted. The stream ends when the server closes; it fails with a
 * ForwardError when the pod's side reports an error. Destroying it, or aborting, closes the connection at once.
 * Throws ForbiddenError on a 403 and UserError else. `signal.reason` is thrown as it is.
 */
export function openForward(transport: Transport, target: PodPort, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const socket = connect(transport, target);
    const stream = streamOf(socket);
    const abort = () => {
      reject(signal.reason);
      stream.destroy(signal.reason);
      socket.terminate();
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.on('close', () => signal.removeEventListener('abort', abort));
    socket.on('open', () => resolve(stream));
    socket.on('error', (thrown) => {
      const error = networkError(thrown, undefined);
      reject(error);
      stream.destroy(error);
    });
    socket.on('unexpected-response', (request, response) => {
      readRefusal(request, response, target).then(reject, reject);
    });
  });
}

function connect(transport: Transport, { namespace, pod, port }: PodPort): WebSocket {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward`;
  const url = `${transport.server.replace(/^http/, 'ws')}${path}?ports=${port}`;
  return new WebSocket(url, ['v4.channel.k8s.io'], {
    agent: transport.agent,
    headers: transport.headers as Record<string, string>,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });
}

/** The data channel of an open or opening WebSocket, with back-pressure in both directions. */
function streamOf(socket: WebSocket): Duplex {
  const stream = new Duplex({
    read: () => {
      if (socket.isPaused) socket.resume();
    },
    write: (chunk: Buffer, _encoding, done) => {
      if (socket.readyState !== WebSocket.OPEN) done(new ForwardError('the connection is closed'));
      else socket.send(Buffer.concat([Buffer.of(DATA), chunk]), done);
    },
    // The protocol knows no half-close: the server goes on sending after our last byte.
    final: (done) => done(),
    destroy: (error, done) => {
      socket.terminate();
      done(error);
    },
  });
  // A failure may come when nobody listens any more; whoever reads learns it from `errored`.
  stream.on('error', () => {});
  receive(socket, stream);
  return stream;
}

function receive(socket: WebSocket, stream: Duplex): void {
  const seen = new Set<number>();
  let errorText = '';
  let grace: NodeJS.Timeout | undefined;
  const fail = () => stream.destroy(new ForwardError(errorText.trim()));
  socket.on('message', (message: Buffer) => {
    const channel = message[0];
    if (channel === undefined) return;
    const payload = message.subarray(seen.has(channel) ? 1 : 1 + PORT_BYTES);
    seen.add(channel);
    if (payload.length === 0) return;
    if (channel === DATA && !stream.push(payload)) socket.pause();
    if (channel === ERROR && errorText.length < MAX_ERROR_BYTES) {
      errorText += payload.toString('utf8');
      grace ??= setTimeout(fail, ERROR_GRACE_MS);
    }
  });
  socket.on('close', (code) => {
    clearTimeout(grace);
    if (errorText.trim() !== '') fail();
    // Without a close frame the connection broke; a body without a length would seem whole.
    else if (code === 1006) stream.destroy(new ForwardError('the connection to the API server broke off'));
    else stream.push(null);
  });
}

/** Reads why an upgrade was refused: ws itself says no more than the HTTP status. */
async function readRefusal(
  request: ClientRequest,
  response: IncomingMessage,
  { namespace, pod }: PodPort,
): Promise<UserError> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // What has arrived so far has to do.
  }
  request.destroy();
  const status = response.statusCode ?? 0;
  const refusal = { status, contentType: response.headers['content-type'], body: Buffer.concat(chunks) };
  // The ztunnel stands before the sentence; which API server it is says nothing more.
  const attempt = { server: undefined, verbs: ['get', 'create'], resource: 'pods/portforward', namespace };
  const error = forwardRefused(apiError(refusal, attempt), status, pod);
  const retryAfterMs = retryAfterOf(status, response.headers['retry-after']);
  return retryAfterMs === undefined ? error : new PushBack(error, retryAfterMs);
}

/** Gives the refusal the next step that fits a port-forward. */
function forwardRefused(error: UserError, status: number, pod: string): UserError {
  const hint = status === 404 ? POD_GONE : status >= 500 || status === 400 ? KUBELET : undefined;
  if (hint === undefined) return error;
  return new UserError(error.message, hint.replace('POD', pod), { cause: error });
}

const POD_GONE = 'The pod was deleted meanwhile, or its node is gone: run the command again.';
const KUBELET =
  'Check that the node is Ready and that the API server reaches its kubelet; `kubectl logs POD` needs the same.';
