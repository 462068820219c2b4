// Lists that are saved come back as they were, less what nobody reads.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { encodeKubeList } from '../../src/decode/kube/kubewrite.ts';
import { decodeKube } from '../../src/decode/kube/object.ts';
import type { KubeObject } from '../../src/model/kubernetes.ts';

const FOLDER = path.resolve(import.meta.dirname, '../testdata/kubernetes');
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

function itemsOf(bytes: Uint8Array): readonly KubeObject[] {
  const document = decodeKube(bytes, PROTOBUF);
  if (document.type !== 'list') throw new Error('no list');
  return document.items as readonly KubeObject[];
}

function roundTrip(apiVersion: string, kind: string, items: readonly KubeObject[]): readonly KubeObject[] {
  return itemsOf(encodeKubeList(apiVersion, kind, items));
}

/** What a saved object has of metadata. */
function keptMetadata({ metadata, ...rest }: KubeObject): object {
  const { name, namespace, uid, creationTimestamp, deletionTimestamp, labels, ownerReferences } = metadata;
  const redirection = metadata.annotations?.['ambient.istio.io/redirection'];
  const annotations = redirection === undefined ? undefined : { 'ambient.istio.io/redirection': redirection };
  const owners = ownerReferences?.map(({ apiVersion, kind, name: own, uid: ownUid, controller }) => ({
    apiVersion,
    kind,
    name: own,
    uid: ownUid,
    ...(controller !== undefined && { controller }),
  }));
  const kept = { name, namespace, uid, creationTimestamp, deletionTimestamp, labels, annotations };
  return { ...rest, metadata: { ...kept, ownerReferences: owners } };
}

describe.each([
  ['pods', 'v1', 'Pod'],
  ['replicasets', 'apps/v1', 'ReplicaSet'],
  ['jobs', 'batch/v1', 'Job'],
  ['statefulsets', 'apps/v1', 'StatefulSet'],
  ['leases', 'coordination.k8s.io/v1', 'Lease'],
])('the %s of a real API server', (plural, apiVersion, kind) => {
  const sent = itemsOf(readFileSync(path.join(FOLDER, `all-${plural}.pb`)));

  test('come back in their order with all that is read', () => {
    expect(sent.length).toBeGreaterThan(0);
    expect(roundTrip(apiVersion, kind, sent)).toEqual(sent.map(keptMetadata));
  });

  test('are the same when they are saved again', () => {
    const once = encodeKubeList(apiVersion, kind, sent);
    expect(encodeKubeList(apiVersion, kind, itemsOf(once))).toEqual(once);
  });
});

describe('of an object', () => {
  const pod = (more: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    ...more,
  });

  test('annotations that nobody reads and environment variables are left out', () => {
    const secret = pod({
      metadata: {
        name: 'a',
        annotations: {
          'ambient.istio.io/redirection': 'enabled',
          'kubectl.kubernetes.io/last-applied-configuration': '{"password":"hunter2"}',
        },
      },
      spec: { nodeName: 'n', containers: [{ env: [{ name: 'PASSWORD', value: 'hunter2' }] }] },
    });
    const bytes = Buffer.from(encodeKubeList('v1', 'Pod', [secret]));
    expect(bytes.includes('hunter2')).toBe(false);
    expect(bytes.includes('last-applied')).toBe(false);
    expect(itemsOf(bytes)).toEqual([
      pod({
        metadata: { name: 'a', annotations: { 'ambient.istio.io/redirection': 'enabled' } },
        spec: { nodeName: 'n' },
      }),
    ]);
  });

  test.each([
    ['a time before 1970', '1931-02-03T04:05:06Z'],
    ['a time beyond 2038', '2106-02-07T06:28:16Z'],
  ])('%s is kept', (_, creationTimestamp) => {
    const old = pod({ metadata: { name: 'a', creationTimestamp } });
    expect(roundTrip('v1', 'Pod', [old])).toEqual([old]);
  });

  test('microseconds, zeros that were sent, and labels in their order are kept', () => {
    const lease: KubeObject & { spec: object } = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a', labels: { z: '1', a: '', ['__proto__']: 'x' } },
      spec: { holderIdentity: '', leaseTransitions: 0, renewTime: '2026-11-29T22:03:42.123456Z' },
    };
    const [read] = roundTrip('coordination.k8s.io/v1', 'Lease', [lease]);
    expect(read).toEqual(lease);
    expect(Object.keys(read?.metadata.labels ?? {})).toEqual(['z', 'a', '__proto__']);
  });

  test('no object makes an empty list, and an unknown kind is a bug', () => {
    expect(roundTrip('v1', 'Pod', [])).toEqual([]);
    expect(() => encodeKubeList('v1', 'Secret', [])).toThrow('Secret');
  });
});
