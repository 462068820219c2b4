// What becomes of each field: which are left out when empty, how times and large numbers are written.
import { describe, expect, test } from '@jest/globals';
import { decodeKube } from '../../src/decode/kube/object.ts';
import { envelope, type WireMessage } from './protobufwriter.ts';

const META = { metadata: { name: 'x' } };

function fromProtobuf(apiVersion: string, kind: string, fields: WireMessage): unknown {
  const document = decodeKube(envelope(apiVersion, kind, fields), undefined);
  return document.type === 'object' ? document.object : document;
}

function fromJson(apiVersion: string, kind: string, json: object): unknown {
  const document = decodeKube(Buffer.from(JSON.stringify({ apiVersion, kind, ...json })), undefined);
  return document.type === 'object' ? document.object : document;
}

interface Case {
  readonly title: string;
  readonly type: readonly [string, string];
  readonly wire: WireMessage;
  /** As the API server would send it; the same must come of both. */
  readonly json: object;
}

const LEASE = ['coordination.k8s.io/v1', 'Lease'] as const;
const STATEFUL_SET = ['apps/v1', 'StatefulSet'] as const;
const POD = ['v1', 'Pod'] as const;

const CASES: readonly Case[] = [
  { title: 'text that is empty is left out', type: LEASE, wire: { 1: { 1: 'x', 2: '', 3: '' } }, json: META },
  {
    title: 'a pointer is shown even if empty',
    type: LEASE,
    wire: { 1: { 1: 'x' }, 2: { 1: '', 2: 0 } },
    json: { ...META, spec: { holderIdentity: '', leaseDurationSeconds: 0 } },
  },
  {
    title: 'a message is shown even if empty',
    type: LEASE,
    wire: { 1: { 1: 'x' }, 2: {} },
    json: { ...META, spec: {} },
  },
  { title: 'a message that is not there is not shown', type: LEASE, wire: { 1: { 1: 'x' } }, json: META },
  {
    title: 'a field without omitempty is shown although it is not there',
    type: STATEFUL_SET,
    wire: { 1: { 1: 'x' }, 3: {} },
    json: { ...META, status: { replicas: 0, availableReplicas: 0 } },
  },
  {
    title: 'a container status has all its fields',
    type: POD,
    wire: { 1: { 1: 'x' }, 3: { 8: {} } },
    json: {
      ...META,
      status: { containerStatuses: [{ name: '', ready: false, restartCount: 0, image: '' }] },
    },
  },
  {
    title: 'false is left out',
    type: POD,
    wire: { 1: { 1: 'x' }, 2: { 11: 0 } },
    json: { ...META, spec: {} },
  },
  {
    title: 'true is shown',
    type: POD,
    wire: { 1: { 1: 'x' }, 2: { 11: 1 } },
    json: { ...META, spec: { hostNetwork: true } },
  },
  {
    title: 'an owner that is not the controller',
    type: POD,
    wire: { 1: { 1: 'x', 13: { 1: 'Job', 6: 0 } } },
    json: {
      metadata: {
        name: 'x',
        ownerReferences: [{ apiVersion: '', kind: 'Job', name: '', uid: '', controller: false }],
      },
    },
  },
  { title: 'a zero time is left out', type: LEASE, wire: { 1: { 1: 'x', 8: {} } }, json: META },
  {
    title: 'the first second of 1970 is a time',
    type: LEASE,
    wire: { 1: { 1: 'x', 8: { 1: 0 } } },
    json: { metadata: { name: 'x', creationTimestamp: '1970-01-01T00:00:00Z' } },
  },
  {
    title: 'a time before 1970',
    type: LEASE,
    wire: { 1: { 1: 'x', 8: { 1: -1 } } },
    json: { metadata: { name: 'x', creationTimestamp: '1969-12-31T23:59:59Z' } },
  },
  {
    title: 'the last second that RFC 3339 has',
    type: LEASE,
    wire: { 1: { 1: 'x', 8: { 1: 253402300799 } } },
    json: { metadata: { name: 'x', creationTimestamp: '9999-12-31T23:59:59Z' } },
  },
  {
    title: 'a Time has whole seconds',
    type: LEASE,
    wire: { 1: { 1: 'x', 8: { 1: 1, 2: 999999999 } } },
    json: { metadata: { name: 'x', creationTimestamp: '1970-01-01T00:00:01Z' } },
  },
  {
    title: 'a MicroTime has six decimals, cut',
    type: LEASE,
    wire: { 1: { 1: 'x' }, 2: { 4: { 1: 1, 2: 5999 } } },
    json: { ...META, spec: { renewTime: '1970-01-01T00:00:01.000005Z' } },
  },
  {
    title: 'a MicroTime has six decimals, zero too',
    type: LEASE,
    wire: { 1: { 1: 'x' }, 2: { 4: { 1: 1 } } },
    json: { ...META, spec: { renewTime: '1970-01-01T00:00:01.000000Z' } },
  },
  {
    title: 'a negative int32',
    type: LEASE,
    wire: { 1: { 1: 'x' }, 2: { 5: -7 } },
    json: { ...META, spec: { leaseTransitions: -7 } },
  },
  {
    title: '2^53 - 1 is a number',
    type: LEASE,
    wire: { 1: { 1: 'x', 7: 2n ** 53n - 1n } },
    json: { metadata: { name: 'x', generation: 2 ** 53 - 1 } },
  },
  {
    title: 'a negative int64',
    type: LEASE,
    wire: { 1: { 1: 'x', 7: -3 } },
    json: { metadata: { name: 'x', generation: -3 } },
  },
  {
    title: 'the first ordinal is shown',
    type: STATEFUL_SET,
    wire: { 1: { 1: 'x' }, 2: { 11: {} } },
    json: { ...META, spec: { ordinals: { start: 0 }, serviceName: '' } },
  },
  {
    title: 'lists keep their order',
    type: LEASE,
    wire: { 1: { 1: 'x', 14: ['b', 'a', 'b'] } },
    json: { metadata: { name: 'x', finalizers: ['b', 'a', 'b'] } },
  },
  {
    title: 'a map with an empty key and an empty value',
    type: POD,
    wire: { 1: { 1: 'x', 11: [{ 1: 'a' }, { 2: 'b' }] } },
    json: { metadata: { name: 'x', labels: { a: '', '': 'b' } } },
  },
  {
    title: 'text beyond ASCII',
    type: POD,
    wire: { 1: { 1: 'x', 12: { 1: 'note', 2: 'Grüße 🚀' } } },
    json: { metadata: { name: 'x', annotations: { note: 'Grüße 🚀' } } },
  },
  {
    title: 'a Lease from before Kubernetes 1.22',
    type: ['coordination.k8s.io/v1beta1', 'Lease'],
    wire: { 1: { 1: 'x' }, 2: { 1: 'node-a' } },
    json: { ...META, spec: { holderIdentity: 'node-a' } },
  },
  {
    title: 'unknown fields are skipped',
    type: POD,
    wire: { 1: { 1: 'x' }, 99: 'x', 98: 7, 3: { 1: 'Running', 77: {} } },
    json: { ...META, status: { phase: 'Running' }, more: { fields: [] } },
  },
];

