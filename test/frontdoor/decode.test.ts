// `decode`: what comes of objects in every form that they are saved in, and what is said of those that it can't show.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import { envelope, message, type WireMessage } from '../decode/protobufwriter.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const TESTDATA = path.join(import.meta.dirname, '../testdata');
const inKubernetes = (name: string): string => path.join(TESTDATA, 'kubernetes', name);
const read = (name: string): Buffer => readFileSync(inKubernetes(name));
const parsed = (name: string) => JSON.parse(read(name).toString());

const LEASE = parsed('cart-leader-lease.json');
const LEASE_BYTES = read('cart-leader-lease.pb');
const asEtcd = (value: { metadata: { resourceVersion?: string } }) => {
  const { resourceVersion: _, ...metadata } = value.metadata;
  return { ...value, metadata };
};
const decode = (stdin: string | Uint8Array, ...flags: readonly string[]) =>
  run(['decode', ...flags], { stdin });
const json = async (stdin: string | Uint8Array, ...flags: readonly string[]) => {
  const { code, stdout, stderr } = await decode(stdin, '-o', 'json', ...flags);
  return { code, stderr, value: stdout === '' ? undefined : JSON.parse(stdout) };
};
const pair = (key: string, value: Uint8Array | string) => ({
  key: Buffer.from(key).toString('base64'),
  create_revision: 289,
  mod_revision: 289,
  version: 1,
  value: Buffer.from(value).toString('base64'),
});
const etcdctl = (...kvs: readonly object[]) =>
  `${JSON.stringify({ header: { cluster_id: 1, member_id: 2, revision: 500, raft_term: 2 }, kvs, count: kvs.length })}\n`;
/** The message inside the envelope. */
const messageBytes = message({
  1: { 1: 'a', 3: 'shop' },
  2: { 1: 'me', 2: 15 },
});
const SMALL = {
  kind: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  metadata: { name: 'a', namespace: 'shop' },
  spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
};

const folder = temporaryDirectory();

