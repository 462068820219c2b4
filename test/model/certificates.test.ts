// How entries, ztunnels and pods become rows of `certs`.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DumpCertificate } from '../../src/model/dump.ts';
import { good, HOUR, intermediateFor, later, leaf, leafOf, mid, root, roots } from './chains.ts';
import { judged } from './judged.ts';
import { createNumbered } from './unusual.ts';
import {
  answer,
  available,
  CART,
  controlledBy,
  dump,
  entry,
  file,
  forbidden,
  inventory,
  listed,
  object,
  pod,
  workload,
  ztunnel,
} from './values.ts';

const zt = ztunnel('ztunnel-a', 'node-a');

describe('owners', () => {
  const expired = { ...good, identity: CART };
  const at = later(48 * HOUR);
  const overdue = later(14 * HOUR);

  test.each([
    [
      'a pod that uses it',
      [pod({ owner: controlledBy('apps/v1 StatefulSet cart') })],
      'critical',
      ['StatefulSet/cart'],
    ],
    ['a pod without redirection', [pod({ annotations: {} })], 'information', ['Pod/cart-0']],
    ['a pod that is not Running yet', [pod({ status: { phase: 'Pending' } })], 'critical', ['Pod/cart-0']],
    [
      'a pod that is being deleted',
      [pod({ deletionTimestamp: '2026-06-01T00:00:00Z' })],
      'critical',
      ['Pod/cart-0'],
    ],
    ['a pod that has succeeded', [pod({ status: { phase: 'Succeeded' } })], 'information', []],
    ['a pod that has failed', [pod({ status: { phase: 'Failed' } })], 'information', []],
    ['a pod on the host network', [pod({ spec: { hostNetwork: true } })], 'information', []],
    ['a pod on another node', [pod({ spec: { nodeName: 'node-b' } })], 'information', []],
    ['a pod without a node', [pod({ spec: { nodeName: '' } })], 'information', []],
    ['a pod of another namespace', [pod({ namespace: 'data' })], 'information', []],
    ['a pod of another service account', [pod({ spec: { serviceAccountName: 'web' } })], 'information', []],
    ['no pod at all', [], 'information', []],
  ])('%s', (_name, pods, severity, owners) => {
    const known = inventory({ pods: listed(...pods) });
    const answers = [answer(zt, { certificates: [expired] })];
    const [item] = judged({ answers, inventory: known, reference: at, evaluateMissing: false });
    expect(item).toMatchObject({ status: 'EXPIRED', severity, owners: { known: true } });
    expect(item?.owners.known && item.owners.owners.map(({ kind, name }) => `${kind}/${name}`)).toEqual(
      owners,
    );
  });

  test('a service account that is not named is default', () => {
    const item = { ...good, identity: 'spiffe://cluster.local/ns/shop/sa/default' };
    const pods = listed(pod({ spec: { serviceAccountName: '' } }));
    const [row] = judged({
      answers: [answer(zt, { certificates: [item] })],
      inventory: inventory({ pods }),
      evaluateMissing: false,
    });
    expect(row?.owners).toMatchObject({ known: true, owners: [{ kind: 'Pod', pods: ['cart-0'] }] });
  });

  test('several owners, sorted by name, each with its pods', () => {
    const pods = listed(
      pod({ name: 'web-b', owner: controlledBy('apps/v1 ReplicaSet web-1') }),
      pod({ name: 'web-a', owner: controlledBy('apps/v1 ReplicaSet web-1') }),
      pod({ name: 'agent', owner: controlledBy('apps/v1 DaemonSet agent') }),
    );
    const replicaSets = listed(object('apps/v1 ReplicaSet web-1', controlledBy('apps/v1 Deployment web')));
    const [row] = judged({
      answers: [answer(zt, { certificates: [good] })],
      inventory: inventory({ pods, replicaSets }),
    });
    const none = { namespace: 'shop', ready: null, desired: null };
    expect(row?.owners).toEqual({
      known: true,
      owners: [
        { ...none, kind: 'DaemonSet', name: 'agent', pods: ['agent'] },
        { ...none, kind: 'Deployment', name: 'web', pods: ['web-a', 'web-b'] },
      ],
    });
  });

  test.each([
    ['not asked', inventory(), 'unknown'],
    ['failed', inventory({ pods: { known: false, why: 'failed' } }), 'unknown'],
    ['forbidden', inventory({ pods: forbidden }), 'forbidden'],
  ])('not known: %s; then the severity stays', (_name, known, why) => {
    const [item] = judged({
      answers: [answer(zt, { certificates: [good] })],
      inventory: known,
      reference: overdue,
    });
    expect(item).toMatchObject({
      status: 'RENEWAL-OVERDUE',
      severity: 'warning',
      owners: { known: false, why },
    });
  });

  test("nobody's good certificate stays ok", () => {
    const [item] = judged({
      answers: [answer(zt, { certificates: [good] })],
      inventory: inventory({ pods: listed() }),
    });
    expect(item).toMatchObject({ status: 'OK', severity: 'ok' });
  });
});

