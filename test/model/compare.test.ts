// What one dump alone holds: each thing once, and as it was named first.

import { describe, expect, test } from '@jest/globals';
import { joinHeld } from '../../src/model/workloads/compare.ts';
import { answer, workload, ztunnel } from './values.ts';

const first = workload({ uid: 'a', name: 'first' });
const again = workload({ uid: 'a', name: 'again' });
const other = workload({ uid: 'b', name: 'other' });

describe('one dump', () => {
  test.each([
    ['sorted', [first, other], ['first', 'other']],
    ['unsorted', [other, first], ['other', 'first']],
    ['naming one twice in a row', [first, again, other], ['first', 'other']],
    ['naming one twice', [other, first, again], ['other', 'first']],
    ['empty', [], []],
  ])('%s', (_how, workloads, names) => {
    const only = answer(ztunnel('zt-1', 'node-a'), { workloads });
    const held = joinHeld(
      [only],
      (dump) => dump.workloads,
      ({ uid }) => uid,
    );
    expect(held.map(({ item }) => item.name)).toEqual(names);
    for (const each of held) {
      expect(each).toMatchObject({
        first: only,
        differs: false,
        ztunnels: [{ name: 'zt-1', node: 'node-a' }],
      });
    }
  });
});