describe('one Lease', () => {
  const yaml = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: a
  namespace: shop
spec:
  holderIdentity: me
  leaseDurationSeconds: 15
`;

  test('is YAML, its keys in order', async () => {
    const { code, stdout, stderr } = await decode(envelope('coordination.k8s.io/v1', 'Lease', messageBytes));
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: yaml, stderr: '' });
  });

  const bytes = envelope('coordination.k8s.io/v1', 'Lease', messageBytes);
  const base64 = Buffer.from(bytes).toString('base64');
  const hex = Buffer.from(bytes).toString('hex');
  const text = JSON.stringify(SMALL);
  const type = ['--type', 'coordination.k8s.io/v1.Lease'];
  const forms: readonly (readonly [string, string | Uint8Array, ...string[]])[] = [
    ['from the API server', bytes],
    ['from etcdctl, with its line break', Buffer.concat([bytes, Buffer.from('\n')])],
    ['as base64', base64],
    ['as base64 in lines', base64.replaceAll(/.{20}/g, '$&\n')],
    ['as base64 of URLs, without its end', Buffer.from(bytes).toString('base64url')],
    ['said to be base64', base64, '--encoding', 'base64'],
    ['as hex', `${hex}\n`],
    ['as hex in bytes', hex.toUpperCase().replaceAll(/../g, '$& ')],
    ['as hex with a prefix', `0x${hex}`],
    ['said to be hex', hex, '--encoding', 'HEX'],
    ['as JSON', text],
    ['as JSON in base64', Buffer.from(text).toString('base64')],
    ['as JSON with a byte order mark', `\ufeff${text}`],
    ['as YAML', yaml],
    ['as YAML in hex', Buffer.from(yaml).toString('hex')],
    ['as a message', messageBytes, ...type],
    ['as a message in base64', Buffer.from(messageBytes).toString('base64'), ...type],
    ['as a message in hex', Buffer.from(messageBytes).toString('hex'), ...type],
    ['said to be raw', messageBytes, ...type, '--encoding', 'raw'],
    ['whose type is said twice', bytes, ...type],
    ['in etcd', etcdctl(pair('/registry/leases/shop/a', bytes))],
    ['in etcd as JSON', etcdctl(pair('/registry/leases/shop/a', text))],
    ['in etcd in base64', Buffer.from(etcdctl(pair('/registry/leases/shop/a', bytes))).toString('base64')],
  ];
  test.each(forms)('%s', async (_, stdin, ...more) => {
    expect(await json(stdin, ...more)).toEqual({ code: 0, stderr: '', value: SMALL });
  });

  test('has the keys of all its objects in order', async () => {
    const keys = (await decode(LEASE_BYTES)).stdout.match(/^ {2}\w+(?=:)/gm)?.map((key) => key.trim());
    expect(keys).toEqual([
      ...['creationTimestamp', 'managedFields', 'name', 'namespace', 'resourceVersion', 'uid'],
      ...['acquireTime', 'holderIdentity', 'leaseDurationSeconds', 'leaseTransitions', 'renewTime'],
    ]);
  });

  test('from a file, and from a file beside stdin', async () => {
    const file = path.join(folder, 'lease.pb');
    writeFileSync(file, bytes);
    expect(JSON.parse((await run(['decode', file, '-o', 'json'])).stdout)).toEqual(SMALL);
    const { stdout } = await run(['decode', '-', file, '-ojson'], { stdin: LEASE_BYTES });
    expect(JSON.parse(stdout)).toEqual({
      kind: 'List',
      apiVersion: 'v1',
      metadata: {},
      items: [LEASE, SMALL],
    });
  });
});

describe('what the API server sent and etcd stored', () => {
  test.each([
    'cart-leader-lease',
    'node-a-lease',
    'cart-statefulset',
    'all-leases',
    'shop-leases',
    'all-statefulsets',
    'shop-statefulsets',
    'shop-replicasets.partial',
  ])('%s', async (name) => {
    const file = inKubernetes(`${name}.pb`);
    const [inJson, inYaml] = await Promise.all(
      ['json', 'yaml'].map((format) => run(['decode', file, '-o', format])),
    );
    const expected = parsed(`${name}.json`);
    expect(JSON.parse(inJson!.stdout)).toStrictEqual(expected);
    expect(load(inYaml!.stdout)).toStrictEqual(expected);
    expect([inJson!.code, inYaml!.code, inJson!.stderr]).toEqual([0, 0, '']);
    // In the order of the API server, too, and with the indentation of kubectl.
    expect(inJson!.stdout).toBe(`${JSON.stringify(expected, null, 4)}\n`);
  });

  test('a Lease in etcd has no resource version', async () => {
    expect((await json(read('cart-leader-lease.etcd.bin'))).value).toEqual(asEtcd(LEASE));
  });
});

describe('several objects', () => {
  const stored = read('cart-leader-lease.etcd.bin');
  const printed = etcdctl(pair('/registry/leases/shop/cart-leader', stored), pair('/registry/x', stored));

  test('are a List in JSON, and documents in YAML', async () => {
    const { value } = await json(printed);
    expect(value.items).toEqual([asEtcd(LEASE), asEtcd(LEASE)]);
    const { stdout } = await decode(printed);
    expect(loadAll(stdout)).toEqual([asEtcd(LEASE), asEtcd(LEASE)]);
  });

  test('of etcdctl, one output behind the other', async () => {
    expect((await json(printed + printed)).value.items).toHaveLength(4);
  });

  test('JSON values one behind the other, with brackets and quotes in them', async () => {
    const tricky = { ...SMALL, spec: { holderIdentity: '}{"]\\' } };
    const { value } = await json(
      `${JSON.stringify(tricky)}${JSON.stringify(SMALL)}\n${JSON.stringify(tricky)}`,
    );
    expect(value.items).toEqual([tricky, SMALL, tricky]);
  });

  test('less than etcd holds: told, and an error unless --partial says that this will do', async () => {
    const cut = (more: string) => printed.replace('"count":2', `"count":5,"more":${more}`);
    const { stdout } = await decode(printed);
    const hint = 'Ask etcd again without --limit, or take what there is with --partial.';
    const said = `stdin: these are 2 of 5 keys: etcd was asked for no more. ${hint}\n`;
    expect(await decode(cut('true'))).toEqual({ code: 1, stdout, stderr: `error: ${said}` });
    expect(await decode(cut('true'), '--partial')).toEqual({ code: 0, stdout, stderr: `warning: ${said}` });
    expect(await decode(cut('false'))).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('YAML documents', async () => {
    const one = (await decode(JSON.stringify(SMALL))).stdout;
    expect((await json(`${one}---\n${one}---\n`)).value.items).toEqual([SMALL, SMALL]);
  });

  test('in a List of kubectl, of which some are known', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's', labels: {} },
      spec: { x: null },
    };
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      metadata: {},
      items: [service, { ...SMALL, metadata: { ...SMALL.metadata, labels: {} } }],
    };
    const { value, code } = await json(JSON.stringify(list));
    expect(value.items[0]).toEqual(service);
    expect(value.items[1]).toEqual(SMALL);
    expect(code).toBe(0);
  });

  test('none', async () => {
    expect(await decode(etcdctl().replace(',"kvs":[]', ''))).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no objects in it.\n',
    });
  });
});

describe('protobuf is read as Kubernetes reads it', () => {
  const lease = (metadata: WireMessage | readonly WireMessage[]) =>
    envelope('coordination.k8s.io/v1', 'Lease', { 1: metadata as WireMessage, 2: {} });
  const template = (spec: WireMessage) =>
    envelope('apps/v1', 'StatefulSet', { 1: { 1: 'x' }, 2: { 3: { 2: spec } } });
  const templateOf = ({ value }: { value: { spec: { template: { spec: unknown } } } }) =>
    value.spec.template.spec;

  test('an object that comes twice is one', async () => {
    const { value } = await json(
      lease([
        { 1: 'a', 14: 'f' },
        { 3: 'shop', 14: 'g' },
      ]),
    );
    expect(value.metadata).toEqual({ name: 'a', namespace: 'shop', finalizers: ['f', 'g'] });
  });

  test('of a value that comes twice the last counts, of a key of a map, too', async () => {
    const { value } = await json(
      lease({ 1: ['a', 'b'], 11: [{ 1: 'k', 2: 'v' }, { 1: 'k', 2: 'w' }, { 1: 'e' }] }),
    );
    expect(value.metadata).toEqual({ name: 'b', labels: { e: '', k: 'w' } });
  });

  test('numbers of a list may come in one field', async () => {
    const packed = Uint8Array.of(1, 0x80, 0x01, 3);
    const { value } = await json(template({ 14: { 4: [packed, 9] } }));
    expect(templateOf({ value })).toMatchObject({ securityContext: { supplementalGroups: [1, 128, 3, 9] } });
  });

  test('what Go holds by value is there although it is not on the wire', async () => {
    const { value } = await json(template({ 34: {} }));
    expect(templateOf({ value })).toEqual({
      containers: null,
      ephemeralContainers: [{ name: '', resources: {} }],
    });
  });

  test('the zero time is left out, or null where it is pointed at', async () => {
    const zero = { 1: -62135596800n, 2: 0 };
    const { value } = await json(lease({ 1: 'a', 8: zero, 9: zero, 17: { 4: {} } }));
    expect(value.metadata).toEqual({ name: 'a', deletionTimestamp: null, managedFields: [{ time: null }] });
    expect((await json(lease({ 8: { 2: 5 } }))).value.metadata.creationTimestamp).toBe(
      '1970-01-01T00:00:00Z',
    );
  });

  test('a field of an inlined message is named by the object that shows it', async () => {
    const { stderr } = await json(template({ 1: { 1: 'v', 2: { 99: 1 } } }));
    expect(stderr).toContain('a field 99 of 1 bytes in spec.template.spec.volumes[0] that');
  });
});

describe('JSON and YAML come out as the API server would send them', () => {
  const lease = (metadata: object, spec: object) => ({
    ...SMALL,
    metadata: { name: 'a', ...metadata },
    spec,
  });
  const sts = (template: object) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'a' },
    spec: { template },
  });

  test('empty fields, times and key order', async () => {
    const written = lease(
      { labels: {}, creationTimestamp: '2026-01-01T01:30:00.5+02:00', finalizers: [] },
      { leaseDurationSeconds: 0, renewTime: '2026-01-01T00:00:00Z', holderIdentity: '' },
    );
    const { stdout } = await decode(JSON.stringify(written), '-o', 'json');
    expect(stdout.replaceAll(/\s+/g, '')).toBe(
      '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"a","creationTimestamp":"2025-12-31T23:30:00Z"},"spec":{"holderIdentity":"","leaseDurationSeconds":0,"renewTime":"2026-01-01T00:00:00.000000Z"}}',
    );
  });

  test('amounts, and what a Go struct shows although it is empty', async () => {
    const container = { name: 'c', resources: { limits: { cpu: '1000m', memory: 1024 } } };
    const { value } = await json(JSON.stringify(sts({ spec: { containers: [container] } })));
    expect(value.spec).toEqual({
      selector: null,
      serviceName: '',
      template: {
        metadata: {},
        spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1', memory: '1024' } } }] },
      },
      updateStrategy: {},
    });
    expect(value.status).toEqual({ replicas: 0, availableReplicas: 0 });
  });

  test('numbers beyond 2^53 keep their digits, in all forms', async () => {
    const digits = '9223372036854775807';
    const text = JSON.stringify(lease({ generation: 1 }, {})).replace(
      '"generation":1',
      `"generation":${digits}`,
    );
    for (const form of [text, (await decode(text)).stdout]) {
      expect((await decode(form, '-o', 'json')).stdout).toContain(`"generation": ${digits}`);
      expect((await decode(form)).stdout).toContain(`generation: ${digits}`);
    }
    const other = `{"apiVersion":"v1","kind":"X","n":12345678901234567890123,"f":1e400,"y":[0x10]}`;
    expect((await decode(other.replace(',"y":[0x10]', ''), '-o', 'json')).stdout).toMatch(
      /"n": 12345678901234567890123,\s+"f": 1e400/,
    );
    const yaml = 'apiVersion: v1\nkind: X\nl: 0xfffffffffffffff\nm: -12345678901234567890\n';
    expect((await decode(yaml, '-o', 'json')).stdout).toContain('"l": 1152921504606846975');
    expect((await decode(yaml)).stdout).toContain('m: -12345678901234567890');
  });

  const withPod = (more: string) =>
    `apiVersion: apps/v1\nkind: StatefulSet\nspec: {template: {spec: {${more}}}}\n`;

  test.each([
    ['defaultMode: 0644', 420],
    ['defaultMode: 0o644', 420],
    ['defaultMode: 00', 0],
    ['defaultMode: 08', 8],
    ['defaultMode: 0x1F', 31],
    ['defaultMode: 0B101', 5],
    ['defaultMode: 1_000', 1000],
    ['defaultMode: +420', 420],
    ['defaultMode: 1e3', 1000],
    ['defaultMode: 644', 644],
  ])('numbers of YAML are what kubectl takes them for: %s', async (member, expected) => {
    const volumes = `volumes: [{name: a, configMap: {name: a, ${member}}}]`;
    const { value, code, stderr } = await json(withPod(volumes));
    expect([stderr, code]).toEqual(['', 0]);
    expect(value.spec.template.spec.volumes[0].configMap.defaultMode).toBe(expected);
  });

  test.each([
    ['yes', true],
    ['On', true],
    ['Y', true],
    ['off', undefined],
    ['NO', undefined],
  ])('so are its words for true, and for false, which is left out: %s', async (word, expected) => {
    const { value } = await json(withPod(`hostNetwork: ${word}`));
    expect(value.spec.template.spec.hostNetwork).toBe(expected);
  });

  test.each([
    [
      'text that is no text there',
      'hostname: on',
      'at spec.template.spec.hostname there should be text, but there is a boolean',
    ],
    [
      'an octal number as text',
      'hostname: 010',
      'at spec.template.spec.hostname there should be text, but there is a number',
    ],
    [
      'what only looks like a number',
      'priority: 0x',
      'at spec.template.spec.priority there should be a whole number',
    ],
    [
      'a word in another case',
      'hostNetwork: yEs',
      'at spec.template.spec.hostNetwork there should be true or false',
    ],
    [
      'a word in quotes',
      'hostNetwork: "yes"',
      'at spec.template.spec.hostNetwork there should be true or false',
    ],
    [
      'a number of too many digits',
      `priority: ${'1'.repeat(2000)}`,
      'at spec.template.spec.priority there should be a whole',
    ],
  ])('%s is refused, as by the API server', async (_, member, message) => {
    const { stdout, stderr, code } = await decode(withPod(member));
    expect(stderr).toContain(`error: stdin: ${message}`);
    expect([stdout, code]).toEqual(['', 1]);
  });

  test('what is in quotes stays text, and mappings are merged', async () => {
    const { value } = await json(
      'apiVersion: v1\nkind: X\na: &a {b: "0644", c: "on", d: 1:30}\ne: {<<: *a, c: 010}\nreplicas: -010\n',
    );
    expect(value).toEqual({
      apiVersion: 'v1',
      kind: 'X',
      a: { b: '0644', c: 'on', d: '1:30' },
      e: { b: '0644', c: 8, d: '1:30' },
      replicas: -8,
    });
  });

  test('members that the kind has not are kept, and told', async () => {
    const { value, code, stderr } = await json(JSON.stringify({ ...SMALL, newer: { a: 1 } }));
    expect(value).toEqual({ ...SMALL, newer: { a: 1 } });
    expect(stderr).toBe(
      'warning: stdin: Lease shop/a has a member newer that its kind has not; it is kept.\n',
    );
    expect(code).toBe(0);
  });

  test('text and amounts', async () => {
    const text = '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"\\ud800"}}';
    expect((await json(text)).value.metadata.name).toBe('\ufffd');
    const claim = { spec: { resources: { requests: { storage: ' 1024Mi ' } } } };
    const { value } = await json(
      JSON.stringify({ ...sts({ spec: {} }), spec: { volumeClaimTemplates: [claim] } }),
    );
    expect(value.spec.volumeClaimTemplates).toEqual([
      {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        metadata: {},
        spec: { resources: { requests: { storage: '1Gi' } } },
        status: {},
      },
    ]);
  });

  test('a list of a kind that is not known', async () => {
    const list = {
      kind: 'NodeList',
      apiVersion: 'v1',
      metadata: { x: 1 },
      items: [{ metadata: { name: 'a' } }],
    };
    expect(await json(JSON.stringify(list))).toEqual({ code: 0, stderr: '', value: list });
  });

  test('lists without items', async () => {
    for (const kind of ['List', 'NodeList', 'LeaseList']) {
      const apiVersion = kind === 'LeaseList' ? 'coordination.k8s.io/v1' : 'v1';
      const list = { kind, apiVersion, metadata: {}, items: [] };
      expect((await json(JSON.stringify(list))).value).toEqual(list);
      expect(load((await decode(JSON.stringify(list))).stdout)).toEqual(list);
    }
    const without = { kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata: {} };
    expect((await json(JSON.stringify(without))).value).toEqual({ ...without, items: [] });
  });

  test('a list of metadata has items with a type', async () => {
    const whole = parsed('shop-replicasets.partial.json');
    expect((await json(JSON.stringify(whole))).value).toEqual(whole);
    const items = whole.items.map(({ metadata }: { metadata: object }) => ({ metadata }));
    expect((await json(JSON.stringify({ ...whole, items }))).value).toEqual(whole);
  });

  test('keys are data', async () => {
    const text = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","__proto__":{"p":1},"metadata":{"name":"a","labels":{"__proto__":"x"}}}`;
    const { stdout } = await decode(text, '-o', 'json');
    expect(stdout.match(/"__proto__"/g)).toHaveLength(2);
    expect(Object.hasOwn(Object.prototype, 'p')).toBe(false);
  });
});

