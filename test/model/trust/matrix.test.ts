// Which classes there are, which of them can verify each other and why not, and how little is verified for it.

import { describe, expect, test } from '@jest/globals';
import { joinCertificates } from '../../../src/model/certificates/certificates.ts';
import { type SearchPaths, searchPaths } from '../../../src/model/certificates/paths.ts';
import { createVerification } from '../../../src/model/certificates/verification.ts';
import type { CertificateEntry, Workload } from '../../../src/model/dump.ts';
import { groupByTrust } from '../../../src/model/trust/classes.ts';
import { judgeMatrix, listBrokenPairs } from '../../../src/model/trust/matrix.ts';
import { listRootUses } from '../../../src/model/trust/roots.ts';
import type { Answer } from '../../../src/model/types.ts';
import { CLIENT, type Made, make, SERVER, START, EXTENSIONS as X } from '../certificates/maker.ts';
import { answer, available, inventory, workload, ztunnel } from '../values.ts';

const DAY = 86_400;
const authority = [X.authority(), X.keyUsage(0x06)];
const rootA = make({ name: 'Root A', extensions: authority });
const rootB = make({ name: 'Root B', extensions: authority });
const renewedA = make({ name: 'Root A', keys: rootA.keys, extensions: authority });
const midA = make({ name: 'Mid A', by: rootA, extensions: authority });
const otherMidA = make({ name: 'Mid A', by: rootA, extensions: authority });
const endedA = make({ name: 'Mid A', by: rootA, to: -DAY, extensions: authority });
const midB = make({ name: 'Mid B', by: rootB, extensions: authority });

interface Held {
  readonly account: string;
  readonly chain: readonly Made[];
  readonly roots: readonly Made[] | undefined;
  readonly domain?: string;
  readonly usages?: readonly string[];
}

const id = (account: string, domain = 'cluster.local') => `spiffe://${domain}/ns/shop/sa/${account}`;

function entryOf({ account, chain, roots, domain, usages = [SERVER, CLIENT] }: Held): CertificateEntry {
  const identity = id(account, domain);
  const leaf = make({
    by: chain[0]!,
    extensions: [X.notAuthority(), X.usages(...usages), X.uri(identity)],
    to: DAY,
  });
  const made = [leaf, ...chain.filter((one) => one !== rootA && one !== rootB)].map((one) => one.listed);
  if (roots === undefined) return available([...made, chain.at(-1)!.listed], undefined, { identity });
  return available(
    made,
    roots.map((one) => one.listed),
    { identity },
  );
}

/** All on one node, each used by a workload unless others are given. */
function judge(held: readonly Held[], workloads?: readonly Workload[]) {
  const certificates = held.map(entryOf);
  const own = held.map(({ account, domain = 'cluster.local' }) =>
    workload({
      name: account,
      serviceAccount: account,
      trustDomain: domain,
      uid: `Kubernetes//Pod/shop/${account}`,
    }),
  );
  const answers = [
    answer(ztunnel('z', 'node-a'), { certificates, workloads: workloads ?? own, node: 'node-a' }),
  ];
  return matrixOf(answers);
}

function matrixOf(answers: readonly Answer[], search: SearchPaths = searchPaths) {
  const verification = createVerification(search);
  const joined = joinCertificates(
    {
      answers,
      ztunnels: answers.map((each) => each.ztunnel),
      failures: [],
      inventory: inventory(),
      reference: new Date(START),
      source: 'files',
      warnWithin: { percent: 0 },
      evaluateMissing: false,
    },
    verification,
  );
  const classes = groupByTrust(joined.items, verification, START);
  const matrix = judgeMatrix(classes, verification, START);
  const nameOf = (at: number) => classes[at]!.members.map(({ serviceAccount }) => serviceAccount).join('+');
  const works = Object.fromEntries(
    matrix.pairs.flatMap((row, from) =>
      row.map(({ works: does }, to) => [`${nameOf(from)} > ${nameOf(to)}`, does]),
    ),
  );
  return { classes, matrix, works, joined };
}

const fails = ({ matrix }: ReturnType<typeof judge>) =>
  listBrokenPairs(matrix).map(({ directions }) =>
    directions.map(({ outcomes }) =>
      outcomes
        .filter(({ outcome }) => outcome === 'fails')
        .map(({ side, rule, text }) => `${side} ${rule}: ${text}`),
    ),
  );

const onA = (account: string, more: Partial<Held> = {}): Held => ({
  account,
  chain: [midA],
  roots: [rootA],
  ...more,
});
const onB = (account: string, more: Partial<Held> = {}): Held => ({
  account,
  chain: [midB],
  roots: [rootB],
  ...more,
});

