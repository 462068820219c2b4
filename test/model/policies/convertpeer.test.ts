// PeerAuthentications become for ztunnel what istiod makes of them.

import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { convertPeerAuthentications, listPeerPolicies } from '../../../src/model/policies/convertpeer.ts';
import type { PeerAuthentication } from '../../../src/model/policies/istioobjects.ts';
import { object, readPeer } from './objects.ts';

describe('PeerAuthentications', () => {
  const NO_IDENTITY = { notPrincipals: [{ Presence: [] }] };
  const peer = (mode: string, ports?: Readonly<Record<string, string>>, values: JsonObject = {}) =>
    readPeer(
      object(
        'PeerAuthentication',
        {
          ...(mode === '' ? {} : { mtls: { mode } }),
          ...(ports && {
            portLevelMtls: Object.fromEntries(
              Object.entries(ports).map(([port, each]) => [port, { mode: each }]),
            ),
          }),
          ...(values.labels === undefined ? {} : { selector: { matchLabels: values.labels } }),
        },
        { name: 'db', ...values },
      ),
    );
  const own = (mode: string, ports?: Readonly<Record<string, string>>) =>
    peer(mode, ports, { labels: { app: 'db' } });
  const mesh = (mode: string) => peer(mode, undefined, { namespace: 'istio-system', name: 'default' });
  const namespace = (mode: string) => peer(mode, undefined, { name: 'default' });
  const db = { namespace: 'shop', labels: { app: 'db' } };
  const SHARED = 'istio-system/istio_converted_static_strict';
  const OWN = 'shop/converted_peer_authentication_db';

  test('any of them brings the shared policy', () => {
    expect(convertPeerAuthentications([], 'istio-system').converted).toEqual([]);
    expect(convertPeerAuthentications([mesh('PERMISSIVE')], 'istio-system').converted).toMatchObject([
      {
        policy: {
          namespace: 'istio-system',
          name: 'istio_converted_static_strict',
          action: 'Deny',
          scope: 'WorkloadSelector',
          dryRun: false,
          rules: [[[NO_IDENTITY]]],
        },
      },
    ]);
  });

  const strictPort = (port: number) => [[{ ...NO_IDENTITY, destinationPorts: [port] }]];
  test.each<[string, readonly PeerAuthentication[], readonly string[], Json | undefined]>([
    ['none', [], [], undefined],
    ['strict mesh', [mesh('STRICT')], [SHARED], undefined],
    ['strict mesh, permissive namespace', [mesh('STRICT'), namespace('PERMISSIVE')], [], undefined],
    ['strict mesh, unset namespace', [mesh('STRICT'), namespace('')], [SHARED], undefined],
    ['strict namespace', [namespace('STRICT')], [SHARED], undefined],
    ['strict workload', [own('STRICT')], [SHARED], undefined],
    ['strict mesh, permissive workload', [mesh('STRICT'), own('PERMISSIVE')], [], undefined],
    ['strict mesh, disabled workload', [mesh('STRICT'), own('DISABLE')], [], undefined],
    ['strict mesh, unset workload', [mesh('STRICT'), own('')], [SHARED], undefined],
    ['another workload', [peer('STRICT', undefined, { labels: { app: 'web' } })], [], undefined],
    ['another namespace', [peer('STRICT', undefined, { namespace: 'data' })], [], undefined],
    [
      'strict with a permissive port',
      [own('STRICT', { 9090: 'PERMISSIVE' })],
      [OWN],
      [[[NO_IDENTITY], [{ notDestinationPorts: [9090] }]]],
    ],
    [
      'strict with a disabled port',
      [own('STRICT', { 9090: 'DISABLE' })],
      [OWN],
      [[[NO_IDENTITY], [{ notDestinationPorts: [9090] }]]],
    ],
    ['strict with a strict port', [own('STRICT', { 9090: 'STRICT' })], [SHARED], undefined],
    [
      'permissive with strict ports',
      [own('PERMISSIVE', { 9090: 'STRICT', 80: 'STRICT', 1: 'PERMISSIVE' })],
      [OWN],
      [strictPort(80), strictPort(9090)],
    ],
    ['permissive with a permissive port', [own('PERMISSIVE', { 80: 'PERMISSIVE' })], [], undefined],
    ['unset with a strict port', [own('', { 80: 'STRICT' })], [OWN], [strictPort(80)]],
    [
      'unset with a strict port, strict mesh',
      [mesh('STRICT'), own('', { 80: 'STRICT' })],
      [SHARED],
      undefined,
    ],
    [
      'unset with a strict port, permissive namespace',
      [mesh('STRICT'), namespace('PERMISSIVE'), own('', { 80: 'STRICT' })],
      [OWN],
      [strictPort(80)],
    ],
    [
      'unset with a permissive port, strict mesh',
      [mesh('STRICT'), own('', { 80: 'PERMISSIVE' })],
      [OWN],
      [[[{ notDestinationPorts: [80] }], [NO_IDENTITY]]],
    ],
    [
      'unset with a permissive port, strict namespace',
      [namespace('STRICT'), own('', { 80: 'PERMISSIVE' })],
      [OWN],
      [[[{ notDestinationPorts: [80] }], [NO_IDENTITY]]],
    ],
    [
      'unset with a permissive port, strict mesh, unset namespace',
      [mesh('STRICT'), namespace(''), own('', { 80: 'PERMISSIVE' })],
      [OWN],
      undefined,
    ],
    [
      'unset with a disabled port, strict mesh',
      [mesh('STRICT'), own('', { 80: 'DISABLE' })],
      [SHARED],
      [[[{ notDestinationPorts: [80] }], [NO_IDENTITY]]],
    ],
    [
      'strict with a permissive port, strict mesh',
      [mesh('STRICT'), own('STRICT', { 80: 'PERMISSIVE' })],
      [OWN],
      [[[NO_IDENTITY], [{ notDestinationPorts: [80] }], [NO_IDENTITY]]],
    ],
    [
      'unset with a strict port, strict mesh, unset namespace',
      [mesh('STRICT'), namespace(''), own('', { 80: 'STRICT' })],
      [SHARED],
      undefined,
    ],
    [
      'strict with a permissive port, strict mesh, unset namespace',
      [mesh('STRICT'), namespace(''), own('STRICT', { 80: 'PERMISSIVE' })],
      [OWN],
      [[[NO_IDENTITY], [{ notDestinationPorts: [80] }], [NO_IDENTITY]]],
    ],
    [
      'strict with a permissive port, strict mesh, permissive namespace',
      [mesh('STRICT'), namespace('PERMISSIVE'), own('STRICT', { 80: 'PERMISSIVE' })],
      [OWN],
      [[[NO_IDENTITY], [{ notDestinationPorts: [80] }]]],
    ],
    [
      'permissive with a strict port, strict mesh: istiod makes no policy of it, and the port stays open',
      [mesh('STRICT'), own('PERMISSIVE', { 80: 'STRICT' })],
      [OWN],
      undefined,
    ],
    [
      'permissive with a strict port, strict namespace',
      [namespace('STRICT'), own('PERMISSIVE', { 80: 'STRICT' })],
      [OWN],
      [strictPort(80)],
    ],
  ])('%s', (_, all, named, rules) => {
    expect(listPeerPolicies(all, db, 'istio-system')).toEqual(named);
    const { converted } = convertPeerAuthentications(all, 'istio-system');
    const policy = converted.find((each) => each.policy.name === 'converted_peer_authentication_db')?.policy;
    expect(policy?.rules).toEqual(rules);
  });

  test('of several, the oldest holds, and one that is not there yet is the youngest', () => {
    const at = (created: string, mode: string) => ({ ...namespace(mode), created });
    const old = at('2026-01-01T00:00:00Z', 'STRICT');
    for (const all of [
      [at('2026-01-02T00:00:00Z', 'PERMISSIVE'), old],
      [old, at('', 'PERMISSIVE')],
      [at('', 'PERMISSIVE'), old],
    ]) {
      expect(listPeerPolicies(all, db, 'istio-system')).toEqual([SHARED]);
    }
  });

  test('what ztunnel does not heed is said', () => {
    const all = [
      peer('STRICT', undefined, { namespace: 'istio-system', labels: { app: 'db' } }),
      peer('STRICT', { 80: 'PERMISSIVE' }),
      own('DISABLE'),
      mesh('STRICT'),
      peer('PERMISSIVE', { 9090: 'STRICT', 80: 'STRICT' }, { namespace: 'data', labels: { app: 'db' } }),
    ];
    const { notes } = convertPeerAuthentications(all, 'istio-system');
    expect(notes.map(({ effect, text }) => `${effect}: ${text}`)).toEqual([
      'noEffect: selector: in istio-system ztunnel heeds only PeerAuthentications without one',
      'partLeftOut: portLevelMtls: without a selector, ztunnel heeds no modes of ports',
      'partLeftOut: mtls: DISABLE is to ztunnel what PERMISSIVE is: it goes on to accept mTLS',
      'partLeftOut: portLevelMtls: STRICT for 80, 9090 has no effect: under a strict PeerAuthentication of the mesh istiod makes no policy of it',
    ]);
  });
});