describe('what is not known', () => {
  const wire = (fields: WireMessage) => envelope('coordination.k8s.io/v1', 'Lease', fields);
  const newer = wire({ 1: { 1: 'a', 99: 'xyz' }, 2: { 1: 'me', 77: 5 }, 50: { 1: 'q' } });

  test('is named by path and number, left out, and an error', async () => {
    const { value, code, stderr } = await json(newer);
    expect(value).toEqual({ ...SMALL, metadata: { name: 'a' }, spec: { holderIdentity: 'me' } });
    const about = (field: string) =>
      `error: stdin: Lease a has a field ${field} that is not known here, and is left out. A newer Kubernetes than 1.35 wrote it: get a newer kubectl ztunnel, or take what there is with --partial.\n`;
    expect(stderr).toBe(
      about('99 of 3 bytes in metadata') + about('77 of 1 bytes in spec') + about('50 of 3 bytes'),
    );
    expect(code).toBe(1);
  });

  test('is a warning with --partial', async () => {
    const { code, stderr } = await json(newer, '--partial');
    expect(stderr.match(/^warning: /gm)).toHaveLength(3);
    expect(code).toBe(0);
  });

  test('is told once of a list, wherever in its items', async () => {
    const item = { 1: { 1: 'a' }, 2: { 88: 1 } };
    const { stderr, value } = await json(
      envelope('coordination.k8s.io/v1', 'LeaseList', { 1: { 7: 1 }, 2: [item, item, item], 9: 1 }),
    );
    expect(stderr).toMatch(
      /^error: stdin: LeaseList has a field 9 of 1 bytes that.*\nerror: stdin: LeaseList has a field 7 of 1 bytes in metadata that.*\nerror: stdin: Lease a has a field 88 of 1 bytes in spec that .* \(3 times\)\..*\n$/,
    );
    expect(value.items).toHaveLength(3);
  });

  test.each([
    ['a time', { 1: { 1: 'a', 8: { 1: 5, 9: 1 } } }, 'in metadata.creationTimestamp'],
    ['a map', { 1: { 1: 'a', 11: { 1: 'k', 2: 'v', 3: 'w' } } }, 'in metadata.labels'],
  ])('in %s', async (_, fields, place) => {
    const { code, stderr } = await json(wire(fields));
    expect(stderr).toContain(place);
    expect(code).toBe(1);
  });

  test('of a kind that is not known, is counted', async () => {
    const deployment = { 1: { 1: 'web', 3: 'shop' }, 2: [{ 1: 3 }, { 1: 4 }], 7: 300 };
    const { value, code, stderr } = await json(envelope('apps/v1', 'Deployment', deployment));
    expect(value).toEqual({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', namespace: 'shop' },
      unknownFields: [
        { number: 2, type: 'bytes', count: 2, bytes: 4 },
        { number: 7, type: 'varint', count: 1, bytes: 2 },
      ],
    });
    expect(stderr).toBe(
      'error: stdin: Deployment shop/web is of a kind in apps/v1 that is not known here: besides its metadata it has the fields 2 (2 × 4 bytes), 7 (varint). kubectl ztunnel decode --list-kinds shows the kinds that are known; --partial takes what there is.\n',
    );
    expect(code).toBe(1);
    expect((await json(envelope('apps/v1', 'Deployment', deployment), '--partial')).code).toBe(0);
  });

  test('without metadata, is counted too', async () => {
    const { value } = await json(envelope('v1', 'DeleteOptions', { 1: 30, 3: 'x' }));
    expect(value).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      unknownFields: [
        { number: 1, type: 'varint', count: 1, bytes: 1 },
        { number: 3, type: 'bytes', count: 1, bytes: 1 },
      ],
    });
  });

  test('whose first field is no metadata, or holds more', async () => {
    const other = await json(envelope('v1', 'Odd', { 1: { 3: 'x' }, 2: 1 }));
    expect(other.value.unknownFields).toHaveLength(2);
    expect(other.value.metadata).toBeUndefined();
    const more = await json(envelope('apps/v1', 'Deployment', { 1: { 1: 'web', 99: 'x' } }));
    expect(more.stderr).toMatch(/^error: stdin: Deployment web has a field 99 of 1 bytes in metadata that/);
  });

  test('is told in the order of numbers, and by a name that is not too long', async () => {
    const name = 'n'.repeat(500);
    const fields = Buffer.concat([message({ 9: 1 }), message({ 1: { 1: name }, 3: 1 })]);
    const { value, stderr } = await json(envelope('v1', 'Odd', fields));
    expect(value.unknownFields.map(({ number }: { number: number }) => number)).toEqual([3, 9]);
    expect(stderr).toContain(`Odd ${'n'.repeat(96)}… is of a kind`);
  });

  test('of a List that holds envelopes, is an object like others', async () => {
    const { value } = await json(envelope('v1', 'List', { 2: [{ 1: 'x' }, { 1: 'y' }] }));
    expect(value).toEqual({
      kind: 'List',
      apiVersion: 'v1',
      unknownFields: [{ number: 2, type: 'bytes', count: 2, bytes: 6 }],
    });
  });

  test('in a list of a real API server', async () => {
    const { value, code } = await json(read('nodes.pb'));
    const nodes = parsed('nodes.json');
    expect(value.metadata).toEqual(nodes.metadata);
    expect(value.items.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
      nodes.items.map(({ metadata }: { metadata: object }) => metadata),
    );
    expect(code).toBe(1);
  });

  test('passes although it has a list as etcd prints it', async () => {
    const store = { kind: 'Store', apiVersion: 'example.com/v1', kvs: [{ key: 'a' }] };
    expect(await json(JSON.stringify(store))).toEqual({ code: 0, stderr: '', value: store });
  });

  test('passes as it is in JSON', async () => {
    const node = parsed('nodes.json').items[0];
    const whole = { kind: 'Node', apiVersion: 'v1', ...node };
    expect(await json(JSON.stringify(whole))).toEqual({ code: 0, stderr: '', value: whole });
  });
});

