// How ztunnel's admin endpoint is asked over a forwarded connection: dumps, log levels, and time limits.

import type { IncomingMessage } from 'node:http';
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf, UserError } from '../../base/errors.ts';
import type { DumpRequest } from '../cluster.ts';
import { type Deadline, formatWait, startDeadline } from './deadline.ts';
import { ForwardError } from './portforward.ts';

export interface AdminRequest {
  /** GET by default. What a POST is refused with is told in ztunnel's own words. */
  readonly method?: 'GET' | 'POST';
  /** Path and query on the admin port. */
  readonly path: string;
  readonly port: number;
  /** Bound on handshake, first byte and body together, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Opens the connection; `signal` ends the attempt as well as the open connection. */
export type OpenConnection = (signal: AbortSignal) => Promise<Duplex>;

/** 100,000 workloads make 70 MB; whatever exceeds this is not a dump of a mesh. */
const MAX_BODY_BYTES = 1024 * 1024 * 1024;

const PHASES = {
  handshake: 'the port-forward was not opened',
  answer: 'the port-forward was opened, but nothing was answered',
  body: 'the answer began, but did not end',
} as const;

/**
 * Asks for the path and yields the body's chunks as they are asked for: the server is slowed down to the reader's
 * pace, and a reader that stops early closes the connection at once. Throws UserError; an abort of the caller's
 * signal throws its reason.
 */
export async function* fetchAdmin(
  open: OpenConnection,
  request: AdminRequest,
): AsyncGenerator<Uint8Array, void, void> {
  const { timeoutMs, signal, port } = request;
  const deadline = startDeadline(timeoutMs, PHASES.handshake, signal, (phase) => timedOut(phase, timeoutMs));
  let connection: Duplex | undefined;
  try {
    connection = await open(deadline.signal);
    deadline.enter(PHASES.answer);
    const response = await respond(connection, request, deadline.signal);
    deadline.enter(PHASES.body);
    if (response.statusCode !== 200) throw await refused(response, request);
    yield* readBody(response, deadline);
    // Without a length, node:http takes any end for the end of the body.
    if (!saysItsLength(response) && connection.errored) throw connection.errored;
  } catch (thrown) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw adminError(connection?.errored ?? thrown, port);
  } finally {
    deadline.clear();
    connection?.destroy();
  }
}

/** `agent` is left out: with `agent: false` node:http ignores `createConnection`. */
function respond(
  connection: Duplex,
  { path, method = 'GET' }: AdminRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The server can close, or break its own protocol, in the same moment in which it accepts: then nothing that
    // node:http does with the connection says so.
    const closed = () => reject(connection.errored ?? new ForwardError('the connection was closed'));
    if (connection.destroyed) return closed();
    connection.once('close', closed);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const request = http.request({
      createConnection: () => connection,
      host: 'localhost',
      path,
      method,
      headers: { Host: 'localhost', Connection: 'close' },
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
}

async function* readBody(
  response: IncomingMessage,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, void> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    // A reader that was away for long must not be handed what arrived after time was up.
    deadline.signal.throwIfAborted();
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw new UserError(
        `ztunnel sent more than ${MAX_BODY_BYTES / 1024 / 1024} MB`,
        'Check that the port is the admin port of a ztunnel (--proxy-admin-port).',
      );
    }
    yield chunk;
  }
  if (!response.complete) throw new Error(`it broke off after ${size} bytes`);
  if (size === 0) {
    throw new UserError(
      'ztunnel answered with nothing',
      'Check that the port is the admin port of a ztunnel (--proxy-admin-port).',
    );
  }
}

function saysItsLength({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

async function refused(response: IncomingMessage, { path, port, method }: AdminRequest): Promise<UserError> {
  if (method === 'POST') return refusedChange(response);
  return new UserError(
    `port ${port} answered ${path} with HTTP status ${response.statusCode}`,
    'Check that it is the admin port of a ztunnel; --proxy-admin-port names another.',
  );
}

const MAX_REFUSAL_BYTES = 4 * 1024;

async function refusedChange(response: IncomingMessage): Promise<UserError> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_REFUSAL_BYTES) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const words = shorten(text.split('\n', 1)[0] ?? '');
  return new UserError(
    `ztunnel refused the change with HTTP status ${response.statusCode}${words === '' ? '' : `: ${words}`}`,
    'Check what was asked for, and that the port is the admin port of a ztunnel (--proxy-admin-port).',
  );
}

function timedOut(phase: string, timeoutMs: number): UserError {
  return new UserError(
    `no answer within ${formatWait(timeoutMs)}: ${phase}`,
    'Give it longer with --timeout, or check that the pod and its node are healthy.',
  );
}

/** The kubelet's own words count more than the end of the stream that follows them. */
function adminError(thrown: unknown, port: number): Error {
  if (thrown instanceof UserError) return thrown;
  const text = messageOf(thrown);
  if (thrown instanceof ForwardError && /connection refused/i.test(text)) {
    return new UserError(
      `nothing listens on port ${port} of the pod: ${shorten(text)}`,
      "Check ztunnel's admin port (--proxy-admin-port); the kubelet may also have tried 127.0.0.1 where ztunnel listens on ::1.",
      { cause: thrown },
    );
  }
  if (thrown instanceof ForwardError) {
    return new UserError(
      `the port-forward failed: ${shorten(text)}`,
      'Check the pod with `kubectl describe pod`, and try again.',
      { cause: thrown },
    );
  }
  return new UserError(
    `the answer could not be read: ${shorten(EXPLAINED[(thrown as NodeJS.ErrnoException).code ?? ''] ?? text)}`,
    'Try again; if it stays so, check that the port is the admin port of a ztunnel (--proxy-admin-port).',
    { cause: thrown },
  );
}

/** node:http's errors by code, in words. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was closed before the answer was whole',
  HPE_INVALID_CONSTANT: 'it is not HTTP',
  HPE_INVALID_VERSION: 'it is not HTTP',
};

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** ztunnel answers with a line for each logger; more is no such answer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** `/logging` takes POST only, for reading too. Throws UserError. */
export async function postLogging(
  open: OpenConnection,
  query: string,
  request: DumpRequest,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of fetchAdmin(open, { path: `/logging${query}`, method: 'POST', ...request })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new UserError(
        `the answer has more than ${MAX_ANSWER_BYTES} bytes`,
        'Check that the port is the admin port of a ztunnel (--proxy-admin-port).',
      );
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}
