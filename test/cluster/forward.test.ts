// Tests of how a ztunnel is asked through a port-forward, however that goes wrong.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { ForbiddenError } from '../../src/base/errors.ts';
import type { Ztunnel } from '../../src/model/types.ts';
import type { Cluster } from '../../src/sources/cluster.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import type { Misbehaviour } from '../mesh/misbehaviour.ts';
import { isOneSentence, told } from './failure.ts';
import { connectTo, kubeconfigOf, readWhole, SELECTOR, smallScenario } from './meshcluster.ts';

describe('a ztunnel of a mesh', () => {
  let mesh: Mesh;
  let cluster: Cluster;
  let ztunnel: Ztunnel;
  let dump: string;
  beforeAll(async () => {
    const scenario = await smallScenario();
    mesh = await startMesh(scenario);
    cluster = await connectTo(mesh.kubeconfig);
    ztunnel = (await cluster.findZtunnels({ selector: SELECTOR, namespace: undefined }))[0]!;
    dump = String(scenario.ztunnels[nameOf(ztunnel)]);
  });
  afterEach(() => mesh.misbehave(nameOf(ztunnel), undefined));
  afterAll(async () => {
    await cluster.close();
    await mesh.close();
  });

  test('gives its whole dump', async () => {
    expect(await readWhole(cluster, ztunnel)).toBe(dump);
  });

  test('dripping, it gives its whole dump too', async () => {
    mesh.misbehave(nameOf(ztunnel), { how: 'drip', bytes: 1000, everyMs: 1 });
    expect(await readWhole(cluster, ztunnel)).toBe(dump);
  });

  test.each<[Misbehaviour, string, string]>([
    [{ how: 'refuse', status: 401, message: 'Unauthorized' }, 'credentials: Unauthorized', 'Sign in'],
    [
      { how: 'refuse', status: 403, message: 'no forwards for you' },
      'no forwards for you',
      '"get" and "create" on',
    ],
    [
      { how: 'refuse', status: 404, message: 'pods "z" not found' },
      'pods "z" not found',
      'deleted meanwhile',
    ],
    [{ how: 'gone' }, 'not found', 'deleted meanwhile'],
    [
      { how: 'refuse', status: 500, message: 'error dialing backend: EOF' },
      'error dialing backend: EOF',
      'kubelet',
    ],
    [{ how: 'refuse', status: 502, message: 'Bad gateway', plain: true }, 'Bad gateway', 'kubelet'],
    [{ how: 'error-channel' }, 'nothing listens on port 15000', '--proxy-admin-port'],
    [
      { how: 'error-channel', text: 'lost connection to pod' },
      'port-forward failed: lost connection to pod',
      'describe',
    ],
    [{ how: 'cut', after: 100, contentLength: true }, 'before the answer was whole', 'Try again'],
    [{ how: 'reply', status: 404, body: 'no' }, 'HTTP status 404', '--proxy-admin-port'],
    [{ how: 'reply', body: '' }, 'answered with nothing', '--proxy-admin-port'],
    [{ how: 'raw', bytes: 'SSH-2.0\r\n' }, 'it is not HTTP', '--proxy-admin-port'],
  ])('%j is told in one sentence with a next step', async (what, message, hint) => {
    mesh.misbehave(nameOf(ztunnel), what);
    const error = await told(readWhole(cluster, ztunnel));
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(isOneSentence(error)).toBe(true);
  });

  test.each<[Misbehaviour, string]>([
    [{ how: 'hang', at: 'handshake' }, 'the port-forward was not opened'],
    [{ how: 'hang', at: 'first-byte' }, 'the port-forward was opened, but nothing was answered'],
    [{ how: 'hang', at: 'body' }, 'the answer began, but did not end'],
    [{ how: 'drip', bytes: 10, everyMs: 20 }, 'the answer began, but did not end'],
  ])('%j ends by time, and the sentence says in which phase', async (what, phase) => {
    mesh.misbehave(nameOf(ztunnel), what);
    const error = await told(readWhole(cluster, ztunnel, { timeoutMs: 400 }));
    expect(error.message).toBe(`no answer within 0.4 s: ${phase}`);
  });

  test('a connection that ends without a word is told as such', async () => {
    mesh.misbehave(nameOf(ztunnel), { how: 'reset' });
    const error = await told(readWhole(cluster, ztunnel));
    // Which of the two is seen first is chance.
    expect(error.message).toMatch(/(closed before the answer was whole|to the API server broke off)$/);
  });

  test('another admin port is asked for, and its refusal names that port', async () => {
    expect((await told(readWhole(cluster, ztunnel, { port: 15_001 }))).message).toContain(
      'nothing listens on port 15001',
    );
  });

  test('a missing right names both verbs and carries the role', async () => {
    const poor = await startMesh(await smallScenario(), {
      rules: [{ verbs: ['list'], resources: ['pods'] }],
    });
    const asked = await connectTo(poor.kubeconfig);
    const refusal = await readWhole(asked, ztunnel).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(ForbiddenError);
    expect((refusal as ForbiddenError).hint).toContain(
      '"get" and "create" on "pods/portforward" in namespace istio-system',
    );
    expect((refusal as ForbiddenError).clusterRole).toContain('pods/portforward');
    await Promise.all([asked.close(), poor.close()]);
  });

  test('a reader that stops early closes the connection, and one that is slow slows the ztunnel down', async () => {
    const bytes = 64 * 1024 * 1024;
    mesh.misbehave(nameOf(ztunnel), { how: 'huge', bytes });
    const request = { port: 15_000, timeoutMs: 5000, signal: new AbortController().signal };
    for await (const chunk of cluster.openDump(ztunnel, request)) {
      expect(chunk.length).toBeGreaterThan(0);
      await settled(() => mesh.forwards.at(-1)!.bytesSent);
      break;
    }
    const forward = mesh.forwards.at(-1)!;
    await until(() => forward.closedEarly);
    expect(forward.bytesSent).toBeLessThan(bytes / 2);
  });

  test.each<[string, Misbehaviour]>([
    ['handshake', { how: 'hang', at: 'handshake' }],
    ['first byte', { how: 'hang', at: 'first-byte' }],
    ['body', { how: 'hang', at: 'body' }],
  ])('an abort while waiting for the %s ends it with its own reason', async (_phase, what) => {
    mesh.misbehave(nameOf(ztunnel), what);
    const controller = new AbortController();
    const reading = readWhole(cluster, ztunnel, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('interrupted')), 100);
    await expect(reading).rejects.toThrow('interrupted');
  });

  test('an abort before it begins opens nothing', async () => {
    const before = mesh.forwards.length;
    const reading = readWhole(cluster, ztunnel, { signal: AbortSignal.abort(new Error('interrupted')) });
    await expect(reading).rejects.toThrow('interrupted');
    expect(mesh.forwards).toHaveLength(before);
  });
});