describe('from files', () => {
  const here = { node: 'node-a', certificates: [good] };
  const one = (workloads: Parameters<typeof workload>[0][], values = {}) =>
    judged({
      answers: [answer(file('a.json'), { ...here, workloads: workloads.map(workload) })],
      source: 'files',
      reference: later(48 * HOUR),
      evaluateMissing: false,
      ...values,
    })[0];

  test('the node is the one that the dump names, and its own pods stand in for owners', () => {
    expect(one([{}])).toMatchObject({
      node: 'node-a',
      ztunnel: { namespace: null, name: 'a.json', node: 'node-a' },
      severity: 'critical',
      owners: { known: true, owners: [{ kind: 'Pod', name: 'cart-0', namespace: 'shop', pods: ['cart-0'] }] },
    });
  });

  test.each([
    ['of another node', { node: 'node-b' }],
    ['on the host network', { networkMode: 'HostNetwork' }],
    ['of another service account', { serviceAccount: 'web' }],
    ['that is no pod', { uid: 'Kubernetes/networking.istio.io/WorkloadEntry/shop/vm' }],
  ])('a workload %s does not', (_name, values) => {
    expect(one([values])).toMatchObject({ severity: 'information', owners: { known: true, owners: [] } });
  });

  test("a ztunnel's pod from the resources names its node", () => {
    const answers = [answer(zt, { certificates: [good] })];
    expect(judged({ answers, source: 'files' })[0]).toMatchObject({
      node: 'node-a',
      ztunnel: { name: 'ztunnel-a' },
    });
  });

  test('a dump without readable workloads or without a node says nothing about owners', () => {
    const unread = answer(file('a.json'), { ...here, sections: new Set(['certificates', 'config']) });
    const nowhere = answer(file('b.json'), { certificates: [good] });
    for (const item of judged({ answers: [unread, nowhere], source: 'files' })) {
      expect(item.owners).toEqual({ known: false, why: 'unknown' });
    }
  });

  test('saved objects that hold no pod of a node leave it to the dump', () => {
    const pods = listed(pod({ name: 'other', spec: { nodeName: 'node-b' } }));
    expect(one([{}], { inventory: inventory({ pods }) })?.owners).toMatchObject({
      owners: [{ kind: 'Pod', name: 'cart-0' }],
    });
    const here = listed(pod({ name: 'other', spec: { serviceAccountName: 'web' } }));
    expect(one([{}], { inventory: inventory({ pods: here }) })?.owners).toMatchObject({ owners: [] });
  });

  test('two dumps of one node name a pod once', () => {
    const answers = ['a.json', 'b.json'].map((name) =>
      answer(file(name), { ...here, workloads: [workload()] }),
    );
    const items = judged({ answers, source: 'files' });
    expect(
      items.map(({ ztunnel, owners }) => [ztunnel?.name, owners.known && owners.owners[0]?.pods]),
    ).toEqual([
      ['a.json', ['cart-0']],
      ['b.json', ['cart-0']],
    ]);
  });
});

test("a ztunnel's pod knows its node better than its dump", () => {
  const answers = [answer(zt, { node: 'node-z', certificates: [good] })];
  expect(judged({ answers })[0]?.node).toBe('node-a');
});

test('two ztunnels on one node: a row each', () => {
  const newer = ztunnel('ztunnel-b', 'node-a');
  const answers = [
    answer(newer, { certificates: [good] }),
    answer(zt, { certificates: [entry({ state: 'Unavailable: x' })] }),
  ];
  expect(judged({ answers }).map(({ node, ztunnel, status }) => [status, node, ztunnel?.name])).toEqual([
    ['UNAVAILABLE', 'node-a', 'ztunnel-a'],
    ['OK', 'node-a', 'ztunnel-b'],
  ]);
});

