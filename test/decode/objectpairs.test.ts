// The same object of a real API server in JSON and in protobuf is the same object.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { decodeKube, decodeResources } from '../../src/decode/kube/object.ts';
import { SCHEME } from '../../src/decode/kube/scheme.ts';

const FOLDER = join(import.meta.dirname, '..', 'testdata', 'kubernetes');
const read = (name: string): Buffer => readFileSync(join(FOLDER, name));
const parse = (name: string) => JSON.parse(read(name).toString());
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.pb'))
  .map((name) => name.slice(0, -'.pb'.length))
  .sort();
/** Of a kind that is not read. */
const UNREAD = ['nodes'];

/** Everything `cut` shows must be in `whole`, and lists must have all their items. */
function expectCutOf(cut: unknown, whole: unknown): void {
  if (Array.isArray(cut)) {
    expect(whole).toHaveLength(cut.length);
    cut.forEach((each, index) => {
      expectCutOf(each, (whole as unknown[])[index]);
    });
  } else if (typeof cut === 'object' && cut !== null) {
    for (const [key, value] of Object.entries(cut))
      expectCutOf(value, (whole as Record<string, unknown>)[key]);
  } else expect(whole).toBe(cut);
}

/** A list's items as they would be on their own: their type first. */
function typedItems(name: string) {
  const list = parse(name);
  const type = { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, '') };
  return list.items.map((item: object) => ({ ...type, ...item }));
}

describe.each(NAMES.filter((name) => !UNREAD.includes(name)))('%s', (name) => {
  const fromProtobuf = decodeKube(read(`${name}.pb`), 'application/vnd.kubernetes.protobuf');
  const fromJson = decodeKube(read(`${name}.json`), 'application/json');

  test('is the same in both encodings', () => {
    expect(fromProtobuf).toStrictEqual(fromJson);
  });

  test('holds what the API server sent, and all of its items', () => {
    const json = parse(`${name}.json`);
    if (fromProtobuf.type === 'list') expectCutOf(fromProtobuf.items, typedItems(`${name}.json`));
    else expectCutOf(fromProtobuf.type === 'object' && fromProtobuf.object, json);
    expect(json.items?.length ?? 1).toBe(fromProtobuf.type === 'list' ? fromProtobuf.items.length : 1);
  });

  test('is known by its bytes alone', () => {
    expect(decodeKube(read(`${name}.pb`), undefined)).toStrictEqual(fromProtobuf);
    expect(decodeKube(read(`${name}.json`), undefined)).toStrictEqual(fromJson);
  });
});

describe('nothing is cut from', () => {
  test.each(['cart-leader-lease', 'node-a-lease'])('%s', (name) => {
    const document = decodeKube(read(`${name}.pb`), undefined);
    expect(document).toStrictEqual({ type: 'object', object: parse(`${name}.json`) });
  });

  test.each(['all-leases', 'shop-leases'])('%s', (name) => {
    const document = decodeKube(read(`${name}.pb`), undefined);
    expect(document.type === 'list' && document.items).toStrictEqual(typedItems(`${name}.json`));
  });
});

test('a Lease as etcd stores it is the API server’s without its resource version', () => {
  const { resourceVersion, ...metadata } = parse('cart-leader-lease.json').metadata;
  expect(resourceVersion).toBe('289');
  const object = { ...parse('cart-leader-lease.json'), metadata };
  expect(decodeKube(read('cart-leader-lease.etcd.bin'), undefined)).toStrictEqual({ type: 'object', object });
});

test('items of a metadata-only list have their own type in JSON, and the same from protobuf', () => {
  const document = decodeKube(read('shop-replicasets.partial.pb'), undefined);
  expect(
    document.type === 'list' && document.items.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
  ).toEqual(Array.from({ length: 8 }, () => 'meta.k8s.io/v1 PartialObjectMetadata'));
});

test('a pod is cut to what the program reads of it', () => {
  const document = decodeKube(read('data-pods.pb'), undefined);
  expect(document.type === 'list' && document.items[0]).toStrictEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'legacy-7c9d8f6b5-fffff',
      namespace: 'data',
      uid: '0859a53c-1bf9-47c2-b4d1-4ddd90c81511',
      creationTimestamp: '2026-11-29T22:21:43Z',
      labels: { app: 'legacy' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'legacy-7c9d8f6b5',
          uid: '9ee69bac-1130-4074-8c66-3ae1bce71833',
          controller: true,
        },
      ],
    },
    spec: { serviceAccountName: 'legacy', nodeName: 'node-a' },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      podIPs: [{ ip: '10.1.0.21' }],
      containerStatuses: [{ name: 'c', ready: true, restartCount: 0, image: 'example.com/c:1' }],
    },
  });
});

test.each(['nodes.pb', 'nodes.json'])('%s is of a kind that is not read', (name) => {
  expect(() => decodeKube(read(name), undefined)).toThrow('objects of kind "Node" in "v1" are not read here');
  expect(decodeResources(read(name))).toEqual({ objects: [], skipped: ['v1/Node'] });
});

test('every kind of the scheme has a pair', () => {
  const shown = NAMES.map((name) => parse(`${name}.json`)).map(
    ({ apiVersion, kind }) => `${apiVersion} ${kind}`,
  );
  // v1beta1 Leases are only in etcd data from before Kubernetes 1.22; objectfields.test.ts writes one.
  // Custom resources exist as JSON only.
  const missing = SCHEME.filter(({ apiVersion }) => apiVersion !== 'coordination.k8s.io/v1beta1')
    .filter(({ apiVersion }) => !apiVersion.startsWith('networking.istio.io/'))
    .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)
    .filter((type) => !shown.includes(type) && !shown.includes(`${type}List`));
  expect(missing).toEqual([]);
});