describe('frames as a kubelet might send them', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const cases: readonly [string, (socket: WebSocket) => void, { body?: string; message?: string }][] = [
    [
      'without a length, the body ends when the server closes',
      (socket) => {
        send(socket, 0, `${HEAD}\r\n{"a":`);
        send(socket, 0, '1}');
        socket.close(1000);
      },
      { body: '{"a":1}' },
    ],
    [
      'without a length, a connection that breaks is not an end',
      (socket) => {
        send(socket, 0, `${HEAD}\r\n{"a":`);
        setTimeout(() => socket.terminate(), 50);
      },
      { message: 'the port-forward failed: the connection to the API server broke off' },
    ],
    [
      'a text in pieces on the error channel counts more than the end that follows',
      (socket) => {
        send(socket, 1, 'error forwarding port 15000: ');
        send(socket, 1, 'network namespace is gone');
        socket.close();
      },
      { message: 'the port-forward failed: error forwarding port 15000: network namespace is gone' },
    ],
    [
      'a text on the error channel counts though the server does not close',
      (socket) => send(socket, 1, 'lost connection\nto pod'),
      { message: 'the port-forward failed: lost connection to pod' },
    ],
    [
      'a text on the error channel counts more than the body before it',
      (socket) => {
        send(socket, 0, `${HEAD}Content-Length: 100\r\n\r\n{`);
        send(socket, 1, 'timeout copying data');
        socket.close();
      },
      { message: 'the port-forward failed: timeout copying data' },
    ],
    [
      'empty frames and unknown channels mean nothing',
      (socket) => {
        socket.send(Buffer.alloc(0));
        send(socket, 7, 'what is this');
        send(socket, 7, 'what is this');
        for (const closed of ['', '\0', '\u0001', '\u0002']) send(socket, 255, closed);
        send(socket, 1, '');
        send(socket, 0, `${HEAD}Content-Length: 2\r\n\r\n{}`);
        socket.close();
      },
      { body: '{}' },
    ],
    [
      'a whole body is whole though the server does not close',
      (socket) => send(socket, 0, `${HEAD}Content-Length: 2\r\n\r\n{}`),
      { body: '{}' },
    ],
    [
      'an HTTP error is told though the server does not close',
      (socket) => send(socket, 0, 'HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\n'),
      { message: 'port 15000 answered /config_dump with HTTP status 503' },
    ],
    [
      'a chunked body that ends within a chunk is not whole',
      (socket) => {
        send(socket, 0, `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a"`);
        socket.close();
      },
      { message: 'the answer could not be read: the connection was closed before the answer was whole' },
    ],
  ];

  test.each(cases)('%s', async (_name, behave, { body, message }) => {
    const server = await forwardServer(behave);
    const cluster = await connectTo(kubeconfigOf({ server: server.url }));
    const ztunnel: Ztunnel = { namespace: 'istio-system', name: 'z', node: 'n', pod: undefined };
    const reading = readWhole(cluster, ztunnel, { timeoutMs: 3000 });
    if (body !== undefined) expect(await reading).toBe(body);
    else expect((await told(reading)).message).toBe(message);
    expect(server.seen).toMatchObject([
      {
        url: '/api/v1/namespaces/istio-system/pods/z/portforward?ports=15000',
        protocol: 'v4.channel.k8s.io',
      },
    ]);
    expect(server.asked.join('')).toMatch(/^GET \/config_dump HTTP\/1\.1\r\nHost: localhost\r\n/i);
    // However it ended, the connection is not left open until the program ends.
    await until(() => server.open() === 0);
    await cluster.close();
    await server.close();
  });
});