test.each(['', 'cart', 'spiffe://cluster.local', 'spiffe://a/ns/b/sa/c/d', 'spiffe://a/ns//sa/c'])(
  'an identity of another form gets a row: %j',
  (identity) => {
    const none = { trustDomain: null, namespace: null, serviceAccount: null, principal: null };
    expect(
      judged({
        answers: [answer(zt, { certificates: [{ ...good, identity }] })],
        inventory: inventory({ pods: listed() }),
      }),
    ).toMatchObject([
      {
        identity,
        ...none,
        status: 'MISMATCH',
        severity: 'critical',
        owners: { known: false, why: 'unknown' },
      },
    ]);
  },
);

describe('facts of the leaf', () => {
  const one = (chain: readonly DumpCertificate[], seconds: number) =>
    judged({
      answers: [answer(zt, { certificates: [available(chain, roots)] })],
      reference: later(seconds),
    })[0];

  test.each([
    [-HOUR, 25 * HOUR, -4.2],
    [0, 24 * HOUR, 0],
    [6 * HOUR, 18 * HOUR, 25],
    [24 * HOUR - 0.5, 1, 100],
    [24 * HOUR, 0, 100],
    [24 * HOUR + 0.5, 0, 100],
    [30 * HOUR, -6 * HOUR, 125],
  ])('%d s after notBefore', (seconds, remainingSeconds, lifetimePercent) => {
    const item = one([leaf, mid], seconds);
    expect(item).toMatchObject({ remainingSeconds, lifetimePercent });
    expect(Object.is(item?.remainingSeconds, -0)).toBe(false);
  });

  test('the effective expiry is the earliest of leaf and intermediates', async () => {
    const early = await intermediateFor(-HOUR, 5 * HOUR);
    expect(one([await leafOf(early), early.certificate], HOUR)).toMatchObject({
      notAfter: '2026-06-02T00:00:00Z',
      effectiveNotAfter: '2026-06-01T05:00:00Z',
      remainingSeconds: 4 * HOUR,
      lifetimePercent: 4.2,
      issuer: 'CN=Other CA',
      anchor: { subject: 'O=cluster.local, CN=Root CA' },
    });
  });

  test.each([
    ['01', '1', '01'],
    ['0abc', '2748', '0ABC'],
    ['00ff', '255', 'FF'],
    [
      '7fffffffffffffffffffffffffffffffffffffff',
      '730750818665451459101842416358141509827966271487',
      '7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
    ],
  ])('serial number %s', async (serial, decimal, hex) => {
    expect(one([await createNumbered(root, serial)], HOUR)?.serialNumber).toEqual({ decimal, hex });
  });

  test('of a leaf that can not be read, the dump still tells dates and serial number', () => {
    const told = {
      pem: '',
      serialNumber: '255',
      validFrom: '2026-06-01T00:00:00Z',
      expirationTime: '2026-06-02T02:00:00+02:00',
    };
    expect(one([told, mid], HOUR)).toMatchObject({
      status: 'UNKNOWN',
      notBefore: '2026-06-01T00:00:00Z',
      notAfter: '2026-06-02T00:00:00Z',
      serialNumber: { decimal: '255', hex: 'FF' },
      effectiveNotAfter: null,
      remainingSeconds: null,
      lifetimePercent: null,
      fingerprintSHA256: null,
      issuer: null,
    });
    const rubbish = {
      pem: 'x',
      serialNumber: '0x1',
      validFrom: 'yesterday',
      expirationTime: '2026-99-01T00:00:00Z',
    };
    expect(one([rubbish], HOUR)).toMatchObject({ notBefore: null, notAfter: null, serialNumber: null });
  });
});

test('nothing that a dump can say makes it throw', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '__proto__',
      'Available',
      'Unavailable: \u001b[2J',
      CART,
      leaf.pem,
      `${leaf.pem}junk`,
      leaf.pem.slice(0, 200),
    ),
  );
  const certificate = fc.record({ pem: text, serialNumber: text, validFrom: text, expirationTime: text });
  const chain = fc.oneof(fc.array(certificate, { maxLength: 4 }), fc.constant([leaf, mid]));
  const anyEntry = fc.record({
    identity: text,
    state: text,
    chain,
    roots: fc.option(chain, { nil: undefined }),
    raw: fc.constant(undefined),
  });
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 5 }), (certificates) => {
      const items = judged({
        answers: [answer(zt, dump({ certificates }))],
        inventory: inventory({ pods: listed(pod()) }),
      });
      expect(items.filter(({ status }) => status !== 'MISSING')).toHaveLength(certificates.length);
    }),
    { seed: 7, numRuns: 150 },
  );
});
