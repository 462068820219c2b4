// When an identity is MISSING from a node: each condition of the rule, and what happens without it.

import { describe, expect, test } from '@jest/globals';
import { findMissing, type MissingInput } from '../../src/model/certificates/missing.ts';
import type { Section } from '../../src/model/dump.ts';
import type { Failure } from '../../src/model/types.ts';
import {
  answer,
  CART,
  dump,
  entry,
  file,
  forbidden,
  inventory,
  listed,
  notAsked,
  type PodValues,
  pod,
  workload,
  ztunnel,
} from './values.ts';

const NOW = '2026-06-01T00:00:00Z';
const one = ztunnel('ztunnel-a', 'node-a');
const other = ztunnel('ztunnel-b', 'node-a');
const web = entry({ identity: 'spiffe://cluster.local/ns/shop/sa/web' });

function find(values: Partial<MissingInput>) {
  return findMissing({
    answers: [answer(one, { certificates: [web] })],
    ztunnels: [one],
    failures: [],
    inventory: inventory({ pods: listed(pod()) }),
    reference: new Date(NOW),
    source: 'live',
    evaluateMissing: true,
    ...values,
  });
}

function names(values: Partial<MissingInput>) {
  const missing = find(values);
  if (!missing.evaluated) return missing.why;
  return missing.identities.map(
    ({ trustDomain, namespace, serviceAccount, node }) =>
      `${trustDomain} ${namespace}/${serviceAccount} ${node}`,
  );
}

const CART_MISSING = ['cluster.local shop/cart node-a'];

describe('the pod', () => {
  const started = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
  type Missing = boolean | 'young';
  const cases: readonly (readonly [name: string, values: PodValues, isMissing: Missing])[] = [
    ['captured, running, settled', {}, true],
    ['Pending', { status: { phase: 'Pending' } }, false],
    ['Succeeded', { status: { phase: 'Succeeded' } }, false],
    ['on the host network', { spec: { hostNetwork: true } }, false],
    ['being deleted', { deletionTimestamp: NOW }, false],
    ['not captured', { annotations: {} }, false],
    ['not captured yet', { annotations: { 'ambient.istio.io/redirection': 'pending' } }, false],
    ['60 s old', { status: { startTime: started(60) } }, 'young'],
    ['older than 60 s', { status: { startTime: started(60.001) } }, true],
    [
      'old but started just now',
      { creationTimestamp: started(900), status: { startTime: started(5) } },
      'young',
    ],
    ['without a start, old', { creationTimestamp: started(61), status: { startTime: undefined } }, true],
    ['without a start, young', { creationTimestamp: started(59), status: { startTime: undefined } }, 'young'],
    ['of unknown age', { creationTimestamp: 'once', status: { startTime: undefined } }, false],
    ['on no node', { spec: { nodeName: '' } }, false],
    ['on a node without a ztunnel in scope', { spec: { nodeName: 'node-z' } }, false],
    ['of another service account, which is listed', { spec: { serviceAccountName: 'web' } }, false],
    ['of another namespace', { namespace: 'data' }, true],
  ];
  test.each(cases)('%s', (_name, values, isMissing) => {
    const expected = isMissing ? [`cluster.local ${values.namespace ?? 'shop'}/cart node-a`] : [];
    const sources = { inventory: inventory({ pods: listed(pod(values)) }) };
    expect(names(sources)).toEqual(expected);
    const missing = find(sources);
    const settled = missing.evaluated && missing.identities.map(({ use }) => use.settled);
    expect(settled).toEqual(isMissing === false ? [] : [isMissing !== 'young']);
  });

  test('the oldest of several counts', () => {
    const young = pod({ name: 'cart-1', status: { startTime: started(5) } });
    const missing = find({ inventory: inventory({ pods: listed(young, pod(), young) }) });
    expect(missing).toMatchObject({ identities: [{ use: { settled: true } }] });
  });

  test('several of one identity are one row', () => {
    expect(names({ inventory: inventory({ pods: listed(pod(), pod({ name: 'cart-1' })) }) })).toEqual(
      CART_MISSING,
    );
  });
});

