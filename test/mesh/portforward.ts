// How one port of a pod is forwarded over a WebSocket: v4.channel.k8s.io, as kubelets speak it.

import { duplexPair } from 'node:stream';
import type { WebSocket } from 'ws';
import { ADMIN_PORT, createAdmin, type ZtunnelAdmin } from './admin.ts';

export const PROTOCOL = 'v4.channel.k8s.io';

/** What went over one forward. */
export interface Forward {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** Bytes of the data channel sent to the client, the port's two bytes apart. */
  bytesSent: number;
  /** The client closed before all of the answer was sent. */
  closedEarly: boolean;
}

const DATA = 0;
const ERROR = 1;
/** What a kubelet copies at a time. */
const CHUNK = 32_768;

/** Serves the forward until either side ends it. */
export function serveForward(socket: WebSocket, forward: Forward, admin: ZtunnelAdmin): void {
  socket.on('error', () => socket.terminate());
  announce(socket, forward.port);
  const failure = failureOf(forward, admin);
  if (failure !== undefined) {
    socket.send(Buffer.concat([Buffer.of(ERROR), Buffer.from(failure)]));
    socket.close();
    return;
  }
  connect(socket, forward, admin);
}

/** The text for the error channel; undefined where something listens on the port. */
function failureOf({ pod, port }: Forward, { misbehaviour }: ZtunnelAdmin): string | undefined {
  const refused = `error forwarding port ${port} to pod ${pod}, uid : failed to connect to localhost:${port} inside the pod: dial tcp4 127.0.0.1:${port}: connect: connection refused`;
  if (misbehaviour?.how === 'error-channel') return misbehaviour.text ?? refused;
  return port === ADMIN_PORT ? undefined : refused;
}

/** Joins the WebSocket with a ztunnel's admin server. */
function connect(socket: WebSocket, forward: Forward, admin: ZtunnelAdmin): void {
  const [near, far] = duplexPair();
  let answered = false;
  let ended = false;
  near.on('error', () => {});
  far.on('error', () => {});
  createAdmin(admin)
    .on('request', (_request, response) => {
      response.on('finish', () => {
        answered = true;
      });
    })
    .emit('connection', far);
  socket.on('message', (frame: Buffer) => {
    if (frame[0] === DATA && frame.length > 1 && near.writable) near.write(frame.subarray(1));
  });
  socket.on('close', () => {
    forward.closedEarly = !ended && !(answered && near.readableLength === 0 && socket.bufferedAmount === 0);
    near.destroy();
    far.destroy();
  });
  pump(near, socket, forward, admin.misbehaviour?.how === 'reset')
    .then(() => {
      ended = true;
      socket.close();
    })
    .catch(() => {
      socket.terminate();
    });
}

/** The first frame of each channel is the port, in two bytes, little-endian. */
function announce(socket: WebSocket, port: number): void {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(port);
  socket.send(Buffer.concat([Buffer.of(DATA), bytes]));
  socket.send(Buffer.concat([Buffer.of(ERROR), bytes]));
}

/** With `reset`, only half of the first piece goes out before the connection is dropped. */
async function pump(
  from: AsyncIterable<Uint8Array>,
  socket: WebSocket,
  forward: Forward,
  reset: boolean,
): Promise<void> {
  for await (const piece of from) {
    for (let at = 0; at < piece.length; at += CHUNK) {
      const whole = piece.subarray(at, at + CHUNK);
      const chunk = reset ? whole.subarray(0, whole.length >> 1) : whole;
      await sendFrame(socket, Buffer.concat([Buffer.of(DATA), chunk]));
      forward.bytesSent += chunk.length;
      if (reset) throw new Error('the connection is dropped');
    }
  }
}

/** Waits until the frame has been taken, so that a slow client slows the ztunnel down. */
function sendFrame(socket: WebSocket, frame: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(frame, (error) => (error ? reject(error) : resolve()));
  });
}
