// What a ztunnel answers on its admin port.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Misbehaviour } from './misbehaviour.ts';
import type { DumpSource } from './scenario.ts';
import { sendWrong } from './wronganswer.ts';

/** ztunnel's own port inside its pod; nothing listens on any other. */
export const ADMIN_PORT = 15_000;

/** Bytes. */
const SLICE = 32_768;

const DEFAULT_LEVEL = 'info';
const LOGGING_HELP = 'usage: POST /logging?level=<level> or POST /logging?reset\n';

export interface ZtunnelAdmin {
  /** undefined: `/config_dump` answers 404. */
  readonly dump: DumpSource | undefined;
  readonly misbehaviour: Misbehaviour | undefined;
  /** Log levels by `namespace/name` of the pod; `/logging` changes them. */
  readonly levels: Map<string, string>;
  readonly pod: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse, admin: ZtunnelAdmin) => void;

const PATHS: Readonly<Record<string, Handler>> = {
  '/config_dump': sendDump,
  '/logging': setLevel,
};

/** An HTTP server without a socket of its own: `emit('connection', duplex)` hands it a forwarded stream. */
export function createAdmin(admin: ZtunnelAdmin): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const handle = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
    if (handle === undefined) sendText(response, 404, 'Not Found');
    else handle(request, response, admin);
  });
}

function sendDump(_request: IncomingMessage, response: ServerResponse, admin: ZtunnelAdmin): void {
  if (admin.dump === undefined) {
    sendText(response, 404, 'Not Found');
    return;
  }
  const dump = typeof admin.dump === 'function' ? admin.dump() : admin.dump;
  const pieces = Array.isArray(dump) ? dump : [typeof dump === 'string' ? Buffer.from(dump) : dump];
  const contentType = 'application/json';
  const what = admin.misbehaviour;
  // A reset ends the connection to the API server, not the one to ztunnel behind it.
  const isHeld = what !== undefined && what.how !== 'reset';
  if (isHeld && sendWrong(response, what, { contentType, body: Buffer.concat(pieces) })) return;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(200, { 'content-type': contentType, 'content-length': length });
  Readable.from(slices(pieces)).pipe(response);
}

/** Little at a time: most clients leave after a small part, and what then waits was made for nothing. */
function* slices(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE) yield piece.subarray(at, at + SLICE);
  }
}

/** Takes `level=debug` or `level=name=debug,…` (names may hold `::`), and refuses `name:level`, as ztunnel does. */
function setLevel(request: IncomingMessage, response: ServerResponse, admin: ZtunnelAdmin): void {
  const query = new URL(request.url ?? '/', 'http://ztunnel').searchParams;
  const wanted = query.get('level');
  const what = admin.misbehaviour;
  const right = { contentType: 'text/plain', body: Buffer.alloc(0) };
  if (what?.how === 'reply' && sendWrong(response, what, right)) return;
  if (request.method !== 'POST') {
    sendText(response, 405, LOGGING_HELP);
  } else if (wanted?.split(',').some((clause) => clause.includes(':') && !clause.includes('='))) {
    sendText(response, 400, `invalid level ${wanted}\n${LOGGING_HELP}`);
  } else {
    if (query.has('reset')) admin.levels.delete(admin.pod);
    if (wanted !== null) admin.levels.set(admin.pod, wanted);
    sendText(response, 200, `current log level is ${admin.levels.get(admin.pod) ?? DEFAULT_LEVEL}\n`);
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