describe('the ztunnels of its node', () => {
  const lists = (...certificates: readonly ReturnType<typeof entry>[]) => ({ certificates });
  const cart = entry();
  const dedicated = { ...dump().config, proxyMode: 'Dedicated' };
  const sections = (...names: Section[]) => ({ sections: new Set(names) });
  const problems = [{ section: 'certificates', message: 'broken' }] as const;
  const failure = (severity: Failure['severity'], node: string | null): Failure => ({
    ztunnel: { ...file('x.json'), node },
    severity,
    message: '',
    hint: '',
  });

  const cases: readonly (readonly [name: string, values: Partial<MissingInput>, isMissing: boolean])[] = [
    ['one, which lists others', {}, true],
    ['one, which lists nothing', { answers: [answer(one)] }, true],
    ['one, which lists it', { answers: [answer(one, lists(web, cart))] }, false],
    [
      'one, which lists it in another trust domain',
      { answers: [answer(one, lists(entry({ identity: CART.replace('cluster.local', 'td') })))] },
      false,
    ],
    [
      'one of another node, which lists it',
      { answers: [answer(one), answer(ztunnel('z', 'node-b'), lists(cart))] },
      true,
    ],
    [
      'two, of which neither lists it',
      { ztunnels: [one, other], answers: [answer(one), answer(other)] },
      true,
    ],
    [
      'two, of which one lists it',
      { ztunnels: [one, other], answers: [answer(one), answer(other, lists(cart))] },
      false,
    ],
    ['two, of which one did not answer', { ztunnels: [one, other] }, false],
    [
      'two, of which one is not Running',
      { ztunnels: [one, ztunnel('ztunnel-b', 'node-a', 'Pending')] },
      true,
    ],
    ['one that did not answer', { answers: [] }, false],
    [
      'one that answered but is not Running',
      { ztunnels: [], answers: [answer(ztunnel('z', 'node-a', 'Succeeded'))] },
      false,
    ],
    ['one in dedicated mode', { answers: [answer(one, { config: dedicated })] }, false],
    [
      'two, of which one is in dedicated mode',
      { ztunnels: [one, other], answers: [answer(one), answer(other, { config: dedicated })] },
      false,
    ],
    ['one whose certificates were not found', { answers: [answer(one, sections('config'))] }, false],
    ['one whose certificates are broken', { answers: [answer(one, { problems })] }, false],
    [
      'one with a problem elsewhere',
      { answers: [answer(one, { problems: [{ section: 'services', message: '' }] })] },
      true,
    ],
    ['one, and a dump of the node that failed', { failures: [failure('error', 'node-a')] }, false],
    ['one, and a warning', { failures: [failure('warning', 'node-a')] }, true],
    ['one, and a failure elsewhere', { failures: [failure('error', 'node-b')] }, true],
  ];
  test.each(cases)('%s', (_name, values, isMissing) => {
    expect(names(values)).toEqual(isMissing ? CART_MISSING : []);
  });
});

describe('the trust domain', () => {
  const of = (...domains: readonly string[]) => ({
    certificates: domains.map((domain, i) => entry({ identity: `spiffe://${domain}/ns/data/sa/s${i}` })),
  });
  const elsewhere = ztunnel('ztunnel-z', 'node-z');
  test.each([
    [
      'the commonest of the node',
      [answer(one, of('b', 'a', 'b')), answer(elsewhere, of('a', 'a', 'a'))],
      'b',
    ],
    ['of a tie, the first by name', [answer(one, of('c', 'b', 'c', 'b'))], 'b'],
    ['else the commonest of the mesh', [answer(one), answer(elsewhere, of('x', 'y', 'y'))], 'y'],
    ['else the default', [answer(one)], 'cluster.local'],
  ])('%s', (_name, answers, expected) => {
    expect(names({ answers })).toEqual([`${expected} shop/cart node-a`]);
  });
});

describe('from files without pods', () => {
  const from = (...workloads: Parameters<typeof workload>[0][]) => ({
    source: 'files' as const,
    ztunnels: [file('a.json')],
    inventory: inventory(),
    answers: [
      answer(file('a.json'), { node: 'node-a', certificates: [web], workloads: workloads.map(workload) }),
    ],
  });
  test.each([
    ['its own HBONE workload', {}, true],
    ['TCP', { protocol: 'TCP' }, false],
    ['a waypoint', { nativeTunnel: true }, false],
    ["another node's", { node: 'node-b' }, false],
    ["no node's", { node: '' }, false],
    ['one that it lists', { serviceAccount: 'web' }, false],
  ])('%s', (_name, values, isMissing) => {
    expect(names(from(values))).toEqual(isMissing ? CART_MISSING : []);
  });

  test('a dump that does not name its node expects nothing', () => {
    expect(names({ ...from(), answers: [answer(file('a.json'), { workloads: [workload()] })] })).toEqual([]);
  });

  test("what a dump says of another node is left to that node's dump", () => {
    const west = answer(file('a.json'), { node: 'node-a', workloads: [workload({ node: 'node-b' })] });
    const east = answer(file('b.json'), { node: 'node-b' });
    expect(names({ ...from(), answers: [west, east] })).toEqual([]);
  });

  test('with pods, they decide', () => {
    expect(names({ ...from({}), inventory: inventory({ pods: listed() }) })).toEqual([]);
    expect(names({ ...from(), inventory: inventory({ pods: listed(pod()) }) })).toEqual(CART_MISSING);
  });
});

describe('not evaluated, and why', () => {
  const files = {
    source: 'files',
    answers: [answer(file('a'), { sections: new Set(['certificates']) })],
  } as const;
  test.each([
    ['owners are not to be looked up', { evaluateMissing: false }, /pods were not listed\.$/],
    ['pods were not asked for', { inventory: inventory({ pods: notAsked }) }, /pods were not listed\.$/],
    ['pods are forbidden', { inventory: inventory({ pods: forbidden }) }, /listing pods is forbidden\.$/],
    [
      'the list failed',
      { inventory: inventory({ pods: { known: false, why: 'failed' } }) },
      /listing pods failed\.$/,
    ],
    ['saved pods are forbidden', { ...files, inventory: inventory({ pods: forbidden }) }, /is forbidden\.$/],
    ['no workloads', { ...files, inventory: inventory() }, /no dump has readable workloads\.$/],
  ] as const)('%s', (_name, values, sentence) => {
    expect(names(values)).toMatch(sentence);
  });
});
