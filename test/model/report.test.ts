// How judged certificates and workloads are ordered, counted, grouped and written as documents.

import { describe, expect, test } from '@jest/globals';
import { createMemo } from '../../src/base/cache.ts';
import { type ByKey, GROUPINGS, groupCertificates } from '../../src/model/certificates/group.ts';
import {
  formatSummary,
  summarizeCertificates,
  summarizeWorkloads,
} from '../../src/model/certificates/summary.ts';
import { certificateDocument, workloadDocument } from '../../src/model/documents/document.ts';
import type { CertificateEntry } from '../../src/model/dump.ts';
import { type CertificateItem, STATUSES } from '../../src/model/items.ts';
import { createIntermediate, createRoot, validity } from '../mesh/pki.ts';
import { HOUR, intermediate, leafOf, root, START } from './chains.ts';
import { joinWorkloads } from './joinworkloads.ts';
import { judged } from './judged.ts';
import { answer, available, entry, inventory, listed, pod, workload, ztunnel } from './values.ts';

const year = validity(START, -HOUR, 9000 * HOUR);
const nextRoot = await createRoot('O=cluster.local,CN=Root CA 2', year);
const next = await createIntermediate(nextRoot, 'O=cluster.local,CN=Intermediate CA 2', year);
const both = [root.certificate, nextRoot.certificate];
const old = available([await leafOf(intermediate), intermediate.certificate], both);
const rotated = available([await leafOf(next, validity(START, 0, 20 * HOUR)), next.certificate], both);

function named(identity: string, item: CertificateEntry = entry()): CertificateEntry {
  return { ...item, identity };
}

const id = (name: string) => `spiffe://cluster.local/ns/${name.replace('/', '/sa/')}`;

/** Not in the order of the nodes. */
const nameOf = (node: string) => `z-${255 - (node.codePointAt(node.length - 1) ?? 0)}`;

function join(
  nodes: Readonly<Record<string, readonly CertificateEntry[]>>,
  pods = inventory(),
): readonly CertificateItem[] {
  const answers = Object.entries(nodes).map(([node, certificates]) =>
    answer(ztunnel(nameOf(node), node), { certificates }),
  );
  return judged({ answers, inventory: pods });
}

const denied = (name: string) => named(id(name), entry({ state: 'Unavailable: no' }));
const mesh = {
  'node-b': [old, denied('shop/denied'), named(id('data/slow'))],
  'node-a': [rotated, denied('shop/denied'), denied('data/denied'), named(id('shop/mismatch'), old)],
};

test('certificates are in order of severity, status, identity, node, ztunnel', () => {
  const rows = join(mesh).map(
    ({ status, namespace, serviceAccount, node }) => `${status} ${namespace}/${serviceAccount} ${node}`,
  );
  expect(rows).toEqual([
    'UNAVAILABLE data/denied node-a',
    'UNAVAILABLE shop/denied node-a',
    'UNAVAILABLE shop/denied node-b',
    'MISMATCH shop/mismatch node-a',
    'INITIALIZING data/slow node-b',
    'OK shop/cart node-a',
    'OK shop/cart node-b',
  ]);
});

test('of two ztunnels on one node, the first by name is first', () => {
  const answers = ['z-2', 'z-1'].map((name) => answer(ztunnel(name, 'node-a'), { certificates: [old] }));
  expect(judged({ answers }).map((item) => item.ztunnel?.name)).toEqual(['z-1', 'z-2']);
});

test('what nobody needs comes after all that somebody does', () => {
  const rows = join(
    { 'node-a': [denied('shop/gone'), named(id('shop/cart'))] },
    inventory({ pods: listed(pod()) }),
  );
  expect(rows.map(({ status, severity }) => `${status} ${severity}`)).toEqual([
    'INITIALIZING critical',
    'UNAVAILABLE information',
  ]);
});

