// Bytes that are no Kubernetes object: one sentence that names the place, and a next step.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { decodeKube, decodeResources } from '../../src/decode/kube/object.ts';
import { envelope } from './protobufwriter.ts';

const FOLDER = join(import.meta.dirname, '..', 'testdata', 'kubernetes');
const PODS = readFileSync(join(FOLDER, 'data-pods.pb'));
const LEASE_BYTES = readFileSync(join(FOLDER, 'cart-leader-lease.pb'));

function errorOf(run: () => unknown): UserError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof UserError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

const text = (value: string): Buffer => Buffer.from(value);
const pod = (fields: string): Buffer =>
  text(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},${fields}}`);
const BREAKS_AT = 'this is not valid JSON: an unexpected character at line 1, column ';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

describe('decodeKube refuses', () => {
  test.each<[string, Uint8Array, string | undefined, string]>([
    ['nothing', text(''), undefined, 'the input is empty'],
    ['white space', text(' \n'), undefined, 'this is empty'],
    ['null', text('null'), undefined, 'this is not a Kubernetes object: it has no apiVersion and kind'],
    [
      'a list of numbers',
      text('[1,2]'),
      undefined,
      'this is not a Kubernetes object: it has no apiVersion and kind',
    ],
    [
      'HTML',
      text('<html>'),
      'text/html; charset=utf-8',
      'the answer is "text/html" and no Kubernetes object',
    ],
    [
      'plain text',
      text('404 page not found\n'),
      'text/plain',
      'the answer is "text/plain" and no Kubernetes object: "404 page not found"',
    ],
    ['an unnamed type', text('{}'), '', 'the answer is "" and no Kubernetes object'],
    [
      'a type named like a method',
      text('{}'),
      'constructor',
      'the answer is "constructor" and no Kubernetes object',
    ],
    [
      'JSON said to be protobuf',
      text('{}'),
      PROTOBUF,
      'this should be Kubernetes protobuf, but does not begin with its four bytes k8s\\0',
    ],
    ['protobuf said to be JSON', PODS, 'application/json', 'this is not text: byte 20 is no UTF-8'],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), undefined, 'this is UTF-16 text, not Kubernetes objects'],
    [
      'a PNG',
      Buffer.from('89504e470d0a1a0a', 'hex'),
      undefined,
      'this is a PNG picture, not Kubernetes objects',
    ],
    ['gzip', Buffer.from('1f8b0800', 'hex'), undefined, 'this is gzip, not Kubernetes objects'],
    ['a zero byte', text('{"a":"\0"}'), undefined, 'this is not text: byte 6 is zero'],
    [
      'cut JSON',
      text('{"apiVersion":"v1",\n"kind"'),
      undefined,
      'this is not valid JSON: the text ends too early, at line 2, column 7',
    ],
    [
      'broken JSON',
      text('{"apiVersion":"v1",\n  kind: 1}'),
      undefined,
      'this is not valid JSON: an unexpected character at line 2, column 3',
    ],
    [
      '100,000 brackets',
      text('['.repeat(100_000)),
      undefined,
      'this is not valid JSON: the text ends too early, at line 1, column 100001',
    ],
    [
      'another kind',
      text('{"apiVersion":"apps/v1","kind":"Deployment"}'),
      undefined,
      'objects of kind "Deployment" in "apps/v1" are not read here',
    ],
    [
      'another version',
      text('{"apiVersion":"apps/v1beta1","kind":"StatefulSet"}'),
      undefined,
      'objects of kind "StatefulSet" in "apps/v1beta1" are not read here',
    ],
    [
      'an object without a name',
      text('{"apiVersion":"v1","kind":"Pod","metadata":{}}'),
      undefined,
      'Pod has no metadata.name, so it is no object of a cluster',
    ],
    [
      'an item without a name',
      text('{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"x"}},{}]}'),
      undefined,
      'items[1] has no metadata.name, so it is no object of a cluster',
    ],
    [
      'an item in protobuf without a name',
      envelope('v1', 'PodList', { 2: [{ 1: { 1: 'x' } }, {}] }),
      undefined,
      'items[1] has no metadata.name, so it is no object of a cluster',
    ],
    [
      'items that are no list',
      text('{"apiVersion":"v1","kind":"PodList","items":{}}'),
      undefined,
      'PodList has items that are no list',
    ],
    [
      'an item that is no object',
      text('{"apiVersion":"v1","kind":"PodList","items":[7]}'),
      undefined,
      'items[0] is not a Kubernetes object: it has no apiVersion and kind',
    ],
    [
      'text for a number',
      text('{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"x"},"spec":{"replicas":"3"}}'),
      undefined,
      'at StatefulSet.spec.replicas there should be a whole number, but there is text',
    ],
    [
      'a number for text',
      pod('"spec":{"nodeName":1}'),
      undefined,
      'at Pod.spec.nodeName there should be text, but there is a number',
    ],
    [
      'an object for a list',
      pod('"status":{"podIPs":{}}'),
      undefined,
      'at Pod.status.podIPs there should be a list, but there is an object',
    ],
    [
      'a list for an object',
      pod('"spec":[]'),
      undefined,
      'at Pod.spec there should be an object, but there is a list',
    ],
    [
      'a label that is a number',
      text('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","labels":{"a":1}}}'),
      undefined,
      'at Pod.metadata.labels["a"] there should be text, but there is a number',
    ],
    [
      'a time that is none',
      pod('"status":{"startTime":"yesterday"}'),
      undefined,
      'at Pod.status.startTime there should be an RFC 3339 time, but there is text',
    ],
    [
      'a day that is none',
      pod('"status":{"startTime":"2026-13-01T00:00:00Z"}'),
      undefined,
      'at Pod.status.startTime there should be an RFC 3339 time, but there is text',
    ],
    [
      'cut protobuf',
      PODS.subarray(0, 1000),
      PROTOBUF,
      'the protobuf of the envelope is cut off or corrupt at byte 22',
    ],
    [
      'protobuf cut inside',
      envelope('v1', 'PodList', { 2: [{ 1: { 1: 'x' } }, Uint8Array.of(10, 9, 10)] }),
      PROTOBUF,
      'the protobuf of items[1] of the PodList is cut off or corrupt at byte 32',
    ],
    [
      'a field that is longer than its message',
      envelope('v1', 'Pod', Uint8Array.of(10, 2, 10, 2, 0x61, 0x62)),
      undefined,
      'the protobuf of the Pod is cut off or corrupt at byte 23',
    ],
    [
      'a field set that is not JSON',
      envelope('coordination.k8s.io/v1', 'Lease', { 1: { 1: 'x', 17: { 7: { 1: '{' } } } }),
      undefined,
      'the fieldsV1 of metadata.managedFields is not JSON',
    ],
    [
      'a deep field set',
      envelope('coordination.k8s.io/v1', 'Lease', {
        1: { 1: 'x', 17: { 7: { 1: `${'['.repeat(500)}${']'.repeat(500)}` } } },
      }),
      undefined,
      'at metadata.managedFields the document nests more than 100 levels deep',
    ],
    [
      'a time beyond RFC 3339',
      envelope('coordination.k8s.io/v1', 'Lease', { 1: { 1: 'x', 8: { 1: 253402300800 } } }),
      undefined,
      'a time of 253402300800 seconds since 1970 is outside the years 1 to 9999',
    ],
    [
      'a second of two',
      envelope('coordination.k8s.io/v1', 'Lease', { 1: { 1: 'x' }, 2: { 4: { 1: 1, 2: 1_000_000_000 } } }),
      undefined,
      "a time's fraction of 1000000000 nanoseconds is not within one second",
    ],
    [
      'a compressed envelope',
      envelope('v1', 'Pod', { 1: { 1: 'x' } }, { 3: 'gzip' }),
      undefined,
      'the protobuf envelope holds "gzip" instead of plain protobuf',
    ],
    [
      'JSON in the envelope',
      envelope('v1', 'Pod', text('{}'), { 4: 'application/json' }),
      undefined,
      'the protobuf envelope holds "application/json" instead of plain protobuf',
    ],
    [
      'an object of 17 MB',
      envelope('v1', 'Pod', Buffer.alloc(17 * 2 ** 20)),
      undefined,
      'an object of 17825792 bytes is larger than any that a cluster can hold',
    ],
  ])('%s', (_title, bytes, contentType, expected) => {
    const error = errorOf(() => decodeKube(bytes, contentType));
    expect(error.message).toBe(expected);
    expect(error.hint).toMatch(/^[A-Z].*[.?]$/s);
  });
});

describe('decodeResources', () => {
  const names = (bytes: Uint8Array) =>
    decodeResources(bytes).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  const A = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}';

  test('takes apart List, and lists in it', () => {
    const typed = '{"apiVersion":"apps/v1","kind":"ReplicaSetList","items":[{"metadata":{"name":"b"}}]}';
    const unread =
      '{"apiVersion":"apps/v1","kind":"Deployment"},{"apiVersion":"v1","kind":"Node"},{"apiVersion":"v1","kind":"NodeList"}';
    const list = text(`{"apiVersion":"v1","kind":"List","items":[${A},${typed},${unread}]}`);
    expect(names(list)).toEqual(['Pod/a', 'ReplicaSet/b']);
    expect(decodeResources(list).skipped).toEqual(['apps/v1/Deployment', 'v1/Node']);
  });

  test('takes YAML of several documents, with a byte order mark', () => {
    const yaml =
      '\ufeff# saved\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  creationTimestamp: 2026-01-01T00:00:00Z\n---\n---\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: b, generation: 9223372036854775807}\n';
    expect(names(text(yaml))).toEqual(['Pod/a', 'Lease/b']);
    expect(decodeResources(text(yaml)).objects[0]?.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
    expect(decodeResources(text(yaml)).objects[1]).toHaveProperty(
      'metadata.generation',
      '9223372036854775807',
    );
  });

  test('keys of YAML maps are data', () => {
    const yaml = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    __proto__: p\n';
    const labels = decodeResources(text(yaml)).objects[0]?.metadata.labels ?? {};
    expect(Object.entries(labels)).toEqual([['__proto__', 'p']]);
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  });

  test('takes protobuf', () => {
    expect(decodeResources(PODS).objects).toHaveLength(2);
    expect(names(LEASE_BYTES)).toEqual(['Lease/cart-leader']);
  });

  const bomb = (labels: string) =>
    `a: &a {${Array.from({ length: 100 }, (_, index) => `k${index}: v`).join(', ')}}\napiVersion: v1\nkind: List\nitems:\n${labels}`;
  const item = '- {apiVersion: v1, kind: Pod, metadata: {name: x, labels: *a}}\n';
  const nested = (depth: number): string =>
    depth === 0 ? A : `{"apiVersion":"v1","kind":"List","items":[${nested(depth - 1)}]}`;

  test('takes a few aliases', () => {
    expect(names(text(bomb(item)))).toEqual(['Pod/x']);
  });

  test.each([
    [
      'a Status',
      '{"apiVersion":"v1","kind":"Status","message":"no"}',
      'this is the API server\'s answer "no" and no object',
    ],
    [
      'a Status in a List',
      '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Status"}]}',
      'items[0] is a Status and no object',
    ],
    ['lists in lists without end', nested(9), 'lists are nested too deeply in lists'],
    [
      'broken YAML',
      'a: b\n c: d\n',
      'this is neither JSON nor valid YAML: bad indentation of a mapping entry at line 2, column 3',
    ],
    [
      'deep YAML',
      `a: ${'['.repeat(1000)}`,
      'this is neither JSON nor valid YAML: nesting exceeded maxDepth (100) at line 1, column 103',
    ],
    [
      'an alias bomb',
      bomb(item.repeat(400)),
      'at items[255].metadata.labels["k18"] the document grows beyond its own size by repeating itself through aliases',
    ],
    [
      'many aliases',
      `a: &a 1\nb: [${'*a, '.repeat(1001)}]\n`,
      'this is neither JSON nor valid YAML: aliases exceeded maxAliases (1000) at line 2, column 4006',
    ],
    [
      'a config dump',
      '{"certificates":[]}',
      'this is not a Kubernetes object: it has no apiVersion and kind',
    ],
  ])('refuses %s', (_title, content, expected) => {
    const error = errorOf(() => decodeResources(text(content)));
    expect(error.message).toBe(expected);
    expect(error.hint).not.toBe('');
  });
});

describe('no bytes do harm', () => {
  const seeds = [
    'all-pods.pb',
    'cart-statefulset.pb',
    'cart-leader-lease.etcd.bin',
    'shop-replicasets.partial.pb',
  ].map((name) => readFileSync(join(FOLDER, name)));
  const survives = (bytes: Uint8Array): void => {
    for (const decode of [decodeResources, (all: Uint8Array) => decodeKube(all, undefined)]) {
      try {
        decode(bytes);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(UserError);
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  };
  const settings = { seed: 20261129, numRuns: 400 };

  test('protobuf with changed bytes', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...seeds), changes, (seed, each) => {
        const bytes = Uint8Array.from(seed);
        for (const [at, byte] of each) bytes[4 + (at % (bytes.length - 4))] = byte;
        survives(bytes);
      }),
      settings,
    );
  });

  test('protobuf that ends anywhere', () => {
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.nat(), (seed, at) =>
        survives(seed.subarray(0, at % seed.length)),
      ),
      settings,
    );
  });

  test('anything behind a good envelope', () => {
    const kinds = fc.constantFrom(
      ['v1', 'PodList'],
      ['v1', 'Pod'],
      ['apps/v1', 'StatefulSet'],
      ['v1', 'Status'],
    );
    fc.assert(
      fc.property(kinds, fc.uint8Array({ maxLength: 60 }), ([apiVersion = '', kind = ''], raw) =>
        survives(envelope(apiVersion, kind, raw)),
      ),
      settings,
    );
  });

  test('any JSON', () => {
    const any = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(any, fc.constantFrom('Pod', 'PodList', 'List', 'Status'), (value, kind) => {
        survives(text(JSON.stringify(value)));
        survives(
          text(JSON.stringify({ apiVersion: 'v1', kind, metadata: value, items: [value], spec: value })),
        );
      }),
      settings,
    );
  });

  test('a broken JSON text is said to break where it stops being JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, at) => {
        const whole = `{"a":${json}}`;
        const before = whole.slice(0, at % whole.length);
        // A number, word or escape that is broken is named by where it begins.
        const word = /\\?[\w.+-]*$/.exec(before)?.[0].length ?? 0;
        const { message } = errorOf(() => decodeKube(text(`${before}\u0001`), undefined));
        const columns = [before.length + 1, before.length + 1 - word];
        expect(columns.map((column) => `${BREAKS_AT}${column}`)).toContain(message);
      }),
      settings,
    );
  });
});