describe('both encodings', () => {
  test.each(CASES)('$title', ({ type: [apiVersion, kind], wire, json }) => {
    const { more, ...expected } = json as Record<string, unknown>;
    expect(fromProtobuf(apiVersion, kind, wire)).toStrictEqual({ apiVersion, kind, ...expected });
    expect(fromJson(apiVersion, kind, json)).toStrictEqual({ apiVersion, kind, ...expected });
  });

  test('numbers beyond 2^53 are exact, as text', () => {
    const text =
      '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","generation":9223372036854775807}}';
    const expected = {
      apiVersion: LEASE[0],
      kind: LEASE[1],
      metadata: { name: 'x', generation: '9223372036854775807' },
    };
    expect(fromProtobuf(...LEASE, { 1: { 1: 'x', 7: 2n ** 63n - 1n } })).toStrictEqual(expected);
    expect(decodeKube(Buffer.from(text), undefined)).toStrictEqual({ type: 'object', object: expected });
    expect(fromProtobuf(...LEASE, { 1: { 1: 'x', 7: -(2n ** 63n) } })).toHaveProperty(
      'metadata.generation',
      '-9223372036854775808',
    );
  });

  test('keys of maps are data', () => {
    const text =
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","labels":{"__proto__":"p","constructor":"c"}}}';
    const entries = [
      { 1: '__proto__', 2: 'p' },
      { 1: 'constructor', 2: 'c' },
    ];
    const document = decodeKube(Buffer.from(text), undefined);
    const objects = [
      fromProtobuf(...POD, { 1: { 1: 'x', 11: entries } }),
      document.type === 'object' && document.object,
    ];
    for (const object of objects) {
      const { labels } = (object as { metadata: { labels: object } }).metadata;
      expect(Object.entries(labels)).toEqual([
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ]);
      expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
    }
    expect(Object.hasOwn(Object.prototype, 'p')).toBe(false);
  });
});

