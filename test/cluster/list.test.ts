// Tests of how lists are asked of an API server, in either encoding and however it answers.

import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ForbiddenError } from '../../src/base/errors.ts';
import type { ListKind } from '../../src/model/kinds.ts';
import { KINDS } from '../../src/model/kinds.ts';
import type { Cluster } from '../../src/sources/cluster.ts';
import { type Fetch, listObjects } from '../../src/sources/kubernetes/list.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import type { Misbehaviour } from '../mesh/misbehaviour.ts';
import { isOneSentence, told } from './failure.ts';
import { connectTo, kubeconfigOf, smallScenario } from './meshcluster.ts';

const PODS = '/api/v1/pods';
let mesh: Mesh;
let cluster: Cluster;
beforeAll(async () => {
  mesh = await startMesh(await smallScenario());
  cluster = await connectTo(mesh.kubeconfig);
});
beforeEach(() => mesh.misbehave(PODS, undefined));
afterAll(async () => {
  await cluster.close();
  await mesh.close();
});

describe('every kind is listed', () => {
  test.each<[ListKind, string, string, readonly string[]]>([
    ['replicasets', 'ReplicaSet', 'apps/v1', ['web']],
    ['jobs', 'Job', 'batch/v1', ['pay']],
    ['statefulsets', 'StatefulSet', 'apps/v1', ['cart']],
    ['leases', 'Lease', 'coordination.k8s.io/v1', ['n1', 'n2']],
  ])('%s as %s, whatever the encoding', async (kind, name, apiVersion, prefixes) => {
    const items = await cluster.list(kind);
    expect(items.map((item) => item.metadata.name.replace(/-[^-]*\d.*$|-[a-z0-9]{8,}$/, ''))).toEqual(
      prefixes,
    );
    expect(items.every((item) => item.kind === name && item.apiVersion === apiVersion)).toBe(true);
  });

  test('metadata only where that is enough, protobuf first', async () => {
    const accept = (path: string) => mesh.requests.find((request) => request.path === path)?.accept ?? '';
    await cluster.list('pods');
    expect(accept('/apis/apps/v1/replicasets')).toMatch(
      /^application\/vnd\.kubernetes\.protobuf;as=PartialObjectMetadataList;g=meta\.k8s\.io;v=v1,/,
    );
    expect(accept(PODS)).toBe('application/vnd.kubernetes.protobuf, application/json;q=0.5');
  });

  test('of one namespace, and by label', async () => {
    expect(
      (await cluster.list('pods', { namespace: 'shop' })).every((pod) => pod.metadata.namespace === 'shop'),
    ).toBe(true);
    expect(await cluster.list('pods', { labelSelector: 'app=ztunnel' })).toHaveLength(2);
  });
});

/** A server of list pages in JSON: `answers` are given in turn, each request's path is kept. */
function pages(answers: readonly { status?: number; body?: object; retryAfter?: string }[]) {
  const paths: string[] = [];
  const fetch: Fetch = async (path) => {
    const { status = 200, body = {}, retryAfter } = answers[paths.length] ?? { status: 500 };
    paths.push(path);
    const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) };
    return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  };
  return { paths, list: () => listObjects(fetch, 'https://kube', KINDS.pods, {}) };
}

const page = (name: string, token = '') => ({
  body: { apiVersion: 'v1', kind: 'PodList', metadata: { continue: token }, items: [{ metadata: { name } }] },
});

