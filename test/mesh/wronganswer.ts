// How an HTTP answer goes wrong on the wire: hung, cut, dripping, endless, or something else altogether.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Cut, Drip, Hang, Huge, Misbehaviour, Raw, Reply } from './misbehaviour.ts';

/** The answer that would have been right. */
export interface RightAnswer {
  readonly contentType: string;
  readonly body: Uint8Array;
}

type Sender<M> = (response: ServerResponse, what: M, right: RightAnswer) => void;

const SENDERS = {
  hang: (response, what: Hang, right) => {
    if (what.at !== 'body') return;
    head(response, right);
    response.write(right.body.subarray(0, right.body.length >> 1));
  },
  cut: (response, what: Cut, right) => {
    const part = right.body.subarray(0, what.after);
    if (what.contentLength) {
      head(response, right);
      response.write(part, () => response.socket?.end());
      return;
    }
    // Neither a length nor chunks: the body ends where the connection does.
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.writeHead(200, { 'content-type': right.contentType });
    response.end(part);
  },
  reply: (response, what: Reply, right) => {
    const body = Buffer.from(what.body as string);
    const contentType = what.contentType ?? right.contentType;
    response.writeHead(what.status ?? 200, { 'content-type': contentType, 'content-length': body.length });
    response.end(body);
  },
  raw: (response, what: Raw) => {
    response.socket?.end(what.bytes);
  },
  drip: (response, what: Drip, right) => {
    head(response, right);
    Readable.from(drops(right.body, what)).pipe(response);
  },
  huge: (response, what: Huge, right) => {
    head(response, { ...right, body: { length: what.bytes } });
    Readable.from(endless(what.bytes)).pipe(response);
  },
  reset: (response) => {
    response.socket?.destroy();
  },
} satisfies { readonly [H in Misbehaviour['how']]?: Sender<Extract<Misbehaviour, { how: H }>> };

/** Sends the wrong answer; false if this misbehaviour is none of HTTP's. */
export function sendWrong(response: ServerResponse, what: Misbehaviour, right: RightAnswer): boolean {
  const send = (SENDERS as Readonly<Record<string, Sender<Misbehaviour> | undefined>>)[what.how];
  send?.(response, what, right);
  return send !== undefined;
}

function head(response: ServerResponse, right: { contentType: string; body: { length: number } }): void {
  response.writeHead(200, { 'content-type': right.contentType, 'content-length': right.body.length });
}

async function* drops(body: Uint8Array, { bytes, everyMs }: Drip): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += bytes) {
    yield body.subarray(at, at + bytes);
    await new Promise((resolve) => setTimeout(resolve, everyMs).unref());
  }
}

function* endless(bytes: number): Generator<Buffer> {
  const start = Buffer.from('{ "padding": "');
  yield start.subarray(0, bytes);
  const chunk = Buffer.alloc(65_536, 'a');
  for (let left = bytes - start.length; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}