describe('what is broken', () => {
  const good = envelope('coordination.k8s.io/v1', 'Lease', messageBytes);
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const of = (fields: WireMessage | Uint8Array, kind = 'Lease') =>
    envelope('coordination.k8s.io/v1', kind, fields);
  const cases: readonly (readonly [string, string | Uint8Array, string, ...string[]])[] = [
    ['nothing', '', 'the input is empty'],
    [
      'bytes without an envelope',
      messageBytes,
      'this is not Kubernetes protobuf in its envelope, and no text either',
    ],
    ['a cut envelope', good.subarray(0, -3), 'the protobuf of the envelope is cut off or corrupt at byte 39'],
    ['no kind', envelope('v1', '', {}), 'the protobuf envelope does not say what kind of object it holds'],
    [
      'a field that is cut',
      of(Uint8Array.of(10, 3, 10, 9, 0x61)),
      'the protobuf of the Lease, in metadata.name, is cut off or corrupt at byte 43',
    ],
    [
      'a number for text',
      of({ 1: { 1: 7 } }),
      'the protobuf of the Lease, in metadata.name, is cut off or corrupt at byte 42',
    ],
    ['text that is no UTF-8', of({ 1: { 1: Uint8Array.of(0xff) } }), 'the text at metadata.name is no UTF-8'],
    [
      'an amount that is none',
      envelope('apps/v1', 'StatefulSet', {
        2: { 3: { 2: { 2: { 8: { 1: { 1: 'cpu', 2: { 1: 'much' } } } } } } },
      }),
      '"much" at spec.template.spec.containers[0].resources.limits["cpu"] is no amount',
    ],
    [
      'a port of the third type',
      envelope('apps/v1', 'StatefulSet', { 2: { 7: { 2: { 2: { 1: 7 } } } } }),
      'the value at spec.updateStrategy.rollingUpdate.maxUnavailable is neither a number nor text, but of type 7',
    ],
    [
      'a time beyond RFC 3339',
      of({ 1: { 8: { 1: 253402300800 } } }),
      'a time of 253402300800 seconds since 1970 is outside the years 1 to 9999',
    ],
    [
      'a field set that is not JSON',
      of({ 1: { 17: { 7: { 1: '{' } } } }),
      'the field set at metadata.managedFields[0].fieldsV1 is not JSON',
    ],
    [
      'a deep field set',
      of({ 1: { 17: { 7: { 1: deep(500) } } } }),
      'at metadata.managedFields[0].fieldsV1 the document nests more than 100 levels deep',
    ],
    [
      'JSON that is cut',
      '{"apiVersion":"v1",\n"kind"',
      'this is not valid JSON: the text ends too early, at line 2, column 7',
    ],
    [
      'deep JSON',
      `{"apiVersion":"v1","kind":"X","x":${deep(5000)}}`,
      'at X the document nests more than 100 levels deep',
    ],
    [
      'a deep member',
      `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","x":${deep(200)}}`,
      'at x the document nests more than 100 levels deep',
    ],
    ['no object', '[1]', 'this is not a Kubernetes object: it has no apiVersion and kind'],
    ['a word', 'abcd', 'this is not a Kubernetes object: it has no apiVersion and kind'],
    [
      'a field that is longer than its message',
      of(Uint8Array.of(10, 2, 10, 2, 0x61, 0x62)),
      'the protobuf of the Lease, in metadata, is cut off or corrupt at byte 45',
    ],
    [
      'a message that ends in its middle',
      of({ 1: { 8: Uint8Array.of(8, 0x80) }, 2: { 1: 'x' } }),
      'the protobuf of the Lease, in metadata.creationTimestamp, is cut off or corrupt at byte 46',
    ],
    [
      'a deep field set in JSON',
      `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"managedFields":[{"fieldsV1":{"a":${deep(200)}}}]}}`,
      'at metadata.managedFields[0].fieldsV1 the document nests more than 100 levels deep',
    ],
    [
      'a large number for an object',
      '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","spec":12345678901234567890}',
      'at spec there should be an object, but there is an object',
    ],
    [
      'a list with items that are none',
      '{"apiVersion":"coordination.k8s.io/v1","kind":"LeaseList","items":{}}',
      'LeaseList has items that are no list',
    ],
    [
      'unknown fields without end',
      of(Buffer.alloc(303_000, Uint8Array.of(0xf8, 0x06, 0))),
      'the protobuf of the Lease is cut off or corrupt at byte 300044',
    ],
    [
      'unknown fields of too many numbers',
      envelope('v1', 'Node', Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index + 2, 1]))),
      'the Node has more than 1000 different fields',
    ],
    [
      'a JSON object of very many values',
      `{"apiVersion":"v1","kind":"X","x":[${'0,'.repeat(600_000)}0]}`,
      'at X the object has more than 500000 values',
    ],
    [
      'a number in a field set that JSON has not',
      'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {managedFields: [{fieldsV1: {a: .inf}}]}\n',
      "at metadata.managedFields[0].fieldsV1 is the number Infinity, which JSON can't hold",
    ],
    [
      'a number that JSON has not',
      'apiVersion: v1\nkind: X\nx: .nan\n',
      "at X is the number NaN, which JSON can't hold",
    ],
    [
      'text for a number',
      '{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"replicas":"3"}}',
      'at spec.replicas there should be a whole number of 32 bits, but there is text',
    ],
    [
      'a number of 33 bits',
      '{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"replicas":4294967296}}',
      'at spec.replicas there should be a whole number of 32 bits, but there is a number',
    ],
    [
      'a number of 65 bits',
      '{"apiVersion":"v1","kind":"Status","metadata":{"remainingItemCount":9223372036854775808}}',
      'at metadata.remainingItemCount there should be a whole number of 64 bits, but there is an object',
    ],
    [
      'the 30th of February',
      '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"creationTimestamp":"2026-02-30T00:00:00Z"}}',
      'at metadata.creationTimestamp there should be an RFC 3339 time, but there is text',
    ],
    [
      'another type than was said',
      good,
      '--type says v1.Status, but the envelope says coordination.k8s.io/v1.Lease',
      '--type',
      'v1.Status',
    ],
    ['what was said to be hex', 'xyz', 'this is not hex', '--encoding', 'hex'],
    ['what was said to be base64', '!', 'this is not base64', '--encoding', 'base64'],
    [
      "etcd's database",
      Buffer.from(`${'00'.repeat(16)}edda0ced${'00'.repeat(40)}`, 'hex'),
      "this is etcd's database, not what it holds",
    ],
    [
      'a value that the API server encrypts',
      etcdctl(pair('/registry/secrets/a', 'k8s:enc:aescbc:v1:key1:\x00')),
      '/registry/secrets/a: the value is encrypted by the API server (aescbc)',
    ],
    [
      'a value that is no object',
      etcdctl(pair('compact_rev_key', '77')),
      'compact_rev_key: the value is no Kubernetes object',
    ],
    ['a value that is no base64', etcdctl({ key: 'YQ==', value: '!' }), 'a: the value is not base64'],
    ['a value whose base64 is cut', etcdctl({ key: 'YQ==', value: 'YQ' }), 'a: the value is not base64'],
    ['base64 that is cut', 'QQQQQ', 'this is not base64', '--encoding', 'base64'],
    ['a key that is no base64', etcdctl({ key: '?' }), 'the key of kvs[0] is not base64'],
  ];
  test.each(cases)('%s', async (_, stdin, sentence, ...flags) => {
    const { code, stdout, stderr } = await decode(stdin, ...flags);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: stdin: [^\n]+\. [A-Z][^\n]+\.\n$/);
    expect(stderr).toContain(`error: stdin: ${sentence}. `);
    expect(code).toBe(1);
  });

  test('does not stop the others: values of etcd, items of a list, documents, files', async () => {
    const values = await json(etcdctl(pair('a', good), pair('b', 'x'), pair('c', good)));
    expect(values.value.items).toEqual([SMALL, SMALL]);
    const items = await json(
      of({ 2: [{ 1: { 1: 'a' } }, Uint8Array.of(10, 9), { 1: { 1: 'b' } }] }, 'LeaseList'),
    );
    expect(items.value.items.map((item: typeof SMALL) => item.metadata.name)).toEqual(['a', 'b']);
    expect(items.stderr).toContain('the protobuf of items[1] of the LeaseList, in metadata, is cut off');
    const numbers = await json('{"apiVersion":"coordination.k8s.io/v1","kind":"LeaseList","items":[7]}');
    expect(numbers.value.items).toEqual([]);
    expect(numbers.stderr).toContain('at items[0] there should be an object, but there is a number');
    const documents = await json(`{"a":1}${JSON.stringify(SMALL)}`);
    expect(documents.value).toEqual(SMALL);
    const files = await json(good, path.join(folder, 'nowhere'), '-');
    expect(files.value).toEqual(SMALL);
    expect(files.stderr).toMatch(/^error: .*nowhere: the file .*nowhere does not exist\. .*\n$/);
    expect([values, items, numbers, documents, files].map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  });

  test('stays an error with --partial', async () => {
    expect((await json(good.subarray(0, -3), '--partial')).code).toBe(1);
  });

  test('is not told without end', async () => {
    const fields = Array.from({ length: 100 }, (_, index) => [index + 50, 1]);
    const { stderr } = await json(of(Object.fromEntries(fields)));
    expect(stderr.trimEnd().split('\n')).toHaveLength(21);
    expect(stderr).toMatch(/error: stdin: 80 more findings of other kinds are not shown\.\n$/);
  });

  test('an object of very many values', async () => {
    const { code, stderr } = await json(of({ 1: { 13: Buffer.alloc(0), 14: '' } }));
    expect([code, stderr]).toEqual([0, '']);
    const many = Buffer.alloc(2 * 600_000, Uint8Array.of(0x72, 0));
    const refused = await json(of({ 1: many }));
    expect(refused.stderr).toContain('at metadata.finalizers[499999]');
    expect(refused.code).toBe(1);
  });

  test('aliases that grow beyond their own size', async () => {
    const labels = `{${Array.from({ length: 100 }, (_, index) => `k${index}: v`).join(', ')}}`;
    const item = '- {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: x, labels: *a}}\n';
    const yaml = `apiVersion: v1\nkind: List\nmetadata: {x: &a ${labels}}\nitems:\n${item.repeat(900)}`;
    const { code, stderr } = await json(yaml);
    expect(stderr).toMatch(/grows beyond its own size by repeating itself through aliases/);
    expect(code).toBe(1);
  });

  test('an input without end', async () => {
    const chunk = Buffer.alloc(64 * 2 ** 20, ' ');
    const endless = (async function* () {
      for (;;) yield chunk;
    })();
    const { code, stderr } = await run('decode', { stdin: endless });
    expect(stderr).toBe('error: stdin: standard input holds more than 400 MiB. Split it.\n');
    expect(code).toBe(1);
  });

  test('a directory', async () => {
    const { stderr } = await run(['decode', folder]);
    expect(stderr).toMatch(/^error: .*: the file .* is a directory\. Name a file in it\.\n$/);
  });

  test('an object of 17 MB', async () => {
    const { stderr } = await json(of(Buffer.alloc(17 * 2 ** 20)));
    expect(stderr).toContain('the Lease has 17825792 bytes, more than any object of a cluster');
  });
});

