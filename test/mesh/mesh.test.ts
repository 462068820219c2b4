// The embedded API server answers as a real one does: lists, pages, encodings, refusals.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { temporaryDirectory } from '../temporary.ts';
import { get, getJson, PROTOBUF } from './client.ts';
import { type Mesh, startMesh } from './mesh.ts';
import { encodeObject } from './protobuf.ts';
import { type Scenario, scenario } from './scenario.ts';
import { daemonSet, deployment, job, lease, statefulSet } from './workloads.ts';

const AT = '2026-11-29T22:03:42Z';
const METADATA = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const READER = { name: 'reader', rules: [{ verbs: ['list'], resources: ['pods'], namespaces: ['shop'] }] };

const folder = temporaryDirectory();
let objects: Scenario;
let mesh: Mesh;
beforeAll(async () => {
  objects = await scenario({
    at: AT,
    nodes: ['node-a', 'node-b'],
    workloads: [
      deployment('shop/web', { on: ['node-a', 'node-b'] }),
      statefulSet('shop/cart', { on: ['node-a'] }),
      daemonSet('infra/metrics', { on: ['node-a', 'node-b'], hostNetwork: true }),
      job('shop/checkout-1', { on: ['node-b'], cronJob: 'checkout' }),
      lease('shop/cart-leader', { holder: 'cart-0' }),
    ],
  });
  mesh = await startMesh(objects, { users: { 'reader-token': READER } });
});
afterAll(() => mesh.close());

const names = (list: { items: { metadata: { name: string } }[] }) =>
  list.items.map((item) => item.metadata.name);

describe('lists', () => {
  test.each([
    ['/api/v1/nodes', 'NodeList', 2],
    ['/api/v1/pods', 'PodList', 8],
    ['/api/v1/namespaces/shop/pods', 'PodList', 4],
    ['/apis/apps/v1/replicasets', 'ReplicaSetList', 1],
    ['/apis/apps/v1/namespaces/shop/statefulsets', 'StatefulSetList', 1],
    ['/apis/batch/v1/jobs', 'JobList', 1],
    ['/apis/coordination.k8s.io/v1/leases', 'LeaseList', 3],
    ['/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', 'LeaseList', 2],
  ])('%s: the same objects in JSON and in protobuf', async (path, kind, count) => {
    const { body } = await getJson(mesh, path, { accept: 'application/json' });
    expect(body).toMatchObject({ kind, metadata: { resourceVersion: expect.any(String) } });
    expect(body.items).toHaveLength(count);
    expect(body.items[0].kind).toBeUndefined();
    const encoded = await get(mesh, path, { accept: PROTOBUF });
    expect(encoded.headers['content-type']).toBe(PROTOBUF);
    expect(encoded.body.equals(encodeObject(body))).toBe(true);
  });

  test('metadata only, in both encodings', async () => {
    const path = '/apis/apps/v1/replicasets';
    const { body } = await getJson(mesh, path, { accept: `application/json;${METADATA}` });
    expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(Object.keys(body.items[0]).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(body.items[0].metadata.ownerReferences[0]).toMatchObject({ kind: 'Deployment', name: 'web' });
    const encoded = await get(mesh, path, { accept: `${PROTOBUF};${METADATA}` });
    expect(encoded.body.equals(encodeObject(body))).toBe(true);
  });

  test('are in the order of namespace and name', async () => {
    const { body } = await getJson(mesh, '/api/v1/pods');
    const keys = body.items.map((item: never) => {
      const { namespace, name } = (item as { metadata: { namespace: string; name: string } }).metadata;
      return `${namespace}/${name}`;
    });
    expect(keys).toEqual([...keys].sort());
  });

  test('come in pages that add up to the whole', async () => {
    const all = await getJson(mesh, '/api/v1/pods');
    const seen: string[] = [];
    let query = 'limit=3';
    const remaining: unknown[] = [];
    for (;;) {
      const { body } = await getJson(mesh, `/api/v1/pods?${query}`);
      seen.push(...names(body));
      remaining.push(body.metadata.remainingItemCount);
      if (!body.metadata.continue) break;
      query = `limit=3&continue=${body.metadata.continue}`;
    }
    expect(seen).toEqual(names(all.body));
    expect(remaining).toEqual([5, 2, undefined]);
  });

  test('an old continue token is 410 Expired as often as asked for', async () => {
    mesh.misbehave('/api/v1/pods', { how: 'expire-continue', times: 1 });
    const { body } = await getJson(mesh, '/api/v1/pods?limit=3');
    const next = `/api/v1/pods?limit=3&continue=${body.metadata.continue}`;
    expect(await getJson(mesh, next)).toMatchObject({
      status: 410,
      body: { kind: 'Status', reason: 'Expired', code: 410, metadata: { continue: body.metadata.continue } },
    });
    expect((await getJson(mesh, next)).status).toBe(200);
  });

  test.each([
    ['labelSelector=app%3Dztunnel', 2],
    ['labelSelector=app%20notin%20(ztunnel,web)', 4],
    ['fieldSelector=spec.nodeName%3Dnode-b', 4],
    ['labelSelector=app%3Dztunnel&fieldSelector=spec.nodeName%3Dnode-b', 1],
  ])('%s selects', async (query, count) => {
    expect((await getJson(mesh, `/api/v1/pods?${query}`)).body.items).toHaveLength(count);
  });

  test('large ones are compressed for clients that take gzip, and only for them', async () => {
    const pods = Array.from({ length: 400 }, (_, index) => ({
      ...objects.pods[0]!,
      metadata: { ...objects.pods[0]!.metadata, name: `pod-${index}` },
    }));
    const large = await startMesh({ ...objects, pods });
    const plain = await get(large, '/api/v1/pods');
    const zipped = await get(large, '/api/v1/pods', { 'accept-encoding': 'gzip' });
    await large.close();
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  });
});

describe('single objects', () => {
  test('carry their kind and version', async () => {
    expect((await getJson(mesh, '/apis/apps/v1/namespaces/shop/statefulsets/cart')).body).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'cart' },
    });
  });

  test('that are absent are 404', async () => {
    expect(await getJson(mesh, '/api/v1/namespaces/shop/pods/nope')).toMatchObject({
      status: 404,
      body: { message: 'pods "nope" not found', reason: 'NotFound', details: { name: 'nope', kind: 'pods' } },
    });
  });
});

