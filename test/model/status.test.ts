// Every row of the STATUS table: when it applies, on which side of its bounds, and before which other row.

import { describe, expect, test } from '@jest/globals';
import type { WarnWithin } from '../../src/base/duration.ts';
import { RULES } from '../../src/model/certificates/judge.ts';
import type { CertificateEntry } from '../../src/model/dump.ts';
import { type CertificateItem, STATUSES } from '../../src/model/items.ts';
import { createRoot, validity } from '../mesh/pki.ts';
import { good, HOUR, intermediate, intermediateFor, later, leaf, leafOf, mid, roots } from './chains.ts';
import { judged } from './judged.ts';
import { answer, available, CART, entry, ztunnel } from './values.ts';

const DAY = 24 * HOUR;
const unreadable = { ...leaf, pem: '<pem construction error: bad>' };

const early = await intermediateFor(-DAY, 12 * HOUR);
const late = await intermediateFor(2 * HOUR, 40 * HOUR);
const over = await intermediateFor(-DAY, 0);
const underEarly = available([await leafOf(early), early.certificate], roots);
const underLate = available([await leafOf(late), late.certificate], roots);
const stranger = await createRoot('CN=Stranger', validity(later(0), -DAY, DAY));
const strangeLeaf = await leafOf(stranger);
const canary = await leafOf(intermediate, { uris: [`${CART}-canary`] });
const strangeCanary = await leafOf(stranger, { uris: ['spiffe://elsewhere/ns/a/sa/b'] });

const short = available([await leafOf(intermediate, validity(later(0), 0, 720)), mid], roots);
const shortest = available([await leafOf(intermediate, validity(later(0), 0, 180)), mid], roots);

function judge(item: CertificateEntry, seconds: number, warnWithin: WarnWithin = { percent: 10 }) {
  const one = ztunnel('zt', 'node-a');
  const answers = [answer(one, { certificates: [item] })];
  return judged({ answers, reference: later(seconds), warnWithin })[0] as CertificateItem;
}

type Row = readonly [
  name: string,
  entry: CertificateEntry,
  seconds: number,
  status: string,
  severity: string,
  reason: string | null,
];

const denied = 'signing gRPC error (The caller does not have permission): a: b';
const idle = 'the identity is no longer needed';