test('what acts on a terminal is spelled out', async () => {
  const evil = '\u001b]0;x\u0007\u202e\u2028';
  const bytes = envelope('coordination.k8s.io/v1', 'Lease', {
    1: { 1: evil, 99: 1, 11: { 1: evil, 2: evil } },
  });
  for (const format of ['json', 'yaml']) {
    const { stdout, stderr } = await decode(bytes, '-o', format);
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e\u2028]/);
    expect((load(stdout) as typeof SMALL).metadata.name).toBe(evil);
  }
});

describe('the command line', () => {
  test.each([
    ['--type Lease', '--type needs apiVersion and kind, not "Lease"'],
    ['--encoding base32', '--encoding can\'t be "base32"'],
    ['- -', 'standard input can be read only once'],
    ['--list-kinds x', '--list-kinds and FILE exclude each other'],
    ['-o table', '--output can\'t be "table"'],
    ['--kubeconfig x', 'decode has no flag --kubeconfig'],
  ])('%s', async (args, sentence) => {
    const { code, stderr } = await run(`decode ${args}`);
    expect(stderr).toContain(`error: ${sentence}`);
    expect(code).toBe(1);
  });

  test('needs no cluster', async () => {
    const { code } = await run(['decode', inKubernetes('node-a-lease.pb')], {
      env: { KUBECONFIG: '/nowhere' },
    });
    expect(code).toBe(0);
  });

  test('ends when it is interrupted', async () => {
    const silent = (async function* () {
      await new Promise(() => {});
      yield Buffer.from('');
    })();
    const interrupt = new AbortController();
    const running = run('decode', { stdin: silent, signal: interrupt.signal });
    setTimeout(() => interrupt.abort(), 20);
    expect(await running).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('lists the kinds', async () => {
    const { stdout } = await run('decode --list-kinds -o json');
    const kinds = (JSON.parse(stdout).items as { apiVersion: string; kind: string }[]).map(
      ({ apiVersion, kind }) => `${apiVersion}.${kind}`,
    );
    expect(kinds).toEqual([
      'apps/v1.StatefulSet',
      'apps/v1.StatefulSetList',
      'apps/v1beta1.StatefulSet',
      'apps/v1beta1.StatefulSetList',
      'apps/v1beta2.StatefulSet',
      'apps/v1beta2.StatefulSetList',
      'coordination.k8s.io/v1.Lease',
      'coordination.k8s.io/v1.LeaseList',
      'coordination.k8s.io/v1alpha2.LeaseCandidate',
      'coordination.k8s.io/v1alpha2.LeaseCandidateList',
      'coordination.k8s.io/v1beta1.Lease',
      'coordination.k8s.io/v1beta1.LeaseCandidate',
      'coordination.k8s.io/v1beta1.LeaseCandidateList',
      'coordination.k8s.io/v1beta1.LeaseList',
      'meta.k8s.io/v1.PartialObjectMetadata',
      'meta.k8s.io/v1.PartialObjectMetadataList',
      'v1.Status',
    ]);
  });
});
