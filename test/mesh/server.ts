// How requests and upgrades reach the embedded API server: recorded, dated and answered over HTTPS.

import { type IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type ApiState, answer, type Forwardable, resolveForward, sendRefusal } from './apiserver.ts';
import { type Forward, PROTOCOL, serveForward } from './portforward.ts';
import { sendStatus } from './respond.ts';
import type { Scenario } from './scenario.ts';
import type { ServerCertificate } from './servercertificate.ts';
import { failure } from './status.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string | undefined;
  /** The HTTP status; 0 until the answer has begun. */
  status: number;
}

/** What a mesh serves, and what it has seen so far. */
export interface MeshState extends ApiState {
  readonly requests: RecordedRequest[];
  readonly forwards: Forward[];
  /** By `namespace/name` of the ztunnel's pod. */
  readonly levels: Map<string, string>;
}

/** A server that isn't listening yet; `disconnect` ends every connection that it has. */
export function createMeshServer(
  state: MeshState,
  { key, cert }: ServerCertificate,
): { readonly server: Server; readonly disconnect: () => void } {
  const sockets = new Set<Socket>();
  const webSockets = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL });
  const server = createServer({ key, cert }, (request, response) => {
    track(request, response, state);
    answer(request, response, state);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {});
    upgrade(request, socket as Socket, head, webSockets, state);
  });
  const disconnect = () => {
    for (const webSocket of webSockets.clients) webSocket.terminate();
    for (const socket of sockets) socket.destroy();
  };
  return { server, disconnect };
}

function upgrade(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  webSockets: WebSocketServer,
  state: MeshState,
): void {
  const url = new URL(request.url ?? '/', 'https://mesh');
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.end());
  const recorded = track(request, response, state);
  const found = resolveForward(request, url, state);
  if ('refused' in found) {
    sendStatus(request, response, found.refused);
    return;
  }
  const what = found.misbehaviour;
  if (what?.how === 'refuse') {
    sendRefusal(request, response, what);
  } else if (!String(request.headers['sec-websocket-protocol']).includes(PROTOCOL)) {
    sendStatus(request, response, failure(400, `only ${PROTOCOL} is spoken here`));
  } else if (what?.how !== 'hang' || what.at !== 'handshake') {
    response.detachSocket(socket);
    recorded.status = 101;
    const forward = forwardTo(found, url, state);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      serveForward(webSocket, forward, adminOf(found, state));
    });
  }
}

function forwardTo({ pod }: Forwardable, url: URL, state: MeshState): Forward {
  const { namespace = '', name } = pod.metadata;
  const port = Number(url.searchParams.get('ports'));
  const forward: Forward = { namespace, pod: name, port, bytesSent: 0, closedEarly: false };
  state.forwards.push(forward);
  return forward;
}

function adminOf({ pod, misbehaviour }: Forwardable, { scenario, levels }: MeshState) {
  const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
  return { dump: scenario.ztunnels[key], misbehaviour, levels, pod: key };
}

/** Writes the request down, dates its answer, and notes the status once that has been sent. */
function track(request: IncomingMessage, response: ServerResponse, state: MeshState): RecordedRequest {
  const url = new URL(request.url ?? '/', 'https://mesh');
  const recorded: RecordedRequest = {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    accept: request.headers.accept,
    status: 0,
  };
  state.requests.push(recorded);
  response.sendDate = false;
  response.setHeader('date', dateOf(state.scenario).toUTCString());
  response.on('finish', () => {
    recorded.status = response.statusCode;
  });
  return recorded;
}

function dateOf({ clock = { offsetSeconds: 0 } }: Scenario): Date {
  return 'at' in clock ? new Date(clock.at) : new Date(Date.now() + clock.offsetSeconds * 1000);
}