describe('two', () => {
  test('of one kind are one class', () => {
    const { classes, works } = judge([onA('a'), onA('b')]);
    expect(classes.map(({ counts }) => counts.identities)).toEqual([2]);
    expect(works).toEqual({ 'a+b > a+b': true });
  });

  test('under other intermediates of one root are one class, since nobody tells them apart', () => {
    const { classes, works } = judge([onA('a'), onA('b', { chain: [otherMidA] })]);
    expect(classes).toHaveLength(1);
    expect(works).toEqual({ 'a+b > a+b': true });
  });

  test('on roots that have nothing to do with each other: no way, in either direction', () => {
    const found = judge([onA('a'), onB('b')]);
    expect(found.works).toEqual({ 'a > a': true, 'a > b': false, 'b > a': false, 'b > b': true });
    expect(fails(found)).toEqual([
      [
        [
          'client chain: intermediate 1 (CN=Mid B) is issued by CN=Root B, which is not listed',
          'server chain: intermediate 1 (CN=Mid A) is issued by CN=Root A, which is not listed',
        ],
        [
          'client chain: intermediate 1 (CN=Mid A) is issued by CN=Root A, which is not listed',
          'server chain: intermediate 1 (CN=Mid B) is issued by CN=Root B, which is not listed',
        ],
      ],
    ]);
  });

  test('of which one trusts both roots: still no way, since both sides verify', () => {
    const { works } = judge([onA('a'), onB('b', { roots: [rootA, rootB] })]);
    expect([works['a > b'], works['b > a']]).toEqual([false, false]);
  });

  test('that trust both roots', () => {
    const both = { roots: [rootA, rootB] };
    const { works, classes } = judge([onA('a', both), onB('b', both)]);
    expect(classes.map(({ anchor }) => anchor?.subject)).toEqual(
      expect.arrayContaining(['CN=Root A', 'CN=Root B']),
    );
    expect([works['a > b'], works['b > a']]).toEqual([true, true]);
  });

  test('in other trust domains: servers refuse', () => {
    const found = judge([onA('a'), onA('b', { domain: 'corp.local' })]);
    expect([found.works['a > b'], found.works['b > a']]).toEqual([false, false]);
    expect(fails(found)[0]).toEqual([
      ['server domain: the client is in trust domain cluster.local, the server in corp.local'],
      ['server domain: the client is in trust domain corp.local, the server in cluster.local'],
    ]);
  });

  test('of which one may only be a server: it can be reached, and reaches nobody', () => {
    const { works } = judge([onA('a'), onA('b', { usages: [SERVER] })]);
    expect(works).toEqual({ 'a > a': true, 'a > b': true, 'b > a': false, 'b > b': false });
  });

  test('of which one has an intermediate that has ended', () => {
    const found = judge([onA('a'), onA('b', { chain: [endedA] })]);
    expect([found.works['a > b'], found.works['b > a']]).toEqual([false, false]);
    const ended = 'dates: intermediate 1 (CN=Mid A) expired at 2026-05-31T00:00:00Z';
    expect(
      fails(found)[0]!
        .map(([only]) => only)
        .toSorted(),
    ).toEqual([`client ${ended}`, `server ${ended}`]);
  });

  test('of which one shows only the first of its roots: what it may trust besides is not known', () => {
    const { works } = judge([onB('b'), onA('a', { roots: undefined, chain: [midA, rootA] })]);
    expect(works).toEqual({ 'b > b': true, 'b > a': false, 'a > b': false, 'a > a': true });
    const both = judge([
      onB('b', { roots: [rootA, rootB] }),
      onA('a', { roots: undefined, chain: [midA, rootA] }),
    ]);
    expect([both.works['a > b'], both.works['b > a']]).toEqual([undefined, undefined]);
  });
});

describe('what counts', () => {
  const in_ = (domain: string, account = 'a') =>
    workload({
      name: account,
      serviceAccount: account,
      trustDomain: domain,
      uid: `Kubernetes//Pod/shop/${account}`,
    });

  test('is the identity that the workload has today', () => {
    const held = [onA('a'), onA('a', { domain: 'corp.local' })];
    expect(judge(held, [in_('corp.local')]).classes.map(({ trustDomain }) => trustDomain)).toEqual([
      'corp.local',
    ]);
    expect(judge(held, [in_('cluster.local')]).classes.map(({ trustDomain }) => trustDomain)).toEqual([
      'cluster.local',
    ]);
    expect(judge(held, [in_('cluster.local'), in_('corp.local')]).classes).toHaveLength(2);
    expect(judge(held, []).classes).toEqual([]);
  });

  test('is not what a waypoint fetches and never presents', () => {
    const waypoint = { ...in_('cluster.local'), nativeTunnel: true };
    expect(judge([onA('a')], [waypoint]).classes).toEqual([]);
    expect(judge([onA('a')], [waypoint, { ...in_('cluster.local'), name: 'b' }]).classes).toHaveLength(1);
  });
});

