// A mesh in words becomes the certificates and dumps that its words mean.

import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/base/json.ts';
import { type Condition, certificateEntry } from './certificates.ts';
import { scenario, ztunnelOn } from './scenario.ts';
import { deployment } from './workloads.ts';

const AT = '2026-11-29T22:03:42Z';
const WEB = 'spiffe://cluster.local/ns/shop/sa/web';
type Entry = JsonObject & {
  identity: string;
  state: string;
  certChain: { pem: string; validFrom: string; expirationTime: string }[];
  rootCerts: { pem: string }[];
};
type Dump = JsonObject & { certificates: Entry[]; workloads: JsonObject[]; workloadState: JsonObject };

async function entryOf(condition: Condition): Promise<Entry> {
  return (await certificateEntry(WEB, condition, AT)) as Entry;
}

describe('a condition', () => {
  const pem = (entry: { pem: string }) => new X509Certificate(Buffer.from(entry.pem, 'base64').toString());
  const hours = (text: string) => (new Date(text).getTime() - new Date(AT).getTime()) / 3_600_000;

  test.each([
    ['EXPIRED', -25, -1],
    ['NOT-YET-VALID', 1, 25],
    ['EXPIRING', -23, 1],
    ['RENEWAL-OVERDUE', -16, 8],
  ] as const)('%s is a matter of dates, in a chain that verifies', async (condition, from, to) => {
    const { certChain, rootCerts, state } = await entryOf(condition);
    const [leaf, intermediate] = certChain;
    expect(state).toBe('Available');
    expect([hours(leaf!.validFrom), hours(leaf!.expirationTime)]).toEqual([from, to]);
    expect(pem(leaf!).subjectAltName).toBe(`URI:${WEB}`);
    expect(pem(leaf!).verify(pem(intermediate!).publicKey)).toBe(true);
    expect(pem(intermediate!).verify(pem(rootCerts[0]!).publicKey)).toBe(true);
  });

  test('OK is in the first half of its life', async () => {
    const [leaf] = (await entryOf('OK')).certChain;
    expect(hours(leaf!.validFrom)).toBeGreaterThan(-12);
    expect(hours(leaf!.expirationTime) - hours(leaf!.validFrom)).toBe(24);
  });

  test('UNTRUSTED ends at a root that is not listed, ROTATED at the second of two', async () => {
    const verifies = async (condition: Condition) => {
      const { certChain, rootCerts } = await entryOf(condition);
      return rootCerts.map((root) => pem(certChain[1]!).verify(pem(root).publicKey));
    };
    expect(await verifies('UNTRUSTED')).toEqual([false]);
    expect(await verifies('ROTATED')).toEqual([false, true]);
  });

  test('EXPIRED-INTERMEDIATE has a leaf that is good for long', async () => {
    const [leaf, intermediate] = (await entryOf('EXPIRED-INTERMEDIATE')).certChain;
    expect(hours(leaf!.expirationTime)).toBe(22);
    expect(hours(intermediate!.expirationTime)).toBe(-1);
  });

  test('MISMATCH names another workload; MISSING is not listed; the rest is a state', async () => {
    expect(pem((await entryOf('MISMATCH')).certChain[0]!).subjectAltName).not.toContain(`${WEB},`);
    expect(pem((await entryOf('MISMATCH')).certChain[0]!).subjectAltName).toBe(`URI:${WEB}-canary`);
    expect(await entryOf('MISSING')).toBeUndefined();
    expect((await entryOf('INITIALIZING')).state).toBe('Initializing');
    expect(await entryOf({ state: 'Unavailable: x' })).toEqual({
      certChain: [],
      identity: WEB,
      rootCerts: [],
      state: 'Unavailable: x',
    });
  });
});

describe('a mesh in words', () => {
  test('is the same each time, certificates apart', async () => {
    const make = () =>
      scenario({ at: AT, nodes: ['node-a'], workloads: [deployment('shop/web', { on: ['node-a'] })] });
    const [first, second] = [await make(), await make()];
    expect(first.pods).toEqual(second.pods);
    expect(first.pods.map((pod) => pod.metadata.name)).toEqual([
      expect.stringMatching(/^ztunnel-[a-z0-9]{5}$/),
      expect.stringMatching(/^web-[a-z0-9]{9}-[a-z0-9]{5}$/),
    ]);
  });

  test('gives each ztunnel the identities of its own node, and orphans where they are named', async () => {
    const mesh = await scenario({
      at: AT,
      nodes: ['node-a', 'node-b'],
      workloads: [
        deployment('shop/web', { on: ['node-a', 'node-b'] }),
        deployment('shop/cart', { on: ['node-b'] }),
        deployment('shop/plain', { on: ['node-a'], captured: false }),
        deployment('shop/late', { on: ['node-a'], captured: 'pending' }),
      ],
      certificates: { 'shop/gone@node-a': 'OK', 'shop/web@node-b': 'INITIALIZING' },
    });
    const states = (node: string) =>
      (JSON.parse(String(mesh.ztunnels[ztunnelOn(mesh, node)])) as Dump).certificates.map(
        ({ identity, state }) => [identity.replace('spiffe://cluster.local/ns/shop/sa/', ''), state],
      );
    expect(states('node-a')).toEqual([
      ['gone', 'Available'],
      ['web', 'Available'],
    ]);
    expect(states('node-b')).toEqual([
      ['cart', 'Available'],
      ['web', 'Initializing'],
    ]);
  });
});
