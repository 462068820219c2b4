// How the API server puts an object on the wire: encoded as negotiated, dated, compressed when large.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Encoding, JSON_TYPE, negotiate, PROTOBUF_TYPE } from './accept.ts';
import { encodeObject } from './protobuf.ts';
import type { StatusBody } from './status.ts';

/** From this size on the API server compresses for clients that take gzip. */
const COMPRESS_FROM = 131_072;

type Encodable = { readonly apiVersion: string; readonly kind: string };

/** The bytes of an object in an encoding. */
export function encodeAs(object: Encodable, contentType: Encoding['contentType']): Buffer {
  return contentType === PROTOBUF_TYPE
    ? encodeObject(object as Encodable & Record<string, unknown>)
    : Buffer.from(`${JSON.stringify(object)}\n`);
}

/** An answer that was encoded already. */
export function sendEncoded(
  request: IncomingMessage,
  response: ServerResponse,
  plain: { readonly contentType: string; readonly body: Buffer },
  status = 200,
): void {
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding']));
  const zip = takesGzip && plain.body.length >= COMPRESS_FROM;
  const body = zip ? gzipSync(plain.body, { level: 1 }) : plain.body;
  response.writeHead(status, {
    'content-type': plain.contentType,
    'content-length': body.length,
    ...(zip ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
}

export function sendStatus(request: IncomingMessage, response: ServerResponse, status: StatusBody): void {
  const contentType = negotiate(request.headers.accept)?.contentType ?? JSON_TYPE;
  if (status.code === 429) response.setHeader('retry-after', '1');
  sendEncoded(request, response, { contentType, body: encodeAs(status, contentType) }, status.code);
}

export function sendPlain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