describe('roots', () => {
  const usesOf = (held: readonly Held[]) =>
    listRootUses(judge(held).classes).map(
      ({ root, presentedBy, trustedBy, untrustedBy, unknownTo, maySign, mayDrop }) => ({
        root: root.subject,
        counts: [presentedBy, trustedBy, untrustedBy, unknownTo].map(({ counts }) => counts.certificates),
        maySign,
        mayDrop,
      }),
    );

  test('one that is issued anew with its name and key is the same to all', () => {
    const uses = usesOf([onA('a'), onA('b', { roots: [renewedA] })]);
    expect(uses.map(({ root, maySign }) => [root, maySign])).toEqual([
      ['CN=Root A', true],
      ['CN=Root A', true],
    ]);
  });

  test('an identity counts as trusting it once it does on all of its nodes', () => {
    const [first, second] = [onA('web', { roots: [rootA, rootB] }), onA('web')].map((held, index) => {
      const node = `node-${index}`;
      const own = workload({
        name: 'web',
        serviceAccount: 'web',
        node,
        uid: `Kubernetes//Pod/shop/web-${index}`,
      });
      return answer(ztunnel(node, node), { certificates: [entryOf(held)], workloads: [own], node });
    });
    const usesOf = (answers: readonly Answer[]) =>
      listRootUses(matrixOf(answers).classes).map(({ root, trustedBy: { counts } }) => [
        root.subject,
        counts.certificates,
        counts.identities,
      ]);
    expect(usesOf([first!, second!])).toContainEqual(['CN=Root B', 1, 0]);
    expect(usesOf([first!])).toContainEqual(['CN=Root B', 1, 1]);
  });

  test('one that may be trusted by what is not shown', () => {
    const uses = usesOf([
      onB('b', { roots: [rootA, rootB] }),
      onA('a', { roots: undefined, chain: [midA, rootA] }),
    ]);
    expect(uses.find(({ root }) => root === 'CN=Root B')).toEqual({
      root: 'CN=Root B',
      counts: [1, 1, 0, 1],
      maySign: undefined,
      mayDrop: false,
    });
  });

  test('are counted within their trust domain', () => {
    const uses = listRootUses(judge([onA('a'), onB('b', { domain: 'corp.local' })]).classes);
    expect(uses.map(({ trustDomain, maySign, isNewest }) => [trustDomain, maySign, isNewest])).toEqual([
      ['cluster.local', true, true],
      ['corp.local', true, true],
    ]);
  });
});

test('1,000 ztunnels with 30 certificates each, in 20 classes: no more is verified than each class against each set of roots', () => {
  const roots = Array.from({ length: 5 }, (_, at) => make({ name: `Root ${at}`, extensions: authority }));
  const kinds = roots.flatMap((root, at) => {
    const mids = [0, 1].map((which) =>
      make({ name: `Mid ${at}`, by: root, extensions: authority, from: -DAY - which }),
    );
    const trusted = [[root], [root, roots[(at + 1) % roots.length]!]];
    return mids.flatMap((mid) => trusted.map((list) => ({ chain: [mid], roots: list })));
  });
  expect(kinds).toHaveLength(20);
  // Each kind has 30 leaves of its own, of which no two are the same.
  const entries = kinds.map((kind) =>
    Array.from({ length: 30 }, (_, at) => entryOf({ account: `a${at}`, ...kind })),
  );
  const answers = Array.from({ length: 1000 }, (_, at) =>
    answer(ztunnel(`z${at}`, `node-${at}`), {
      certificates: entries[at % 20]!,
      sections: new Set(['certificates', 'config']),
    }),
  );
  const asked: string[] = [];
  const { classes, matrix, joined } = matrixOf(answers, (chain, list, provider) => {
    asked.push(
      `${chain.intermediates.map(({ facts }) => facts.fingerprintSHA256)} ${list.map(({ facts }) => facts.fingerprintSHA256)}`,
    );
    return searchPaths(chain, list, provider);
  });
  expect(joined.items).toHaveLength(30_000);
  // Two intermediates of one root are told apart by nobody: 5 roots, each with two sets of them that are trusted.
  expect(classes.map(({ members }) => members.length)).toEqual(Array(10).fill(3000));
  expect(matrix.pairs.flat()).toHaveLength(100);
  // 10 chains of intermediates, 10 sets of roots; none of them twice.
  expect(asked.length).toBeLessThanOrEqual(100);
  expect(new Set(asked).size).toBe(asked.length);
});