describe('summaries', () => {
  test('count every severity and status, zeros too, in their order', () => {
    const summary = summarizeCertificates(join(mesh), 3, 2);
    expect(summary).toEqual({
      total: 7,
      bySeverity: { critical: 4, warning: 1, information: 0, ok: 2 },
      byStatus: {
        ...Object.fromEntries(STATUSES.map((status) => [status, 0])),
        UNAVAILABLE: 3,
        MISMATCH: 1,
        INITIALIZING: 1,
        OK: 2,
      },
      ztunnels: { asked: 3, answered: 2 },
    });
    expect(Object.keys(summary)).toEqual(['total', 'bySeverity', 'byStatus', 'ztunnels']);
    expect(Object.keys(summary.bySeverity)).toEqual(['critical', 'warning', 'information', 'ok']);
    expect(Object.keys(summary.byStatus)).toEqual(STATUSES);
  });

  test.each([
    [mesh, 3, 2, '7 certificates on 2 of 3 ztunnels: 2 OK, 4 critical, 1 warning.'],
    [{ 'node-a': [old] }, 1, 1, '1 certificate on 1 of 1 ztunnel: 1 OK.'],
    [{ a: [entry()], b: [entry()] }, 2, 2, '2 certificates on 2 of 2 ztunnels: 2 warnings.'],
    [
      { a: [entry({ state: 'Unavailable: the identity is no longer needed' })] },
      1,
      1,
      '1 certificate on 1 of 1 ztunnel: 1 information.',
    ],
    [{}, 2, 0, '0 certificates on 0 of 2 ztunnels.'],
  ])('in a sentence', (nodes, asked, answered, sentence) => {
    expect(formatSummary(summarizeCertificates(join(nodes), asked, answered))).toBe(sentence);
  });

  test('in a sentence that counts no certificate where there is none', () => {
    const missing = { status: 'MISSING', severity: 'critical' } as const;
    const items = join({ 'node-a': [old] }).flatMap((item) => [item, { ...item, ...missing }]);
    expect(formatSummary(summarizeCertificates(items, 1, 1))).toBe(
      '1 certificate on 1 of 1 ztunnel, 1 missing: 1 OK, 1 critical.',
    );
  });

  test('of workloads', () => {
    const workloads = [
      workload(),
      workload({ name: 'b', protocol: 'TCP' }),
      workload({ name: 'c', node: 'node-z' }),
    ];
    const items = joinWorkloads({
      answers: [answer(ztunnel('z', 'node-a'), { workloads })],
      certificates: join({ 'node-a': [old] }),
      inventory: inventory(),
      source: 'live',
    });
    const summary = summarizeWorkloads(items, 2, 1);
    expect(summary).toMatchObject({
      total: 3,
      bySeverity: { critical: 0, warning: 0, information: 1, ok: 2 },
      byStatus: { OK: 1, none: 1, '-': 1, MISSING: 0 },
      ztunnels: { asked: 2, answered: 1 },
    });
    expect(Object.keys(summary.byStatus)).toEqual([...STATUSES, 'none', '-']);
  });
});

