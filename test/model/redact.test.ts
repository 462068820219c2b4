// How names are replaced: equal ones stay equal, what is public or structure stays.

import { describe, expect, test } from '@jest/globals';
import { classifyReason } from '../../src/model/certificates/reasons.ts';
import { REASON_TEXTS } from '../../src/model/redact/certificates.ts';
import { redactVersion } from '../../src/model/redact/dump.ts';
import { createNames, type NamesInput } from '../../src/model/redact/names.ts';

const key = Buffer.alloc(32, 7);
const none = { key, ranked: [], whole: [], hosted: [] } satisfies NamesInput;
const names = createNames(none);
const ALIAS = 'x[0-9a-f]{12}';
const exactly = (pattern: string) => expect.stringMatching(new RegExp(`^${pattern}$`));

describe('a name', () => {
  test.each([
    ['a word', 'shop', ALIAS],
    ['with dots, by its components', 'web.shop', `${ALIAS}\\.${ALIAS}`],
    ['of a pod of a StatefulSet', 'cart-0', `${ALIAS}-0`],
    ['of a pod with a high ordinal', 'cart-1234', `${ALIAS}-1234`],
    ['whose number is no ordinal', 'job-29440800', ALIAS],
    ['whose number begins with a zero', 'cart-007', ALIAS],
    ['with numbers, of which the last stays', '172-31-4-9', `${ALIAS}-9`],
    ['of digits alone', '443', ALIAS],
    ['that every mesh has', 'cluster.local', 'cluster\\.local'],
    ['of a service', 'web.shop.svc.cluster.local', `${ALIAS}\\.${ALIAS}\\.svc\\.cluster\\.local`],
    ['that is empty', '', ''],
  ])('%s', (_, text, pattern) => {
    expect(names.name(text)).toEqual(exactly(pattern));
    expect(names.name(text)).toBe(names.name(text));
  });

  test('is another one under another key', () => {
    const other = createNames({ ...none, key: Buffer.alloc(32, 8) });
    expect(other.name('shop')).not.toBe(names.name('shop'));
    expect(other.address('10.0.0.1')).not.toBe(names.address('10.0.0.1'));
  });

  test('of a pod is its StatefulSet, even if that looks like a pod', () => {
    const known = createNames({ ...none, whole: ['web-2'] });
    expect(known.name('web-2-0')).toBe(`${known.name('web-2')}-0`);
    expect(names.name('web-2-0')).not.toBe(`${names.name('web-2')}-0`);
  });

  test('of a node is one component, and keeps its rank', () => {
    const ranked = ['ip-10-0-9-1.ec2.internal', 'ip-10-0-9-2.ec2.internal'];
    const known = createNames({ ...none, ranked, hosted: [{ pod: `proxy-${ranked[1]}`, node: ranked[1]! }] });
    expect(ranked.map(known.name)).toEqual([exactly(`n00000-${ALIAS}`), exactly(`n00001-${ALIAS}`)]);
    expect(known.name(`proxy-${ranked[1]}`)).toBe(`${known.name('proxy')}-${known.name(ranked[1]!)}`);
  });
});

describe('an address', () => {
  const V4 = '2(?:4\\d|5[0-5])\\.\\d+\\.\\d+\\.\\d+';
  const V6 = 'fd[0-9a-f:]+';
  test.each([
    ['of IPv4', '10.1.2.3', V4],
    ['of IPv6', '2001:db8::1', V6],
    ['with a prefix', '10.0.0.0/8', `${V4}/8`],
    ['that is a name', 'web.shop', `${ALIAS}\\.${ALIAS}`],
  ])('%s', (_, text, pattern) => expect(names.address(text)).toEqual(exactly(pattern)));

  test('is the same however IPv6 is written, and no two are the same', () => {
    expect(names.address('2001:DB8:0:0::1')).toBe(names.address('2001:db8::1'));
    const many = Array.from({ length: 30_000 }, (_, at) => names.address(`10.${at >> 8}.${at & 255}.9`));
    expect(new Set(many).size).toBe(30_000);
  });

  test.each([
    ['10.1.2.3:8080', `${V4}:8080`],
    ['[2001:db8::1]:443', `\\[${V6}\\]:443`],
    ['web.shop:80', `${ALIAS}\\.${ALIAS}:80`],
    ['', ''],
  ])('with a port: %s', (text, pattern) => expect(names.endpoint(text)).toEqual(exactly(pattern)));
});

describe('a path', () => {
  const name = names.name;
  test.each([
    ['spiffe://cluster.local/ns/shop/sa/web', `spiffe://cluster.local/ns/${name('shop')}/sa/${name('web')}`],
    ['Kubernetes//Pod/shop/cart-0', `${name('Kubernetes')}//Pod/${name('shop')}/${name('cart')}-0`],
    [
      'east/networking.istio.io/ServiceEntry/shop/vm/10.0.0.9',
      `${name('east')}/networking.istio.io/ServiceEntry/${name('shop')}/${name('vm')}/${names.address('10.0.0.9')}`,
    ],
    ['/10.0.0.1', `/${names.address('10.0.0.1')}`],
    ['net/2001:db8::1', `${name('net')}/${names.address('2001:db8::1')}`],
    ['shop/web.shop.svc.cluster.local', `${name('shop')}/${name('web.shop.svc.cluster.local')}`],
    ['https://istiod.mesh.svc:15012', `https://${name('istiod')}.${name('mesh')}.svc:15012`],
    ['*', '*'],
  ])('%s', (text, redacted) => expect(names.path(text)).toBe(redacted));
});

test.each(Object.entries(REASON_TEXTS))('a reason of the kind %s stays one', (kind, text) => {
  expect(classifyReason(text)).toBe(kind);
});

test.each([
  ['1.28.1', '1.28.1'],
  ['v1.29.0-alpha.3', 'v1.29.0-alpha.3'],
  ['1.28.1-distroless', '1.28.1-distroless'],
  ['1.28.1-acme', exactly('[0-9a-f]{12}')],
  ['acme', exactly('[0-9a-f]{12}')],
])('the version %s', (version, redacted) => expect(redactVersion(version, names)).toEqual(redacted));