test('a refusal that comes with the acceptance is what is said, though the request finds the connection closed', async () => {
  const server = await forwardServer(
    () => {},
    (socket) => {
      send(socket, 1, 'error forwarding port 15000: connection refused');
      socket.close(1000);
    },
  );
  const cluster = await connectTo(kubeconfigOf({ server: server.url }));
  const ztunnel: Ztunnel = { namespace: 'istio-system', name: 'z', node: 'n', pod: undefined };
  const error = await told(readWhole(cluster, ztunnel, { timeoutMs: 3000 }));
  expect(error.message).toContain('nothing listens on port 15000 of the pod');
  await cluster.close();
  await server.close();
});

interface ForwardServer {
  readonly url: string;
  readonly seen: readonly { readonly url: string | undefined; readonly protocol: string | undefined }[];
  /** What came on the data channel. */
  readonly asked: readonly string[];
  /** How many connections there are now. */
  open(): number;
  close(): Promise<void>;
}

/** Accepts port-forwards over plain HTTP, announces the port, greets, and behaves as given once it has been asked. */
async function forwardServer(
  behave: (socket: WebSocket) => void,
  greet: (socket: WebSocket) => void = () => {},
): Promise<ForwardServer> {
  const server = createServer();
  const webSockets = new WebSocketServer({ server, handleProtocols: () => 'v4.channel.k8s.io' });
  const seen: { url: string | undefined; protocol: string | undefined }[] = [];
  const asked: string[] = [];
  webSockets.on('connection', (socket, request: IncomingMessage) => {
    seen.push({ url: request.url, protocol: request.headers['sec-websocket-protocol'] });
    for (const channel of [0, 1]) socket.send(Buffer.of(channel, 0x98, 0x3a));
    greet(socket);
    socket.once('message', (frame: Buffer) => {
      asked.push(frame.subarray(1).toString());
      behave(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    asked,
    open: () => webSockets.clients.size,
    close: async () => {
      for (const socket of webSockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(socket: WebSocket, channel: number, text: string): void {
  socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
}

function nameOf({ namespace, name }: Ztunnel): string {
  return `${namespace}/${name}`;
}

/** Waits until a number that grows stays as it is for 20 looks; the test's own time limit is the bound. */
async function settled(read: () => number): Promise<void> {
  for (let same = 0, last = read(); same < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    same = read() === last ? same + 1 : 0;
    last = read();
  }
}

/** Waits until it holds; the test's own time limit is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