describe('refusals', () => {
  const reader = { authorization: 'Bearer reader-token' };
  test.each([
    ['an unknown token', '/api/v1/pods', { authorization: 'Bearer x' }, 401, 'Unauthorized'],
    [
      'no right to all namespaces',
      '/api/v1/pods',
      reader,
      403,
      'pods is forbidden: User "reader" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'a right in another namespace only',
      '/api/v1/namespaces/infra/pods',
      reader,
      403,
      'pods is forbidden: User "reader" cannot list resource "pods" in API group "" in the namespace "infra"',
    ],
    [
      'no right to another kind in a namespace',
      '/apis/apps/v1/namespaces/shop/replicasets',
      reader,
      403,
      'replicasets is forbidden: User "reader" cannot list resource "replicasets" in API group "apps" in the namespace "shop"',
    ],
    [
      'no right to one object',
      '/api/v1/namespaces/shop/pods/cart-0',
      reader,
      403,
      'pods "cart-0" is forbidden: User "reader" cannot get resource "pods" in API group "" in the namespace "shop"',
    ],
    [
      'an unknown kind',
      '/apis/example.com/v1/things',
      {},
      404,
      'the server could not find the requested resource',
    ],
    [
      'a wrong selector',
      '/api/v1/pods?labelSelector=a%20in%20b',
      {},
      400,
      'unable to parse requirement: a in b',
    ],
  ])('%s', async (_what, path, headers, status, message) => {
    const json = await getJson(mesh, path, headers);
    expect(json).toMatchObject({
      status,
      body: { kind: 'Status', status: 'Failure', message, code: status },
    });
    const encoded = await get(mesh, path, { ...headers, accept: PROTOBUF });
    expect(encoded.headers['content-type']).toBe(PROTOBUF);
    expect(encoded.body.equals(encodeObject(json.body))).toBe(true);
  });

  test('a right to one namespace is a right there', async () => {
    expect((await getJson(mesh, '/api/v1/namespaces/shop/pods', reader)).status).toBe(200);
  });

  test('nothing that the client takes is 406', async () => {
    expect(await getJson(mesh, '/api/v1/pods', { accept: 'text/html' })).toMatchObject({
      status: 406,
      body: { reason: 'NotAcceptable' },
    });
  });

  test('a status on request, as often as asked for', async () => {
    mesh.misbehave('/api/v1/nodes', { how: 'refuse', status: 429, message: 'slow down', times: 1 });
    const answer = await get(mesh, '/api/v1/nodes');
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('1');
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      message: 'slow down',
      reason: 'TooManyRequests',
    });
    expect((await get(mesh, '/api/v1/nodes')).status).toBe(200);
  });
});

