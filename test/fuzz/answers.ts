// HTTP answers, of a pod that calls itself a ztunnel and of a server that calls itself Kubernetes.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createDumpReader } from '../../src/decode/dump/configdump.ts';
import { decodeKube } from '../../src/decode/kube/object.ts';
import { SECTIONS } from '../../src/model/dump.ts';
import { apiError } from '../../src/sources/kubernetes/errors.ts';
import { fetchAdmin } from '../../src/sources/kubernetes/http.ts';
import { fetchAnswer } from '../../src/sources/kubernetes/request.ts';
import type { Transport } from '../../src/sources/kubernetes/transport.ts';
import { dumps } from './dumps.ts';
import type { Target } from './target.ts';
import { connectionTo, SayingAgent } from './wire.ts';

const LEASE = readFileSync(path.join(import.meta.dirname, '../testdata/kubernetes/cart-leader-lease.pb'));
const STATUS =
  '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":"Forbidden","code":403}';

function answer(head: string, body: Uint8Array | string): Uint8Array {
  return Buffer.concat([Buffer.from(`${head.replaceAll('\n', '\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

function chunked(body: Uint8Array): Buffer {
  const pieces = [body.subarray(0, 100), body.subarray(100)].map((piece) =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
  );
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

const [dump = Buffer.alloc(0)] = dumps.seeds;
const PROTOBUF = 'Content-Type: application/vnd.kubernetes.protobuf';
const SEEDS = [
  answer(`HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: ${dump.length}`, dump),
  answer('HTTP/1.1 200 OK\nTransfer-Encoding: chunked', chunked(dump)),
  answer('HTTP/1.0 200 OK', dump),
  answer(`HTTP/1.1 200 OK\n${PROTOBUF}\nContent-Length: ${LEASE.length}`, LEASE),
  answer(
    `HTTP/1.1 200 OK\n${PROTOBUF}\nContent-Encoding: gzip\nTransfer-Encoding: chunked`,
    chunked(gzipSync(LEASE)),
  ),
  answer(`HTTP/1.1 403 Forbidden\nContent-Type: application/json\nContent-Length: ${STATUS.length}`, STATUS),
  answer('HTTP/1.1 100 Continue', answer('HTTP/1.1 404 Not Found\nContent-Length: 4', 'gone')),
  answer('HTTP/1.1 301 Moved\nLocation: http://10.0.0.1/\nContent-Length: 0', ''),
];

const PIECES = [
  'Content-Length: 18446744073709551616\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Set-Cookie: __proto__=1\r\n',
  '__proto__: x\r\n',
  'HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  `X: ${'a'.repeat(20_000)}\r\n`,
  '\r\n',
  '\r\n\r\n',
  'ffffffffffffffff\r\n',
  '0\r\n',
  '\0',
].map((text) => Buffer.from(text));

const BOUND_MS = 3000;

async function readAsAdmin(input: Uint8Array): Promise<void> {
  const reader = createDumpReader({ sections: new Set(SECTIONS), keepRaw: false });
  const request = {
    path: '/config_dump',
    port: 15000,
    timeoutMs: BOUND_MS,
    signal: new AbortController().signal,
  };
  for await (const chunk of fetchAdmin(async () => connectionTo(() => input), request)) {
    if (reader.write(chunk)) break;
  }
  reader.end();
}

async function readAsApi(input: Uint8Array): Promise<void> {
  const transport = {
    server: 'http://127.0.0.1:1',
    options: { agent: new SayingAgent(() => input) },
  } as unknown as Transport;
  const bounds = { connectTimeoutMs: BOUND_MS, requestTimeoutMs: BOUND_MS };
  const { status, headers, body } = await fetchAnswer(transport, '/api/v1/pods', {}, bounds);
  if (status === 200) decodeKube(body, headers['content-type']);
  else {
    const refusal = { status, contentType: headers['content-type'], body };
    throw apiError(refusal, { server: undefined, verbs: ['list'], resource: 'pods', namespace: undefined });
  }
}

/** A UserError of the first must not keep the second from being tried. */
async function settled(...all: readonly Promise<void>[]): Promise<void> {
  const { UserError } = await import('../../src/base/errors.ts');
  for (const result of await Promise.allSettled(all)) {
    if (result.status === 'rejected' && !(result.reason instanceof UserError)) throw result.reason;
  }
}

export const answers: Target = {
  name: 'answers',
  seeds: SEEDS,
  pieces: PIECES,
  read: (input) => settled(readAsAdmin(input), readAsApi(input)),
};