describe('groups', () => {
  const items = join(mesh);
  const groups = (by: ByKey) =>
    groupCertificates(items.toReversed(), by).map(
      ({ group, total, bySeverity: n, remainingSeconds }) =>
        `${group} ${total} (${n.critical}/${n.warning}/${n.ok}) ${remainingSeconds === null ? '-' : remainingSeconds / HOUR}`,
    );
  const print = (one: typeof root) =>
    one.x509.getThumbprint('SHA-256').then((hash) => Buffer.from(hash).toString('hex'));

  test('by what', () => {
    expect(GROUPINGS).toEqual([
      'identity',
      'node',
      'namespace',
      'status',
      'issuer',
      'root',
      'cluster',
      'trusts',
    ]);
  });

  test('the gravest first, then by name', async () => {
    expect(groups('identity')).toEqual([
      `${id('data/denied')} 1 (1/0/0) -`,
      `${id('shop/denied')} 2 (2/0/0) -`,
      `${id('shop/mismatch')} 1 (1/0/0) 23`,
      `${id('data/slow')} 1 (0/1/0) -`,
      `${id('shop/cart')} 2 (0/0/2) 19`,
    ]);
    expect(groups('node')).toEqual(['node-a 4 (3/0/1) 19', 'node-b 3 (1/1/1) 23']);
    expect(groups('namespace')).toEqual(['data 2 (1/1/0) -', 'shop 5 (3/0/2) 19']);
    expect(groups('status')).toEqual([
      'UNAVAILABLE 3 (3/0/0) -',
      'MISMATCH 1 (1/0/0) 23',
      'INITIALIZING 1 (0/1/0) -',
      'OK 2 (0/0/2) 19',
    ]);
    expect(groups('issuer')).toEqual([
      '- 4 (3/1/0) -',
      'O=cluster.local, CN=Intermediate CA 2 (1/0/1) 23',
      'O=cluster.local, CN=Intermediate CA 2 1 (0/0/1) 19',
    ]);
    expect(groups('root')).toEqual([
      '- 4 (3/1/0) -',
      `${await print(root)} 2 (1/0/1) 23`,
      `${await print(nextRoot)} 1 (0/0/1) 19`,
    ]);
  });

  test('with the earliest effective expiry, and each status', () => {
    const [cart] = groupCertificates(items, 'identity').filter(({ group }) => group.endsWith('/cart'));
    expect(cart).toMatchObject({ earliestNotAfter: '2026-06-01T20:00:00Z', byStatus: { OK: 2, EXPIRED: 0 } });
  });

  test('what has no node or namespace is in the group -', () => {
    const odd = join({ 'node-a': [named('odd')] });
    expect(groupCertificates(odd, 'namespace').map(({ group }) => group)).toEqual(['-']);
    expect(groupCertificates([{ ...odd[0]!, node: null }], 'node').map(({ group }) => group)).toEqual(['-']);
  });
});