describe('misbehaviour of a path', () => {
  test('a body that ends too early', async () => {
    mesh.misbehave('/api/v1/nodes', { how: 'cut', after: 40, contentLength: true, times: 1 });
    expect(await get(mesh, '/api/v1/nodes')).toMatchObject({ status: 200, complete: false });
  });

  test('a connection that ends without a word', async () => {
    mesh.misbehave('/api/v1/nodes', { how: 'reset', times: 1 });
    await expect(get(mesh, '/api/v1/nodes')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('some other answer', async () => {
    mesh.misbehave('/api/v1/nodes', { how: 'reply', contentType: 'text/html', body: '<p>hello', times: 1 });
    const answer = await get(mesh, '/api/v1/nodes');
    expect([answer.headers['content-type'], answer.body.toString()]).toEqual(['text/html', '<p>hello']);
  });
});

describe('the server', () => {
  test('dates every answer by the scenario, and says which Kubernetes it is', async () => {
    const answer = await get(mesh, '/version');
    expect(answer.headers.date).toBe('Sun, 29 Nov 2026 22:03:42 GMT');
    expect(JSON.parse(answer.body.toString())).toMatchObject({ major: '1', minor: '35' });
    expect((await get(mesh, '/version', { authorization: 'x' })).headers.date).toBe(answer.headers.date);
  });

  test('can be ahead of the machine', async () => {
    const ahead = await startMesh({ ...objects, clock: { offsetSeconds: 3600 } });
    const before = Date.now();
    const { headers } = await get(ahead, '/version');
    await ahead.close();
    expect(new Date(String(headers.date)).getTime()).toBeGreaterThan(before + 3_598_000);
  });

  test('records what it was asked', async () => {
    const before = mesh.requests.length;
    await get(mesh, '/api/v1/namespaces/shop/pods/nope?pretty=1', { accept: 'application/json' });
    expect(mesh.requests.slice(before)).toEqual([
      {
        method: 'GET',
        path: '/api/v1/namespaces/shop/pods/nope',
        query: { pretty: '1' },
        accept: 'application/json',
        status: 404,
      },
    ]);
  });

  test('has a kubeconfig with authority, token and namespace', async () => {
    const text = readFileSync(mesh.writeKubeconfig(folder), 'utf8');
    expect(text).toBe(mesh.kubeconfig);
    expect(load(text)).toMatchObject({
      'current-context': 'mesh',
      clusters: [{ name: 'mesh', cluster: { server: mesh.url } }],
      users: [{ name: 'mesh', user: { token: 'mesh-token' } }],
      contexts: [{ name: 'mesh', context: { cluster: 'mesh', user: 'mesh', namespace: 'default' } }],
    });
    expect(mesh.kubeconfigFor('reader-token')).toBe(text.replace('mesh-token', 'reader-token'));
  });

  test('closes even while a client hangs', async () => {
    const other = await startMesh(objects);
    other.misbehave('/api/v1/pods', { how: 'hang', at: 'body' });
    const hanging = get(other, '/api/v1/pods').catch((error) => error);
    while (other.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    await other.close();
    await hanging;
  });
});
