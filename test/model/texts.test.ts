// How identities, uids, names in certificates and lengths of time are read and written.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  formatDuration,
  formatRelative,
  formatTime,
  parseDuration,
  parseWarnWithin,
} from '../../src/base/duration.ts';
import { UsageError } from '../../src/base/errors.ts';
import { formatIdentity, formatPrincipal, parseIdentity } from '../../src/model/certificates/identity.ts';
import { parseDecimalSerial } from '../../src/model/certificates/x509.ts';
import { describeWorkload, parseWorkloadUid } from '../../src/model/uid.ts';
import { workload } from './values.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

test.each([
  ['90m', 90 * 60],
  ['1h30m', 90 * 60],
  ['2d', 2 * DAY],
  ['1d12h', 36 * HOUR],
  ['1.5h', 90 * 60],
  ['12s', 12],
  ['500ms', 0.5],
  ['1m500ms', 60.5],
  ['0s', 0],
])('the duration %s', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  '',
  '5',
  'h',
  '-1h',
  '1w',
  '1h 30m',
  '1h30',
  '1h1h',
  '1.h',
  '.5h',
  '1e3s',
  '1H',
  '9'.repeat(10).concat('s'),
  '٣h',
  '1m'.repeat(30),
])('no duration: %j', (text) => {
  expect(() => parseDuration(text)).toThrow(UsageError);
});

test.each([
  ['10%', { percent: 10 }],
  ['12.5%', { percent: 12.5 }],
  ['0%', { percent: 0 }],
  ['100%', { percent: 100 }],
  ['2h', { seconds: 2 * HOUR }],
])('--warn-within %s', (text, expected) => {
  expect(parseWarnWithin(text)).toEqual(expected);
});

test.each(['%', '101%', '100.1%', '-1%', '10 %', '1h%', '10'])('not --warn-within: %j', (text) => {
  expect(() => parseWarnWithin(text)).toThrow(UsageError);
});

test.each([
  [0, '0s', '0s ago'],
  [0.5, '0s', 'in 0s'],
  [1, '1s', 'in 1s'],
  [12, '12s', 'in 12s'],
  [59.9, '59s', 'in 59s'],
  [60, '1m0s', 'in 1m0s'],
  [250, '4m10s', 'in 4m10s'],
  [HOUR - 1, '59m59s', 'in 59m59s'],
  [HOUR, '1h0m', 'in 1h0m'],
  [23 * HOUR + 52 * 60 + 47, '23h52m', 'in 23h52m'],
  [DAY, '1d0h', 'in 1d0h'],
  [400 * DAY + 5 * HOUR, '400d5h', 'in 400d5h'],
  [-12, '12s', '12s ago'],
  [-DAY - 59 * 60, '1d0h', '1d0h ago'],
])('%d seconds', (seconds, length, relative) => {
  expect(formatDuration(seconds)).toBe(length);
  expect(formatRelative(seconds)).toBe(relative);
});

test('what is written can be read, up to the units left out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000 * DAY }), (seconds) => {
      const read = parseDuration(formatDuration(seconds));
      expect(read).toBeLessThanOrEqual(seconds);
      expect(seconds - read).toBeLessThan(seconds >= DAY ? HOUR : seconds >= HOUR ? 60 : 1);
    }),
    { seed: 11, numRuns: 300 },
  );
});

test('times are in whole seconds of UTC', () => {
  expect(formatTime(Date.parse('2026-06-01T02:00:00.999+02:00'))).toBe('2026-06-01T00:00:00Z');
});

