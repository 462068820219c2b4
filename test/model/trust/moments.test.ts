// What is said of each pair of pods in moments of a real mesh, against whether a connection came about there.

import { describe, expect, test } from '@jest/globals';
import { formatIdentity } from '../../../src/model/certificates/identity.ts';
import { groupByTrust } from '../../../src/model/trust/classes.ts';
import { findOwn, isEnrolled } from '../../../src/model/trust/ends.ts';
import { judgeMatrix, listBrokenPairs } from '../../../src/model/trust/matrix.ts';
import { explainPair, type PairEnd } from '../../../src/model/trust/pair.ts';
import { listRootUses } from '../../../src/model/trust/roots.ts';
import { MOMENTS, type MomentPod, readMoment } from './mesh.ts';

function explain(moment: ReturnType<typeof readMoment>, pair: string) {
  const [source, destination] = pair.split(' -> ').map((name) => endOf(moment, moment.pods.get(name)!)) as [
    PairEnd,
    PairEnd,
  ];
  return explainPair(source, destination, moment.joined.verification, moment.at);
}

function endOf({ joined, answers }: ReturnType<typeof readMoment>, pod: MomentPod): PairEnd {
  const own = answers.find(({ ztunnel }) => ztunnel.node === pod.node)!;
  const workload = own.dump.workloads.find(
    ({ name, namespace }) => name === pod.name && namespace === pod.namespace,
  );
  return {
    item: findOwn(joined.items, pod),
    enrolled: isEnrolled(own, pod),
    expected: workload && formatIdentity(workload),
  };
}

/** What certificates tell of a pair: what policies refuse they would not, and of node-b's empty ztunnel nothing. */
function expectedOf(series: string, pair: string, reached: boolean): boolean | undefined {
  if (series === 'policies') return true;
  return series === 'token' && /shop\/cart|data\/db/.test(pair) ? undefined : reached;
}

for (const name of MOMENTS) {
  describe(name, () => {
    const moment = readMoment(name);
    const [series = ''] = name.split('/');

    test.each(Object.entries(moment.reached))('%s', (pair, reached) => {
      const { works, decisive } = explain(moment, pair);
      const expected = expectedOf(series, pair, reached);
      expect(works).toBe(expected);
      expect(decisive === undefined).toBe(expected === true);
    });
  });
}

test('what decides is said', () => {
  const textOf = (name: string, pair: string) => explain(readMoment(name), pair).decisive;
  expect(textOf('abrupt/1-node-a-on-b', 'shop/web -> shop/cart')).toMatchObject({
    about: 'destination',
    side: 'client',
    rule: 'chain',
    text: expect.stringMatching(/^intermediate 1 \(.*\) is (?:not signed with the key of root|issued by) /),
  });
  expect(textOf('enrol/1-never-handed-over', 'shop/web -> data/db')).toMatchObject({
    about: 'destination',
    rule: 'enrolled',
    outcome: 'fails',
  });
  expect(textOf('untrusted-account/1', 'shop/web -> data/db')).toMatchObject({
    about: 'source',
    rule: 'certificate',
    text: expect.stringContaining('request impersonation authentication failure'),
  });
  expect(textOf('token/1-node-b-other-audience', 'shop/web -> data/db')).toMatchObject({
    about: 'destination',
    outcome: 'unknown',
  });
});

describe('classes', () => {
  const classesIn = (name: string) => {
    const { joined, at } = readMoment(name);
    const classes = groupByTrust(joined.items, joined.verification, at);
    return {
      classes,
      broken: listBrokenPairs(judgeMatrix(classes, joined.verification, at)),
      uses: listRootUses(classes),
    };
  };

  test('before anything: one', () => {
    const { classes, broken } = classesIn('abrupt/0-before');
    expect(classes.map(({ counts, trustDomain, usages }) => [counts, trustDomain, usages])).toEqual([
      [
        { certificates: 4, identities: 4, nodes: 2, pods: 4 },
        'cluster.local',
        { serverAuth: true, clientAuth: true },
      ],
    ]);
    expect(broken).toEqual([]);
  });

  test('one node on another root: two, which can not verify each other', () => {
    const { classes, broken } = classesIn('abrupt/1-node-a-on-b');
    expect(classes.map(({ members }) => [...new Set(members.map(({ node }) => node))])).toEqual([
      ['node-b'],
      ['node-a'],
    ]);
    expect(broken).toHaveLength(1);
    expect(broken[0]!.directions.map(({ works }) => works)).toEqual([false, false]);
    expect(
      broken[0]!.directions[0].outcomes
        .filter(({ outcome }) => outcome === 'fails')
        .map(({ side, rule }) => `${side} ${rule}`),
    ).toEqual(['client chain', 'server chain']);
  });

  test('in the middle of a rotation: one or two, and all works', () => {
    for (const name of ['rotation/1-both-trusted', 'rotation/2-all-renewed']) {
      expect(classesIn(name).broken).toEqual([]);
    }
  });

  // Made in the same second, so that neither is the newest by its dates.
  const [A, B] = ['c32bfde2', 'eeeaa1c1'];
  const usesIn = (name: string) =>
    Object.fromEntries(
      classesIn(name).uses.map(({ root, presentedBy, trustedBy, untrustedBy, maySign, mayDrop }) => [
        root.fingerprintSHA256.slice(0, 8),
        {
          presented: presentedBy.counts.identities,
          trusted: trustedBy.counts.identities,
          maySign,
          mayDrop,
          inTheWay: [untrustedBy, presentedBy].map(({ members }) =>
            members.map(({ serviceAccount }) => serviceAccount).join(),
          ),
        },
      ]),
    );
  const all = 'db,admin,cart,web';

  test('after a rotation: none presents the old root, four the new one, and the old one may be dropped', () => {
    expect(usesIn('rotation/2-all-renewed')).toEqual({
      [A!]: { presented: 0, trusted: 4, maySign: true, mayDrop: true, inTheWay: ['', ''] },
      [B!]: { presented: 4, trusted: 4, maySign: true, mayDrop: false, inTheWay: ['', all] },
    });
  });

  test('before it: the new root may be signed with, the old one not dropped', () => {
    expect(usesIn('rotation/1-both-trusted')).toEqual({
      [A!]: { presented: 4, trusted: 4, maySign: true, mayDrop: false, inTheWay: ['', all] },
      [B!]: { presented: 0, trusted: 4, maySign: true, mayDrop: true, inTheWay: ['', ''] },
    });
  });

  test('abruptly: neither may be signed with nor dropped, and who is in the way', () => {
    expect(usesIn('abrupt/1-node-a-on-b')).toEqual({
      [A!]: { presented: 2, trusted: 2, maySign: false, mayDrop: false, inTheWay: ['admin,web', 'db,cart'] },
      [B!]: { presented: 2, trusted: 2, maySign: false, mayDrop: false, inTheWay: ['db,cart', 'admin,web'] },
    });
  });
});