describe('JSON that a person wrote', () => {
  test.each([
    ['an offset', '2026-01-01T01:30:00+02:00', '2025-12-31T23:30:00Z'],
    ['a fraction', '2026-01-01T00:00:00.9Z', '2026-01-01T00:00:00Z'],
  ])('a time with %s is given in UTC and whole seconds', (_title, written, expected) => {
    expect(fromJson(...LEASE, { metadata: { name: 'x', creationTimestamp: written } })).toHaveProperty(
      'metadata.creationTimestamp',
      expected,
    );
  });

  test('a MicroTime gets its six decimals', () => {
    expect(fromJson(...LEASE, { ...META, spec: { renewTime: '2026-01-01T00:00:00Z' } })).toHaveProperty(
      'spec.renewTime',
      '2026-01-01T00:00:00.000000Z',
    );
  });

  test('empty values are left out as the API server does', () => {
    const spec = { hostNetwork: false, nodeName: '' };
    const metadata = { name: 'x', labels: {}, ownerReferences: [], creationTimestamp: null };
    expect(fromJson(...POD, { metadata, spec, status: null })).toStrictEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      ...META,
      spec: {},
    });
  });
});

describe('Status', () => {
  const wire: WireMessage = {
    1: { 1: '', 2: '' },
    2: 'Failure',
    3: 'leases.coordination.k8s.io "a" not found',
    4: 'NotFound',
    5: {
      1: 'a',
      2: 'coordination.k8s.io',
      3: 'leases',
      4: { 1: 'FieldValueInvalid', 2: 'bad', 3: 'spec.x' },
      5: 3,
    },
    6: 404,
  };
  const details = {
    name: 'a',
    group: 'coordination.k8s.io',
    kind: 'leases',
    causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x' }],
    retryAfterSeconds: 3,
  };
  const text = {
    status: 'Failure',
    message: 'leases.coordination.k8s.io "a" not found',
    reason: 'NotFound',
    code: 404,
  };
  const expected = { type: 'status', status: { ...text, details } };

  test('is the same in both encodings', () => {
    expect(fromProtobuf('v1', 'Status', wire)).toStrictEqual(expected);
    expect(fromJson('v1', 'Status', { metadata: {}, ...text, details })).toStrictEqual(expected);
  });

  test('says nothing where the server says nothing', () => {
    const status = { status: 'Success', message: '', reason: '', code: 0, details: undefined };
    expect(fromProtobuf('v1', 'Status', { 2: 'Success' })).toStrictEqual({ type: 'status', status });
    expect(fromJson('v1', 'Status', { status: 'Success' })).toStrictEqual({ type: 'status', status });
  });
});

describe('pages', () => {
  test.each([
    ['protobuf', envelope('v1', 'PodList', { 1: { 2: '7', 3: 'next', 4: 12 }, 2: { 1: { 1: 'x' } } })],
    [
      'JSON',
      Buffer.from(
        JSON.stringify({
          kind: 'PodList',
          apiVersion: 'v1',
          metadata: { resourceVersion: '7', continue: 'next', remainingItemCount: 12 },
          items: [META],
        }),
      ),
    ],
  ])('a list says where it goes on, in %s', (_encoding, bytes) => {
    expect(decodeKube(bytes, undefined)).toStrictEqual({
      type: 'list',
      apiVersion: 'v1',
      kind: 'PodList',
      items: [{ apiVersion: 'v1', kind: 'Pod', ...META }],
      continueToken: 'next',
      remainingItemCount: 12,
      resourceVersion: '7',
    });
  });

  test.each([
    ['protobuf', envelope('v1', 'PodList', { 1: {} })],
    ['JSON', Buffer.from('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}')],
  ])('the last page has no token, and a list may be empty, in %s', (_encoding, bytes) => {
    expect(decodeKube(bytes, undefined)).toMatchObject({
      items: [],
      continueToken: '',
      remainingItemCount: undefined,
      resourceVersion: '',
    });
  });
});
