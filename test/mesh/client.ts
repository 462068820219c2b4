// The plainest client of the embedded mesh, for its own tests: node:https and ws, nothing of the program's.

import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Mesh } from './mesh.ts';
import { PROTOCOL } from './portforward.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const DATA = 0;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** False when the connection ended before the announced length. */
  readonly complete: boolean;
}

/** GET over TLS that trusts the mesh's own authority only. Rejects when the connection ends without an answer. */
export function get(
  mesh: Mesh,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { ca: mesh.certificateAuthority, agent: false as const, headers: authorised(headers) };
    request(mesh.url + path, options, (response) => resolve(readAll(response)))
      .on('error', reject)
      .end();
  });
}

/** The body of a JSON answer. */
export async function getJson(mesh: Mesh, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await get(mesh, path, headers);
  return { status: answer.status, body: JSON.parse(answer.body.toString()) };
}

export interface Forwarded {
  /** Every frame as it came, channel byte included. */
  readonly frames: readonly Buffer[];
  readonly socket: WebSocket;
  readonly closed: Promise<void>;
}

/** A port-forward through raw `ws`; a refusal rejects with the status and body that it came with. */
export function forward(mesh: Mesh, pod: string, port = 15_000): Promise<Forwarded> {
  const [namespace, name] = pod.split('/');
  const url = `${mesh.url.replace('https', 'wss')}/api/v1/namespaces/${namespace}/pods/${name}/portforward?ports=${port}`;
  const socket = new WebSocket(url, PROTOCOL, { ca: mesh.certificateAuthority, headers: authorised({}) });
  const frames: Buffer[] = [];
  socket.on('message', (frame: Buffer) => frames.push(frame));
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ frames, closed, socket }));
    socket.on('unexpected-response', (_request, response) => {
      readAll(response).then(({ status, body }) => reject({ status, body: body.toString() }));
    });
    socket.on('error', reject);
  });
}

/** The payloads of one channel, in order. */
export function framesOf(frames: readonly Buffer[], channel: number): readonly Buffer[] {
  return frames.filter((frame) => frame[0] === channel).map((frame) => frame.subarray(1));
}

/** An HTTP request to a ztunnel's admin port through a port-forward. */
export async function ask(mesh: Mesh, pod: string, path: string, method = 'GET'): Promise<Answer> {
  const { socket, frames, closed } = await forward(mesh, pod);
  const stream = streamOf(socket, framesOf(frames, DATA).length > 0);
  try {
    return await new Promise<Answer>((resolve, reject) => {
      httpRequest({ path, method, createConnection: () => stream }, (response) => {
        resolve(readAll(response));
      })
        .on('error', reject)
        .end();
    });
  } finally {
    socket.terminate();
    await closed;
  }
}

/** The data channel as a stream, without the port that its first frame holds. */
function streamOf(socket: WebSocket, portSeen: boolean): Duplex {
  const seen = { port: portSeen };
  const stream = new Duplex({
    write: (chunk: Buffer, _encoding, callback) =>
      socket.send(Buffer.concat([Buffer.of(DATA), chunk]), callback),
    read() {},
  });
  socket.on('message', (frame: Buffer) => {
    if (frame[0] !== DATA) return;
    if (seen.port) stream.push(frame.subarray(1));
    seen.port = true;
  });
  socket.on('close', () => stream.push(null));
  return stream;
}

function readAll(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks),
        complete: response.complete,
      });
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', done).on('error', done);
  });
}

function authorised(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { authorization: 'Bearer mesh-token', ...headers };
}