const rows: readonly Row[] = [
  ['reason', entry({ state: `Unavailable: ${denied}` }), 0, 'UNAVAILABLE', 'critical', denied],
  ['no reason', entry({ state: 'Unavailable' }), 0, 'UNAVAILABLE', 'critical', null],
  ['another form', entry({ state: 'UnavailableNow' }), 0, 'UNAVAILABLE', 'critical', 'Now'],
  ['not needed', entry({ state: `Unavailable: ${idle}` }), 0, 'UNAVAILABLE', 'information', idle],
  ['not needed, longer', entry({ state: `Unavailable: ${idle}!` }), 0, 'UNAVAILABLE', 'critical', `${idle}!`],
  ['with a chain', { ...good, state: 'Unavailable: x' }, 30 * HOUR, 'UNAVAILABLE', 'critical', 'x'],
  ['initializing', entry(), 0, 'INITIALIZING', 'warning', null],
  ['with a chain', { ...good, state: 'Initializing' }, 30 * HOUR, 'INITIALIZING', 'warning', null],
  ['another state', { ...good, state: 'Suspended' }, HOUR, 'UNKNOWN', 'warning', 'unknown state: Suspended'],
  ['no state', { ...good, state: '' }, HOUR, 'UNKNOWN', 'warning', 'ztunnel gives no state'],
  ['no chain', available([], roots), HOUR, 'UNKNOWN', 'warning', 'the certificate chain is empty'],
  [
    'bad leaf',
    available([unreadable, mid], roots),
    HOUR,
    'UNKNOWN',
    'warning',
    'the leaf certificate can not be read',
  ],
  [
    'bad intermediate',
    available([leaf, mid, unreadable], roots),
    HOUR,
    'UNKNOWN',
    'warning',
    'intermediate 2 can not be read',
  ],
  ['empty roots', available([leaf, mid], []), HOUR, 'UNKNOWN', 'warning', 'no root certificate is listed'],
  ['no roots', available([leaf], undefined), HOUR, 'UNKNOWN', 'warning', 'no root certificate is listed'],
  [
    'bad roots',
    available([leaf, mid], [unreadable]),
    HOUR,
    'UNKNOWN',
    'warning',
    'no root certificate can be read',
  ],
  ['a bad root aside', available([leaf, mid], [unreadable, ...roots]), HOUR, 'OK', 'ok', null],
  [
    'other name',
    available([canary, mid], roots),
    HOUR,
    'MISMATCH',
    'critical',
    `the certificate is for ${CART}-canary`,
  ],
  [
    'no name',
    available([await leafOf(intermediate, { uris: [] }), mid], roots),
    HOUR,
    'MISMATCH',
    'critical',
    'the certificate names no identity',
  ],
  ['too early', good, -30.001, 'NOT-YET-VALID', 'critical', null],
  ['a little early, as clocks differ', good, -30, 'OK', 'ok', null],
  [
    'intermediate too early',
    underLate,
    2 * HOUR - 30.001,
    'NOT-YET-VALID',
    'critical',
    'intermediate 1 (CN=Other CA) is not valid before 2026-06-01T02:00:00Z',
  ],
  ['intermediate a little early', underLate, 2 * HOUR - 30, 'OK', 'ok', null],
  ['last moment', good, DAY - 0.001, 'EXPIRING', 'warning', null],
  ['expired', good, DAY, 'EXPIRED', 'critical', null],
  [
    'intermediate last moment',
    underEarly,
    12 * HOUR - 0.001,
    'EXPIRING',
    'warning',
    'intermediate 1 (CN=Other CA) expires at 2026-06-01T12:00:00Z',
  ],
  [
    'intermediate expired',
    underEarly,
    12 * HOUR,
    'EXPIRED',
    'critical',
    'intermediate 1 (CN=Other CA) expired at 2026-06-01T12:00:00Z',
  ],
  [
    'untrusted',
    available([strangeLeaf, mid], roots),
    HOUR,
    'UNTRUSTED',
    'critical',
    'the leaf is issued by CN=Stranger, which is not listed',
  ],
  ['at 10 %', good, DAY - 8640, 'RENEWAL-OVERDUE', 'warning', 'renewal was due at 2026-06-01T12:00:00Z'],
  ['under 10 %', good, DAY - 8640 + 0.001, 'EXPIRING', 'warning', null],
  ['half of life', good, 12 * HOUR, 'OK', 'ok', null],
  ['grace of renewal', good, 12 * HOUR + 300, 'OK', 'ok', null],
  [
    'overdue',
    good,
    12 * HOUR + 300.001,
    'RENEWAL-OVERDUE',
    'warning',
    'renewal was due at 2026-06-01T12:00:00Z',
  ],
  ['healthy', good, HOUR, 'OK', 'ok', null],
  ['of 12 minutes, a share of which is the grace', short, 396, 'OK', 'ok', null],
  [
    'of 12 minutes, overdue',
    short,
    396.001,
    'RENEWAL-OVERDUE',
    'warning',
    'renewal was due at 2026-06-01T00:06:00Z',
  ],
  ['of 3 minutes, of which 2 are dated back', shortest, 129, 'OK', 'ok', null],
  [
    'of 3 minutes, overdue',
    shortest,
    129.001,
    'RENEWAL-OVERDUE',
    'warning',
    'renewal was due at 2026-06-01T00:02:00Z',
  ],
  [
    'one root of several shown',
    available([strangeLeaf, mid, roots[0]!], undefined),
    HOUR,
    'UNKNOWN',
    'warning',
    'the leaf is issued by CN=Stranger, which is not listed; this ztunnel shows only the first of its roots',
  ],
  [
    'one root of several shown, expired all the same',
    available([strangeLeaf, mid, roots[0]!], undefined),
    DAY,
    'EXPIRED',
    'critical',
    null,
  ],
];