describe('identities', () => {
  test('in parts', () => {
    const identity = { trustDomain: 'cluster.local', namespace: 'shop', serviceAccount: 'cart' };
    expect(parseIdentity('spiffe://cluster.local/ns/shop/sa/cart')).toEqual(identity);
    expect(formatIdentity(identity)).toBe('spiffe://cluster.local/ns/shop/sa/cart');
    expect(formatPrincipal(identity)).toBe('cluster.local/ns/shop/sa/cart');
  });

  test.each([
    'spiffe://td/ns/a/sa/',
    'spiffe://td/ns//sa/b',
    'spiffe:///ns/a/sa/b',
    'spiffe://td/ns/a/sa/b/c',
    'spiffe://td/ns/a/b/sa/c',
    'td/ns/a/sa/b',
    'SPIFFE://td/ns/a/sa/b',
    ' spiffe://td/ns/a/sa/b',
    'spiffe://td/sa/b/ns/a',
    'spiffe://td/ns/a/sa/b\n/',
  ])('not of this form: %j', (text) => {
    expect(parseIdentity(text)).toBeUndefined();
  });

  test('any parts survive', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'));
    fc.assert(
      fc.property(fc.record({ trustDomain: part, namespace: part, serviceAccount: part }), (identity) => {
        expect(parseIdentity(formatIdentity(identity))).toEqual(identity);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

test.each([
  ['Kubernetes//Pod/shop/cart-0', 'Kubernetes', 'Pod', 'shop', 'cart-0'],
  ['//Pod/shop/cart-0', '', 'Pod', 'shop', 'cart-0'],
  ['Kubernetes/networking.istio.io/WorkloadEntry/shop/vm-1', 'Kubernetes', 'WorkloadEntry', 'shop', 'vm-1'],
  ['c/networking.istio.io/ServiceEntry/shop/db/10.0.0.1', 'c', 'ServiceEntry', 'shop', 'db'],
  ['c/networking.istio.io/ServiceEntry/shop/db/fd00::1', 'c', 'ServiceEntry', 'shop', 'db'],
  ['net/SplitHorizonWorkload/shop/db/1', '', 'SplitHorizonWorkload', '', ''],
  ['NetworkGateway/net/10.0.0.1/15008', '', 'NetworkGateway', '', ''],
])('the uid %s', (uid, cluster, kind, namespace, name) => {
  expect(parseWorkloadUid(uid)).toEqual({ cluster, kind, namespace, name });
});

test.each(['', 'cart', 'a/b', 'Kubernetes//Pod/shop', 'Kubernetes//Pod/shop/', 'Kubernetes//pod/shop/x'])(
  'no uid: %j',
  (uid) => {
    expect(parseWorkloadUid(uid)).toBeUndefined();
  },
);

test.each([
  ['Kubernetes//Pod/data/db-0', {}, { cluster: 'Kubernetes', kind: 'Pod', namespace: 'data', name: 'db-0' }],
  [
    'NetworkGateway/net/10.0.0.1/15008',
    {},
    { cluster: 'east', kind: 'NetworkGateway', namespace: 'shop', name: 'cart-0' },
  ],
  ['', {}, { cluster: 'east', kind: 'Pod', namespace: 'shop', name: 'cart-0' }],
  ['', { node: '' }, { cluster: 'east', kind: 'Workload', namespace: 'shop', name: 'cart-0' }],
  ['east//Pod/shop/cart-0', {}, { cluster: 'east', kind: 'Pod', namespace: 'shop', name: 'cart-0' }],
  // What its fields say as well must not be taken for what it says.
  [
    'east//Pod/a/b/c',
    { namespace: 'a', name: 'b/c' },
    { cluster: 'east', kind: 'Pod', namespace: 'a', name: 'b' },
  ],
  ['east//Pod//x', { namespace: '', name: 'x' }, { cluster: 'east', kind: 'Pod', namespace: '', name: 'x' }],
  [
    'NetworkGateway//Pod/shop/cart-0',
    { clusterId: 'NetworkGateway' },
    { cluster: 'NetworkGateway', kind: 'NetworkGateway', namespace: 'shop', name: 'cart-0' },
  ],
])('a workload with uid %j', (uid, values, expected) => {
  expect(describeWorkload(workload({ uid, clusterId: 'east', ...(values as object) }))).toEqual(expected);
});

test.each([
  ['0', { decimal: '0', hex: '00' }],
  ['255', { decimal: '255', hex: 'FF' }],
  ['4096', { decimal: '4096', hex: '1000' }],
  [
    '133865010432593852450154055119829542096',
    { decimal: '133865010432593852450154055119829542096', hex: '64B57694EA9A6C4F306B731FD08D24D0' },
  ],
  ['-1', { decimal: '-1', hex: '-01' }],
  ['', undefined],
  ['0x10', undefined],
  ['1.5', undefined],
  ['9'.repeat(101), undefined],
])('the serial number %s', (text, expected) => {
  expect(parseDecimalSerial(text)).toEqual(expected);
});
