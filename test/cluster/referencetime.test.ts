// Tests of whose clock counts.

import { expect, test } from '@jest/globals';
import { settleReference } from '../../src/sources/kubernetes/referencetime.ts';

const LOCAL = new Date('2026-11-29T22:00:00Z');

test.each([
  ['Sun, 29 Nov 2026 22:00:00 GMT', undefined],
  ['Sun, 29 Nov 2026 22:00:30 GMT', undefined],
  ['Sun, 29 Nov 2026 22:00:31 GMT', '31 s behind'],
  ['Sun, 29 Nov 2026 21:59:29 GMT', '31 s ahead of'],
  ['Sun, 29 Nov 2026 21:45:00 GMT', '15 min ahead of'],
  ['Mon, 30 Nov 2026 08:00:00 GMT', '10 h behind'],
  ['Sun, 29 Nov 2020 22:00:00 GMT', '2191 days ahead of'],
])('the API server’s, when it says %s (%s)', (date, warning) => {
  const settled = settleReference(date, LOCAL);
  expect(settled.reference).toEqual({ time: new Date(date), source: 'api-server' });
  expect(settled.warning).toBe(
    warning && `The local clock is ${warning} the API server's; certificates are judged by the API server's.`,
  );
});

test.each([undefined, 'yesterday'])('the local one, when it says %s', (date) => {
  expect(settleReference(date, LOCAL)).toEqual({
    reference: { time: LOCAL, source: 'system-clock' },
    warning: undefined,
  });
});