describe('documents', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const wrap = (certificate: (typeof old.chain)[number], unwrapped = false) => ({
    expirationTime: certificate.expirationTime,
    pem: unwrapped ? certificate.pem.replaceAll('\n', '\r\n') : base64(certificate.pem),
    future: 1,
  });
  const raw = {
    certChain: old.chain.map((one) => wrap(one)),
    ca_cert: [wrap(old.chain[0]!, true)],
    rootCerts: [wrap(both[0]!), { pem: base64('<pem construction error>') }, 'odd', null],
    ['__proto__']: { polluted: true },
    newField: { pem: 'untouched' },
    state: 'Available',
  };
  const certificates = (rawEntry: CertificateEntry['raw']) =>
    join({ 'node-a': [{ ...old, raw: rawEntry }] }, inventory({ pods: listed(pod()) }));

  test('of a certificate: keys in their order', () => {
    const [item] = certificates(undefined);
    const document = certificateDocument(item!);
    expect(Object.keys(document)).toEqual([
      'identity',
      'trustDomain',
      'namespace',
      'serviceAccount',
      'principal',
      'node',
      'ztunnel',
      'state',
      'status',
      'severity',
      'reason',
      'notBefore',
      'notAfter',
      'effectiveNotAfter',
      'remainingSeconds',
      'lifetimePercent',
      'serialNumber',
      'fingerprintSHA256',
      'issuer',
      'chain',
      'roots',
      'anchor',
      'owners',
      'raw',
    ]);
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({
      ztunnel: { namespace: 'istio-system', name: 'z-158', node: 'node-a' },
      owners: [
        { kind: 'Pod', namespace: 'shop', name: 'cart-0', ready: null, desired: null, pods: ['cart-0'] },
      ],
      chain: [
        { subject: '' },
        { subject: 'O=cluster.local, CN=Intermediate CA', pem: intermediate.certificate.pem },
      ],
      raw: null,
    });
    const [chain] = document.chain as object[];
    expect(Object.keys(chain!)).toEqual([
      'subject',
      'issuer',
      'notBefore',
      'notAfter',
      'serialNumber',
      'fingerprintSHA256',
      'pem',
    ]);
  });

  test('of a certificate: raw without the PEM texts that are given, and with all else', () => {
    const document = certificateDocument(certificates(raw)[0]!);
    const stripped = (one: (typeof old.chain)[number]) => ({ expirationTime: one.expirationTime, future: 1 });
    expect(JSON.stringify(document.raw)).toBe(
      JSON.stringify({
        certChain: old.chain.map(stripped),
        ca_cert: [stripped(old.chain[0]!)],
        rootCerts: [stripped(both[0]!), raw.rootCerts[1], 'odd', null],
        ['__proto__']: { polluted: true },
        newField: { pem: 'untouched' },
        state: 'Available',
      }),
    );
    expect(Object.getPrototypeOf(document.raw)).toBe(Object.prototype);
  });

  test('of what is MISSING: no ztunnel, no state, no dates', () => {
    const [item] = join({ 'node-a': [] }, inventory({ pods: listed(pod()) }));
    expect(certificateDocument(item!)).toEqual({
      identity: id('shop/cart'),
      trustDomain: 'cluster.local',
      namespace: 'shop',
      serviceAccount: 'cart',
      principal: 'cluster.local/ns/shop/sa/cart',
      node: 'node-a',
      ztunnel: null,
      state: null,
      status: 'MISSING',
      severity: 'critical',
      reason: 'no ztunnel on this node lists it',
      notBefore: null,
      notAfter: null,
      effectiveNotAfter: null,
      remainingSeconds: null,
      lifetimePercent: null,
      serialNumber: null,
      fingerprintSHA256: null,
      issuer: null,
      chain: [],
      roots: [],
      anchor: null,
      owners: [
        { kind: 'Pod', namespace: 'shop', name: 'cart-0', ready: null, desired: null, pods: ['cart-0'] },
      ],
      raw: null,
    });
  });

  test('owners that are not known are null', () => {
    expect(certificateDocument(join({ 'node-a': [old] })[0]!).owners).toBeNull();
  });

  test('of a workload: keys in their order', () => {
    const [item] = joinWorkloads({
      answers: [answer(ztunnel('z', 'node-a'), { workloads: [workload({ raw: { uid: 'x' } })] })],
      certificates: [],
      inventory: inventory(),
      source: 'files',
    });
    const document = workloadDocument(item!);
    expect(JSON.stringify(document)).toBe(
      JSON.stringify({
        uid: 'Kubernetes//Pod/shop/cart-0',
        kind: 'Pod',
        namespace: 'shop',
        name: 'cart-0',
        identity: id('shop/cart'),
        trustDomain: 'cluster.local',
        serviceAccount: 'cart',
        node: 'node-a',
        addresses: ['10.1.0.11'],
        hostname: null,
        protocol: 'HBONE',
        networkMode: 'Standard',
        certificate: '-',
        severity: 'information',
        capture: '-',
        waypoint: null,
        services: [],
        owners: [
          { kind: 'Pod', namespace: 'shop', name: 'cart-0', ready: null, desired: null, pods: ['cart-0'] },
        ],
        ztunnels: [{ namespace: 'istio-system', name: 'z', node: 'node-a' }],
        differs: false,
        raw: { uid: 'x' },
      }),
    );
  });
});

test('a memo makes each value in use once, undefined too, and forgets what is not in use', () => {
  const made: string[] = [];
  const memo = createMemo<string, string | undefined>(2);
  const ask = (key: string) => memo(key, () => void made.push(key));
  for (const key of ['a', 'a', 'b', 'a', 'c', 'a', 'd', 'a', 'b']) ask(key);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'b']);
});
