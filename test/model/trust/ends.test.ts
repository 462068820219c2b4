// Which ends pods are, what of a pod alone decides, and which pairs come to work or to fail between two states.

import { describe, expect, test } from '@jest/globals';
import { keyOfCertificate } from '../../../src/model/certificates/diff.ts';
import type { Workload } from '../../../src/model/dump.ts';
import type { Pod } from '../../../src/model/kubernetes.ts';
import { diffTrust } from '../../../src/model/trust/diff.ts';
import { listEnds } from '../../../src/model/trust/ends.ts';
import { explainPair } from '../../../src/model/trust/pair.ts';
import { inventory, listed } from '../values.ts';
import { readMoment } from './mesh.ts';

const moment = readMoment('abrupt/0-before');
const { answers, joined, at } = moment;

/** shop/web to shop/cart, with changes to what is known of cart's pod. */
function toCart({ pod, workload }: { pod?: (pod: Pod) => Pod; workload?: Partial<Workload> }) {
  const cart = moment.pods.get('shop/cart')!;
  const own = answers.map((each) => ({
    ...each,
    dump: {
      ...each.dump,
      workloads: each.dump.workloads.map((one) => (one.name === 'cart' ? { ...one, ...workload } : one)),
      capturedPods: pod === undefined ? each.dump.capturedPods : [],
    },
  }));
  const base: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'cart', namespace: 'shop', annotations: { 'ambient.istio.io/redirection': 'enabled' } },
    spec: { nodeName: 'node-b', serviceAccountName: 'cart' },
  };
  const sources = {
    items: joined.items,
    answers: own,
    inventory: pod === undefined ? inventory() : inventory({ pods: listed(pod(base)) }),
  };
  const [source] = listEnds(
    { what: 'pods', pods: [moment.pods.get('shop/web')!] },
    { ...sources, answers, inventory: inventory() },
  );
  const [destination, ...others] = listEnds({ what: 'pods', pods: [cart] }, sources);
  expect(others).toEqual([]);
  const { works, decisive } = explainPair(source!, destination!, joined.verification, at);
  return { works, rule: decisive?.rule, about: decisive?.about, text: decisive?.text };
}

describe('a pod', () => {
  test('that is as it should be', () => {
    expect(toCart({})).toEqual({ works: true, rule: undefined, about: undefined, text: undefined });
  });

  test('that istiod knows under another account: ztunnel waits for it in vain', () => {
    expect(toCart({ workload: { serviceAccount: 'renamed' } })).toMatchObject({
      works: false,
      rule: 'enrolled',
    });
  });

  test('that is annotated, and not handed over', () => {
    expect(toCart({ pod: (pod) => pod })).toMatchObject({
      works: false,
      rule: 'enrolled',
      about: 'destination',
    });
  });

  test('that is not captured: nothing is known of it, and the label that would capture it is named', () => {
    const bare = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, annotations: {} } });
    expect(toCart({ pod: bare })).toMatchObject({
      works: undefined,
      rule: 'captured',
      text: expect.stringContaining('istio.io/dataplane-mode=ambient'),
    });
  });

  test("that is on the host's network", () => {
    const onHost = (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, hostNetwork: true } });
    expect(toCart({ pod: onHost })).toMatchObject({ works: undefined, rule: 'captured' });
  });
});

test('all of a node, and one identity', () => {
  const sources = { items: joined.items, answers, inventory: inventory() };
  const accounts = (meant: Parameters<typeof listEnds>[0]) =>
    listEnds(meant, sources).map(({ serviceAccount, pods }) => `${serviceAccount} ${pods.join()}`);
  expect(accounts({ what: 'nodes', nodes: new Set(['node-a']) })).toEqual(['admin admin', 'web web']);
  const identity = 'spiffe://cluster.local/ns/shop/sa/web';
  expect(accounts({ what: 'identity', identity, pods: [] })).toEqual(['web web']);
});

describe('between two states', () => {
  const stateOf = (name: string) => {
    const { joined: items, at: time } = readMoment(name);
    return { items: items.items, verification: items.verification, at: time };
  };
  const [before, after] = [stateOf('abrupt/0-before'), stateOf('abrupt/1-node-a-on-b')] as const;
  const names = (members: Parameters<Parameters<typeof diffTrust>[3]>[0]) =>
    members
      .map(keyOfCertificate)
      .map((key) => key.split('/').at(-1))
      .join('+');

  test('both directions of a pair that fails now are one change', () => {
    expect(diffTrust(before, after, () => true, names)).toMatchObject([
      {
        kind: 'Trust',
        name: 'db+cart ↔ admin+web',
        changes: ['fails'],
        severity: 'critical',
        detail: expect.stringMatching(/^the client refuses: /),
        before: { works: true, reason: null },
      },
    ]);
  });

  test('the way back: it works now', () => {
    expect(diffTrust(after, before, () => true, names)).toMatchObject([
      { changes: ['works'], severity: 'information', after: { works: true, reason: null } },
    ]);
  });

  test('nothing of nodes that only one of them knows, and nothing where nothing changed', () => {
    expect(diffTrust(before, after, (node) => node === 'node-a', names)).toEqual([]);
    expect(diffTrust(before, before, () => true, names)).toEqual([]);
  });
});
