// The embedded kubelet forwards a ztunnel's admin port frame by frame, and fails in every way that it is told to.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, forward, framesOf } from './client.ts';
import { type Mesh, startMesh } from './mesh.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { type Scenario, scenario, ztunnelOn } from './scenario.ts';
import { barePod, deployment } from './workloads.ts';

const DUMP = '/config_dump';
const CONFIG_DUMP = `GET ${DUMP} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
const PORT = Buffer.from([0x98, 0x3a]);

let objects: Scenario;
let mesh: Mesh;
let ztunnel: string;
beforeAll(async () => {
  objects = await scenario({
    at: '2026-11-29T22:03:42Z',
    nodes: ['node-a'],
    workloads: [
      deployment('shop/web', { on: ['node-a'] }),
      barePod('shop/waiting', { on: 'node-a', phase: 'Pending' }),
    ],
  });
  ztunnel = ztunnelOn(objects, 'node-a');
  mesh = await startMesh(objects, {
    users: { old: { name: 'old', rules: [{ verbs: ['get'], resources: ['pods/portforward'] }] } },
  });
});
afterAll(() => mesh.close());

const misbehave = (what: Misbehaviour) => mesh.misbehave(ztunnel, { times: 1, ...what });
const size = () => Buffer.byteLength(String(objects.ztunnels[ztunnel]));

describe('frames', () => {
  test('each channel begins with the port; then the answer comes on channel 0 until the close', async () => {
    const { frames, socket, closed } = await forward(mesh, ztunnel);
    socket.send(Buffer.concat([Buffer.of(0), Buffer.from(CONFIG_DUMP)]));
    await closed;
    expect(framesOf(frames, 1)).toEqual([PORT]);
    const [port, ...rest] = framesOf(frames, 0);
    expect(port).toEqual(PORT);
    const answer = Buffer.concat(rest).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\n/);
    expect(answer.endsWith(String(objects.ztunnels[ztunnel]))).toBe(true);
    expect(mesh.forwards.at(-1)).toMatchObject({ port: 15_000, closedEarly: false });
    expect(mesh.forwards.at(-1)?.bytesSent).toBe(Buffer.concat(rest).length);
  });

  test('a port that nothing listens on says so on channel 1', async () => {
    const { frames, closed } = await forward(mesh, ztunnel, 15_021);
    await closed;
    expect(framesOf(frames, 0)).toHaveLength(1);
    expect(String(framesOf(frames, 1)[1])).toMatch(
      /^error forwarding port 15021 to pod .*: connection refused$/,
    );
  });
});

describe('a ztunnel', () => {
  test('answers with its dump and its length', async () => {
    const answer = await ask(mesh, ztunnel, DUMP);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(size()),
    });
    expect(JSON.parse(answer.body.toString()).certificates).toMatchObject([
      { identity: 'spiffe://cluster.local/ns/shop/sa/web', state: 'Available' },
    ]);
  });

  test('has no other paths', async () => {
    expect((await ask(mesh, ztunnel, '/other')).status).toBe(404);
  });

  test('shows and changes its log level, by POST only', async () => {
    expect((await ask(mesh, ztunnel, '/logging')).status).toBe(405);
    const text = async (query: string) =>
      (await ask(mesh, ztunnel, `/logging${query}`, 'POST')).body.toString();
    expect(await text('')).toBe('current log level is info\n');
    expect(await text('?level=debug')).toBe('current log level is debug\n');
    expect(mesh.levels.get(ztunnel)).toBe('debug');
    expect((await ask(mesh, ztunnel, '/logging?level=a:debug', 'POST')).status).toBe(400);
    expect(await text('?reset')).toBe('current log level is info\n');
  });

  test('can make its dump at each request', async () => {
    let count = 0;
    const own = await startMesh({ ...objects, ztunnels: { [ztunnel]: () => String(++count) } });
    expect((await ask(own, ztunnel, DUMP)).body.toString()).toBe('1');
    expect((await ask(own, ztunnel, DUMP)).body.toString()).toBe('2');
    await own.close();
  });
});

describe('an upgrade is refused', () => {
  test.each([
    ['for an unknown pod', 'shop/nope', undefined, 404, 'pods "nope" not found'],
    ['for a pod that is not running', 'shop/waiting', undefined, 500, 'pod not found ("waiting_shop")'],
    ['for one that was deleted meanwhile', undefined, { how: 'gone' }, 404, / not found$/],
    [
      'by whatever status is asked for',
      undefined,
      { how: 'refuse', status: 503, message: 'tunnel is down' },
      503,
      'tunnel is down',
    ],
  ] as const)('%s', async (_why, pod, what, status, message) => {
    if (what) misbehave(what);
    const refusal = await forward(mesh, pod ?? ztunnel).catch((error) => error);
    expect(refusal.status).toBe(status);
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(JSON.parse(refusal.body)).toMatchObject({ kind: 'Status', code: status, message: expected });
    expect(mesh.requests.at(-1)?.status).toBe(status);
  });

  test('in plain text, as by a proxy in between', async () => {
    misbehave({ how: 'refuse', status: 502, message: 'no backend', plain: true });
    expect(await forward(mesh, ztunnel).catch((error) => error)).toEqual({ status: 502, body: 'no backend' });
  });

  test.each([
    [34, 'get'],
    [35, 'create'],
  ])('without the right that Kubernetes 1.%d asks for: %s', async (minor, verb) => {
    const refused = async (has: string) => {
      const rules = [{ verbs: [has], resources: ['pods/portforward'] }];
      const own = await startMesh(objects, { minor, rules });
      const result = await forward(own, ztunnel).catch((error) => error);
      await own.close();
      return result.body && JSON.parse(result.body).message;
    };
    expect(await refused(verb)).toBeUndefined();
    expect(await refused('list')).toBe(
      `pods "${ztunnel.split('/')[1]}" is forbidden: User "mesh-user" cannot ${verb} resource "pods/portforward" in API group "" in the namespace "istio-system"`,
    );
  });
});

describe('misbehaviour of a ztunnel', () => {
  test.each<[string, Misbehaviour, object]>([
    ['an HTTP error', { how: 'reply', status: 500, body: 'boom' }, { status: 500, complete: true }],
    ['a cut with a length', { how: 'cut', after: 90, contentLength: true }, { complete: false }],
    ['a cut without a length', { how: 'cut', after: 90, contentLength: false }, { complete: true }],
    ['a drip', { how: 'drip', bytes: 2_000, everyMs: 1 }, { status: 200, complete: true }],
  ])('%s', async (_what, misbehaviour, expected) => {
    misbehave(misbehaviour);
    expect(await ask(mesh, ztunnel, DUMP)).toMatchObject(expected);
    expect(await ask(mesh, ztunnel, DUMP)).toMatchObject({ status: 200, complete: true });
  });

  test('a cut leaves as many bytes as asked for', async () => {
    for (const contentLength of [true, false]) {
      misbehave({ how: 'cut', after: 90, contentLength });
      const answer = await ask(mesh, ztunnel, DUMP);
      expect(answer.body.toString()).toBe(String(objects.ztunnels[ztunnel]).slice(0, 90));
      expect(answer.headers['content-length']).toBe(contentLength ? String(size()) : undefined);
    }
  });

  test('bytes that are not HTTP', async () => {
    misbehave({ how: 'raw', bytes: 'SSH-2.0-hello\r\n' });
    await expect(ask(mesh, ztunnel, DUMP)).rejects.toMatchObject({ code: 'HPE_INVALID_CONSTANT' });
  });

  test('a text on the error channel, and nothing on the other', async () => {
    misbehave({ how: 'error-channel', text: 'network namespace is gone' });
    const { frames, closed } = await forward(mesh, ztunnel);
    await closed;
    expect(framesOf(frames, 1).map(String)[1]).toBe('network namespace is gone');
    expect(framesOf(frames, 0)).toEqual([PORT]);
  });

  test('a hang at the handshake: the upgrade is neither granted nor refused', async () => {
    misbehave({ how: 'hang', at: 'handshake' });
    const before = mesh.requests.length;
    const waiting = forward(mesh, ztunnel);
    while (mesh.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 2));
    const settled = await Promise.race([
      waiting.then(
        () => 'granted',
        () => 'refused',
      ),
      new Promise((resolve) => setTimeout(() => resolve('waiting'), 150)),
    ]);
    expect([settled, mesh.requests.at(-1)?.status]).toEqual(['waiting', 0]);
  });

  test('a huge body goes on until the client has had enough', async () => {
    misbehave({ how: 'huge', bytes: 1_000_000_000 });
    const { frames, socket, closed } = await forward(mesh, ztunnel);
    socket.send(Buffer.concat([Buffer.of(0), Buffer.from(CONFIG_DUMP)]));
    while (frames.length < 20) await new Promise((resolve) => setTimeout(resolve, 2));
    socket.terminate();
    await closed;
    while (!mesh.forwards.at(-1)?.closedEarly) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(mesh.forwards.at(-1)?.bytesSent).toBeLessThan(500_000_000);
  });

  test.each<[string, Misbehaviour, number]>([
    ['before the first byte', { how: 'hang', at: 'first-byte' }, 0],
    ['amid the body', { how: 'hang', at: 'body' }, 1],
  ])('a hang %s, with the connection left open', async (_when, misbehaviour, least) => {
    misbehave(misbehaviour);
    const { frames, socket, closed } = await forward(mesh, ztunnel);
    socket.send(Buffer.concat([Buffer.of(0), Buffer.from(CONFIG_DUMP)]));
    const data = () => Buffer.concat(framesOf(frames, 0).slice(1));
    while (data().length < least) await new Promise((resolve) => setTimeout(resolve, 2));
    const hung = await Promise.race([
      closed.then(() => 'closed'),
      new Promise((resolve) => setTimeout(() => resolve('open'), 150)),
    ]);
    expect(hung).toBe('open');
    expect(data().length).toBeLessThan(size());
    socket.terminate();
    await closed;
  });

  test('a connection that ends without a word, amid the body', async () => {
    misbehave({ how: 'reset' });
    const { socket, closed } = await forward(mesh, ztunnel);
    const code = new Promise((resolve) => socket.on('close', resolve));
    socket.send(Buffer.concat([Buffer.of(0), Buffer.from(CONFIG_DUMP)]));
    await closed;
    expect(await code).toBe(1006);
    expect(mesh.forwards.at(-1)?.bytesSent).toBeGreaterThan(0);
    expect(mesh.forwards.at(-1)?.bytesSent).toBeLessThan(size());
  });
});