test.each(rows)('%s', (_name, item, seconds, status, severity, reason) => {
  expect(judge(item, seconds)).toMatchObject({ status, severity, reason });
});

describe('where two rules could match, the first of the table wins', () => {
  const pairs: readonly (readonly [
    name: string,
    entry: CertificateEntry,
    seconds: number,
    status: string,
  ])[] = [
    ['UNKNOWN before MISMATCH', available([canary, mid], []), HOUR, 'UNKNOWN'],
    ['UNKNOWN before EXPIRED', available([leaf, unreadable], roots), 2 * DAY, 'UNKNOWN'],
    ['MISMATCH before NOT-YET-VALID', available([canary, mid], roots), -HOUR, 'MISMATCH'],
    ['MISMATCH before EXPIRED', available([canary, mid], roots), 2 * DAY, 'MISMATCH'],
    ['MISMATCH before UNTRUSTED', available([strangeCanary], roots), HOUR, 'MISMATCH'],
    [
      'NOT-YET-VALID before EXPIRED',
      available([leaf, late.certificate, over.certificate], roots),
      HOUR,
      'NOT-YET-VALID',
    ],
    ['NOT-YET-VALID before UNTRUSTED', available([strangeLeaf], roots), -HOUR, 'NOT-YET-VALID'],
    ['EXPIRED before UNTRUSTED', available([strangeLeaf], roots), 2 * DAY, 'EXPIRED'],
    ['UNTRUSTED before EXPIRING', available([strangeLeaf], roots), DAY - HOUR, 'UNTRUSTED'],
    ['UNTRUSTED before RENEWAL-OVERDUE', available([strangeLeaf], roots), 14 * HOUR, 'UNTRUSTED'],
    ['EXPIRING before RENEWAL-OVERDUE', good, DAY - HOUR, 'EXPIRING'],
  ];
  test.each(pairs)('%s', (_name, item, seconds, status) => {
    expect(judge(item, seconds).status).toBe(status);
  });
});

describe('--warn-within', () => {
  test.each([
    [{ seconds: 2 * HOUR }, 22 * HOUR, 'RENEWAL-OVERDUE'],
    [{ seconds: 2 * HOUR }, 22 * HOUR + 0.001, 'EXPIRING'],
    [{ percent: 95 }, HOUR, 'OK'],
    [{ percent: 95 }, 2 * HOUR, 'EXPIRING'],
    [{ percent: 0 }, DAY - 1, 'RENEWAL-OVERDUE'],
  ] as const)('%j at %d s', (warnWithin, seconds, status) => {
    expect(judge(good, seconds, warnWithin).status).toBe(status);
  });

  test('a percentage is of the life of the leaf, counted back from the effective expiry', () => {
    // 10 % of 24 h before 12:00 is 09:36.
    expect(judge(underEarly, 12 * HOUR - 8640).status).toBe('OK');
    expect(judge(underEarly, 12 * HOUR - 8640 + 1).status).toBe('EXPIRING');
  });
});

test('every status but MISSING has a rule, in the order of the table', () => {
  // UNKNOWN has two: what can't be read, and what is not shown.
  const ruled = RULES.map(({ status }) => status).filter((status, at, all) => all.indexOf(status) === at);
  expect([...ruled, 'MISSING']).toEqual(STATUSES);
});

test('one of several names is enough, and only the first of many are told', async () => {
  const others = Array.from({ length: 9 }, (_, i) => `spiffe://cluster.local/ns/shop/sa/other-${i}`);
  const several = await leafOf(intermediate, { uris: [...others, CART] });
  expect(judge(available([several, mid], roots), HOUR).status).toBe('OK');
  const none = await leafOf(intermediate, { uris: others });
  expect(judge(available([none, mid], roots), HOUR).reason).toBe(
    `the certificate is for ${others.slice(0, 3).join(', ')} and 6 more`,
  );
});

test('a name that is a DNS name does not count', async () => {
  const dns = await leafOf(intermediate, { uris: [], dns: ['cart'] });
  expect(judge({ ...available([dns, mid], roots), identity: 'cart' }, HOUR).status).toBe('MISMATCH');
});
