// How one TCP connection into a pod is opened: a WebSocket of the API server as a stream of bytes.

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import { WebSocketHandler } from '@kubernetes/client-node/dist/web-socket-handler.js';
import type { ClientOptions } from 'ws';
import WebSocket from 'ws';
import { UserError } from '../../base/errors.ts';
import { apiError, networkError } from './errors.ts';
import { PushBack, retryAfterOf } from './gate.ts';
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
export async function openForward(
  { config }: Transport,
  target: PodPort,
  signal: AbortSignal,
): Promise<Duplex> {
  let forward: Forward | undefined;
  const open = (url: string, _protocols: string[], options: SocketOptions) => {
    signal.throwIfAborted();
    forward = forwardOver(connect(url, options, target), signal);
    return forward.socket;
  };
  const handler = new WebSocketHandler(config, open, noStreams());
  try {
    await handler.connect(pathOf(target), null, (channel, payload) => {
      forward?.receive(channel, payload);
      return true;
    });
  } catch (thrown) {
    signal.throwIfAborted();
    // What client-node rejects with is the event of a WebSocket.
    throw networkError(thrown instanceof Error ? thrown : (thrown as { error: unknown }).error, undefined);
  }
  return forward!.stream;
}

function pathOf({ namespace, pod, port }: PodPort): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward?ports=${port}`;
}

/** What client-node ends or pauses when a server says so on channel 255: by default stdin, stdout and stderr themselves. */
function noStreams() {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
}

/** What KubeConfig makes of them has user and password in it, too. */
type SocketOptions = ClientOptions & Pick<RequestOptions, 'auth'>;

/** client-node's own makes no limit of a frame's size, and says no more of a refusal than its status. */
function connect(url: string, { agent, auth, headers }: SocketOptions, target: PodPort): WebSocket {
  const socket = new WebSocket(url, ['v4.channel.k8s.io'], {
    ...{ agent, auth, headers },
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });
  socket.on('unexpected-response', async (request, response) => {
    socket.emit('error', await readRefusal(request, response, target));
    socket.terminate();
  });
  dropStrangeFrames(socket);
  return socket;
}

/** client-node reads a frame's channel, and what follows channel 255, without asking whether they are there. */
function dropStrangeFrames(socket: WebSocket): void {
  const emit = socket.emit.bind(socket);
  socket.emit = (event, ...values) => {
    const [frame] = values as unknown[];
    const dropped =
      event === 'message' && (!Buffer.isBuffer(frame) || frame.length === 0 || frame[0]! > ERROR);
    return !dropped && emit(event, ...values);
  };
}

interface Forward {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  /** Takes the frames that arrive. */
  receive(channel: number, payload: Buffer): void;
}

function forwardOver(socket: WebSocket, signal: AbortSignal): Forward {
  const stream = streamOf(socket);
  const abort = () => {
    stream.destroy(signal.reason);
    socket.terminate();
  };
  signal.addEventListener('abort', abort, { once: true });
  socket.on('close', () => signal.removeEventListener('abort', abort));
  socket.on('error', (thrown) => stream.destroy(networkError(thrown, undefined)));
  return { socket, stream, receive: receiver(socket, stream) };
}

/** The data channel of an open or opening WebSocket, with back-pressure in both directions. */
function streamOf(socket: WebSocket): Duplex {
  const stream = new Duplex({
    read: () => {
      if (socket.isPaused) socket.resume();
    },
    write: (chunk: Buffer, _encoding, done) => {
      // While the server closes, its reason may still be under way; what it was says the end of the stream.
      if (socket.readyState !== WebSocket.OPEN) done();
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
  return stream;
}

function receiver(socket: WebSocket, stream: Duplex): Forward['receive'] {
  const seen = new Set<number>();
  let errorText = '';
  let grace: NodeJS.Timeout | undefined;
  const fail = () => stream.destroy(new ForwardError(errorText.trim()));
  socket.on('close', (code) => {
    clearTimeout(grace);
    if (errorText.trim() !== '') fail();
    // Without a close frame the connection broke; a body without a length would seem whole.
    else if (code === 1006) stream.destroy(new ForwardError('the connection to the API server broke off'));
    else stream.push(null);
  });
  return (channel, payload) => {
    const content = payload.subarray(seen.has(channel) ? 0 : PORT_BYTES);
    seen.add(channel);
    if (content.length === 0) return;
    if (channel === DATA && !stream.push(content)) socket.pause();
    if (channel === ERROR && errorText.length < MAX_ERROR_BYTES) {
      errorText += content.toString('utf8');
      grace ??= setTimeout(fail, ERROR_GRACE_MS);
    }
  };
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
