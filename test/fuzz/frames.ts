// WebSocket frames of a server that says it forwards to a ztunnel.

import { createHash } from 'node:crypto';
import { createDumpReader } from '../../src/decode/dump/configdump.ts';
import { SECTIONS } from '../../src/model/dump.ts';
import { fetchAdmin } from '../../src/sources/kubernetes/http.ts';
import { openForward } from '../../src/sources/kubernetes/portforward.ts';
import type { Transport } from '../../src/sources/kubernetes/transport.ts';
import { answers } from './answers.ts';
import type { Target } from './target.ts';
import { SayingAgent } from './wire.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [DATA, ERROR] = [0, 1];
const PORT = [0x98, 0x3a];

/** A frame as a server sends it: not masked. */
function frame(opcode: number, payload: Uint8Array, final = true): Buffer {
  const { length } = payload;
  const size = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of((final ? 0x80 : 0) | opcode, ...size), payload]);
}
const binary = (channel: number, payload: Uint8Array | string) =>
  frame(2, Buffer.concat([Buffer.of(channel), Buffer.from(payload)]));
const opening = [binary(DATA, Uint8Array.from(PORT)), binary(ERROR, Uint8Array.from(PORT))];
const closing = frame(8, Buffer.from([0x03, 0xe8]));

const [answer = Buffer.alloc(0)] = answers.seeds;
const SEEDS = [
  [...opening, binary(DATA, answer), closing],
  [...opening, binary(DATA, answer.subarray(0, 200)), binary(DATA, answer.subarray(200)), closing],
  [...opening, binary(ERROR, 'error forwarding port 15000: connection refused'), closing],
  [...opening, frame(9, Buffer.from('ping')), frame(10, Buffer.from('pong')), closing],
  [opening[0]!, frame(2, Buffer.of(DATA), false), frame(0, answer), closing],
  [...opening, frame(1, Buffer.from('text')), closing],
  [...opening, binary(DATA, answer)],
].map((frames) => Buffer.concat(frames));

const PIECES = [
  Buffer.from('827fffffffffffffffff', 'hex'),
  Buffer.from('827f0000000100000000', 'hex'),
  Buffer.from('c27e0005', 'hex'),
  Buffer.from('8280', 'hex'),
  Buffer.from('8900', 'hex'),
  Buffer.from('8801ff', 'hex'),
  Buffer.from('8800', 'hex'),
  binary(ERROR, '\u001b[2J no such luck'),
  binary(7, 'x'),
  binary(255, ''),
  frame(2, new Uint8Array()),
  closing,
];

function accept(head: string): Buffer {
  const key = /sec-websocket-key: *(\S+)/i.exec(head)?.[1] ?? '';
  const hash = createHash('sha1').update(`${key}${GUID}`).digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${hash}`,
    'Sec-WebSocket-Protocol: v4.channel.k8s.io',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

const TARGET = { namespace: 'istio-system', pod: 'ztunnel', port: 15000 };
const BOUND_MS = 3000;

export const frames: Target = {
  name: 'frames',
  seeds: SEEDS,
  pieces: PIECES,
  read: async (input) => {
    const agent = new SayingAgent((head) => Buffer.concat([accept(head), input]));
    const config = {
      getCurrentCluster: () => ({ server: 'http://127.0.0.1:1' }),
      applyToHTTPSOptions: async (options: object) => Object.assign(options, { agent }),
    };
    const transport = { config } as unknown as Transport;
    const reader = createDumpReader({ sections: new Set(SECTIONS), keepRaw: false });
    const { signal } = new AbortController();
    const request = { path: '/config_dump', port: TARGET.port, timeoutMs: BOUND_MS, signal };
    const open = (each: AbortSignal) => openForward(transport, TARGET, each);
    for await (const chunk of fetchAdmin(open, request)) {
      if (reader.write(chunk)) break;
    }
    reader.end();
  },
};