describe('pages', () => {
  test('are asked for until there is no continue token', async () => {
    const { paths, list } = pages([page('a', 'x/+='), page('b', 'y'), page('c')]);
    expect((await list()).map((pod) => pod.metadata.name)).toEqual(['a', 'b', 'c']);
    expect(paths).toEqual([
      '/api/v1/pods?limit=500',
      '/api/v1/pods?limit=500&continue=x%2F%2B%3D',
      '/api/v1/pods?limit=500&continue=y',
    ]);
  });

  test('that expire are read again from the start, at last all at once, and never for ever', async () => {
    const gone = { status: 410, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410 } };
    const twice = pages([page('a', 'x'), gone, page('a', 'x'), gone, page('a')]);
    expect(await twice.list()).toHaveLength(1);
    expect(twice.paths.at(-1)).toBe('/api/v1/pods');
    const always = pages([gone, gone, gone, gone, gone, gone]);
    const error = await told(always.list());
    expect(error.message).toBe(
      'the API server https://kube let the list of pods expire 3 times while it was read',
    );
    expect(always.paths).toHaveLength(3);
  });

  test('that never end are given up', async () => {
    const endless = pages(Array.from({ length: 3000 }, () => page('a', 'again')));
    expect((await told(endless.list())).message).toContain('without end');
  });
});

describe('a busy server', () => {
  test('is asked again when it says so', async () => {
    const busy = pages([{ status: 429, retryAfter: '0' }, { status: 503, retryAfter: '0' }, page('a')]);
    expect(await busy.list()).toHaveLength(1);
  });

  test('is not asked for ever, nor without being told to', async () => {
    const busy = pages(Array.from({ length: 9 }, () => ({ status: 429, retryAfter: '0' })));
    expect((await told(busy.list())).hint).toContain('overloaded');
    expect(busy.paths).toHaveLength(5);
    const broken = pages([{ status: 503 }, page('a')]);
    expect((await told(broken.list())).message).toContain('HTTP status 503');
  });
});

describe('what goes wrong is told in one sentence with a next step', () => {
  test.each<[Misbehaviour, string, string]>([
    [{ how: 'refuse', status: 401, message: 'Unauthorized' }, 'credentials: Unauthorized', 'Sign in'],
    [
      { how: 'refuse', status: 403, message: 'no pods for you' },
      'no pods for you',
      '"list" on "pods" in all namespaces',
    ],
    [{ how: 'refuse', status: 404, message: 'not found here' }, 'not found here', 'server'],
    [{ how: 'refuse', status: 500, message: 'etcd is down' }, 'etcd is down', 'readyz'],
    [{ how: 'refuse', status: 502, message: 'bad gateway\nmore', plain: true }, 'bad gateway', 'readyz'],
    [
      { how: 'reply', contentType: 'text/html', body: '<html>Login</html>' },
      'not as a Kubernetes API server',
      'login page',
    ],
    [{ how: 'reply', status: 503, contentType: 'text/html', body: '<html>' }, 'HTTP status 503', 'proxy'],
    [{ how: 'reply', body: 'garbage' }, "list of pods that can't be read", 'proxy'],
    [{ how: 'reply', contentType: 'application/json', body: '{"kind":"Pod' }, "can't be read", 'proxy'],
    [
      {
        how: 'reply',
        contentType: 'application/json',
        body: '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}',
      },
      'not as a Kubernetes API server',
      'login page',
    ],
    [
      { how: 'cut', after: 10, contentLength: true },
      'closed the connection before its answer was whole',
      'reach',
    ],
    [{ how: 'reset' }, 'closed the connection without an answer', 'reach'],
  ])('%j', async (what, message, hint) => {
    mesh.misbehave(PODS, what);
    const error = await told(cluster.list('pods'));
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(isOneSentence(error)).toBe(true);
  });

  test.each(['protobuf', 'json'])(
    'a refusal in %s names the user, the right and the role',
    async (encoding) => {
      const json = encoding === 'json';
      const poor = await startMesh(await smallScenario(), { rules: [] });
      if (json) {
        const body = JSON.stringify({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          message: 'mesh-user cannot list',
          code: 403,
        });
        poor.misbehave('/apis/apps/v1/replicasets', {
          how: 'reply',
          status: 403,
          contentType: 'application/json',
          body,
        });
      }
      const asked = await connectTo(poor.kubeconfig);
      const refusal = await asked.list('replicasets').catch((thrown: unknown) => thrown);
      expect(refusal).toBeInstanceOf(ForbiddenError);
      const { message, hint, clusterRole } = refusal as ForbiddenError;
      expect(message).toContain('mesh-user');
      expect(hint).toContain('"list" on "replicasets.apps" in all namespaces');
      expect(clusterRole).toContain('kind: ClusterRole');
      await asked.close();
      await poor.close();
    },
  );

  test.each<[Misbehaviour, string]>([
    [{ how: 'hang', at: 'handshake' }, 'did not answer within 0.3 s'],
    [{ how: 'hang', at: 'body' }, 'did not finish its answer within 0.3 s'],
  ])('%j', async (what, message) => {
    mesh.misbehave(PODS, what);
    const hasty = await connectTo(mesh.kubeconfig, { requestTimeoutMs: 300 });
    expect((await told(hasty.list('pods'))).message).toContain(message);
    await hasty.close();
  });

  test('a server that never finishes the TLS handshake', async () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket.on('error', () => {}).resume()));
    const server = `https://127.0.0.1:${await listen(silent)}`;
    const hasty = await connectTo(kubeconfigOf({ server }), { connectTimeoutMs: 200 });
    expect((await told(hasty.list('pods'))).message).toBe(
      `the API server ${server} did not accept a connection within 0.2 s`,
    );
    for (const socket of sockets) socket.destroy();
    await Promise.all([hasty.close(), new Promise((done) => silent.close(done))]);
  });

  test('an abort is passed on as it is', async () => {
    mesh.misbehave(PODS, { how: 'hang', at: 'body' });
    const controller = new AbortController();
    const listing = cluster.list('pods', { signal: controller.signal });
    controller.abort(new Error('interrupted'));
    await expect(listing).rejects.toThrow('interrupted');
  });

  test('no API server there at all', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const nobody = await connectTo(kubeconfigOf({ server: `http://127.0.0.1:${port}` }));
    expect(await told(nobody.list('pods'))).toEqual({
      name: 'UserError',
      message: `the API server http://127.0.0.1:${port} refused the connection`,
      hint: 'Check that the cluster is up and that this machine can reach it (VPN, proxy, firewall).',
    });
  });

  test('an authority that the kubeconfig does not trust', async () => {
    const distrustful = await connectTo(kubeconfigOf({ server: mesh.url }));
    const error = await told(distrustful.list('pods'));
    expect(error.message).toMatch(/has a (self-signed )?certificate .*the kubeconfig does not trust$/);
    expect(error.hint).toContain('certificate-authority-data');
    await distrustful.close();
  });

  test('a server that speaks no TLS, and one that speaks no HTTP', async () => {
    const ssh = createTcpServer((socket) => {
      socket.on('error', () => {}).resume();
      socket.end('SSH-2.0-OpenSSH\r\n');
    });
    const plain = createServer((_request, response) => response.end('hello'));
    const [portOfPlain, portOfSsh] = [await listen(plain), await listen(ssh)];
    const wrong = await connectTo(kubeconfigOf({ server: `https://127.0.0.1:${portOfPlain}` }));
    expect((await told(wrong.list('pods'))).message).toContain('does not speak TLS');
    const alien = await connectTo(kubeconfigOf({ server: `http://127.0.0.1:${portOfSsh}` }));
    expect((await told(alien.list('pods'))).message).toContain('does not speak HTTP');
    await Promise.all([wrong.close(), alien.close()]);
    plain.closeAllConnections();
    await Promise.all([new Promise((done) => plain.close(done)), new Promise((done) => ssh.close(done))]);
  });
});

describe('reference time', () => {
  test('is the first answer’s Date, kept, with a word on a local clock that is off', async () => {
    const asked = await connectTo(mesh.kubeconfig, { clock: () => new Date('2026-11-29T22:05:00Z') });
    expect(await asked.reference()).toEqual({ time: new Date('2026-11-29T22:00:00Z'), source: 'api-server' });
    await asked.list('pods');
    expect(asked.warnings()).toEqual([
      "The local clock is 5 min ahead of the API server's; certificates are judged by the API server's.",
    ]);
    await asked.close();
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
