// istioctl's rules that no capture shows, by dumps that are made for them.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

const capture = readFileSync(
  path.resolve(import.meta.dirname, '../testdata/dumps/node-a-connections.config_dump.json'),
  'utf8',
);

// biome-ignore lint/suspicious/noExplicitAny: a dump to be changed anywhere
type Dump = any;

/** Rows of `-o short`, single spaces between cells. */
async function rows(command: string, edit: (dump: Dump) => void): Promise<readonly string[]> {
  const dump = JSON.parse(capture) as Dump;
  edit(dump);
  const { stdout, code } = await run(`${command} -o short --no-headers -f -`, {
    stdin: JSON.stringify(dump),
  });
  expect(code).toBe(0);
  return stdout.split('\n').slice(0, -1);
}
const workload = (dump: Dump, name: string): Dump => dump.workloads.find((each: Dump) => each.name === name);
const service = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  hostname: `${name}.example`,
  vips: [],
  endpoints: {},
  ...more,
});
const only = (command: string, ...services: object[]) =>
  rows(command, (dump) => {
    dump.services = services;
  });

describe('services', () => {
  test('are sorted by namespace, name, hostname', async () => {
    const list = [
      service('b', { namespace: 'b' }),
      service('b', { hostname: 'z' }),
      service('a', { hostname: 'y', vips: ['/2.2.2.2'] }),
      service('a', { hostname: 'x', vips: ['/1.1.1.1'] }),
      service('c', { namespace: 'a' }),
    ];
    expect(await only('s', ...list)).toEqual([
      'a    c         None 0/0',
      'b    b         None 0/0',
      'shop a 1.1.1.1 None 0/0',
      'shop a 2.2.2.2 None 0/0',
      'shop b         None 0/0',
    ]);
  });

  test.each([
    ['a service by namespace/hostname', 'shop/way.example', 'way'],
    ['a service by network/ip', 'net/9.9.9.9', 'way'],
    ['no service of this network', '/9.9.9.9', 'NA'],
    ['no service', 'shop/other.example', 'NA'],
  ])('a waypoint that is %s', async (_, destination, shown) => {
    const waypoint = service('way', { vips: ['net/9.9.9.9'] });
    const [row] = await only(
      's',
      service('a', { waypoint: { destination, hboneMtlsPort: 15008 } }),
      waypoint,
    );
    expect(row?.split(/ +/)[2]).toBe(shown);
    const [first] = await rows('w', (dump) => {
      dump.services = [waypoint];
      dump.workloads = [{ ...dump.workloads[0], waypoint: { destination, hboneMtlsPort: 15008 } }];
    });
    expect(first?.split(/ +/)[4]).toBe(shown);
  });

  test('VIPs lose their network and are joined', async () => {
    const [row] = await only('s', service('a', { vips: ['net/1.1.1.1', '/fd00::1'] }));
    expect(row).toBe('shop a 1.1.1.1,fd00::1 None 0/0');
  });

  test.each([
    ['both', () => {}, '2/2'],
    [
      'one, as the workload says',
      (dump: Dump) => (workload(dump, 'web-6f7d9c5b8-fghij').status = 'Unhealthy'),
      '1/2',
    ],
    [
      'one, whose workload is gone',
      (dump: Dump) =>
        dump.workloads.splice(
          dump.workloads.findIndex((each: Dump) => each.name === 'web-6f7d9c5b8-fghij'),
          1,
        ),
      '1/2',
    ],
    [
      'both, though the endpoint says otherwise',
      (dump: Dump) => (Object.values<Dump>(dump.services[1].endpoints)[0].status = 'Unhealthy'),
      '2/2',
    ],
  ])('healthy endpoints are %s', async (_, edit, shown) => {
    const found = (await rows('s', edit)).find((row) => row.includes('web'));
    expect(found?.split(/ +/).at(-1)).toBe(shown);
  });
});

test('policies are sorted by namespace, then name', async () => {
  const policy = (namespace: string, name: string) => ({
    namespace,
    name,
    action: 'Deny',
    scope: 'Global',
    rules: [],
  });
  const list = [policy('b', 'a'), policy('a', 'b'), policy('a', 'a')];
  expect(await rows('p', (dump) => Object.assign(dump, { policies: list }))).toEqual([
    'a a Deny Global',
    'a b Deny Global',
    'b a Deny Global',
  ]);
});

describe('connections', () => {
  const connect = (
    dump: Dump,
    pods: readonly (readonly [name: string, inbound: object[], outbound: object[]])[],
  ) => {
    dump.workloadState = Object.fromEntries(
      pods.map(([name, inbound, outbound], index) => [
        `uid-${index}`,
        {
          state: 'Up',
          connections: { inbound, outbound },
          info: { name, namespace: 'shop', serviceAccount: 'x' },
        },
      ]),
    );
  };
  const from = (src: string, originalDst: string | null = '9.9.9.9:1') => ({
    src,
    originalDst,
    actualDst: '8.8.8.8:2',
    protocol: 'TCP',
  });

  test('are sorted by workload, inbound first, else as sent', async () => {
    const found = await rows('cons', (dump) =>
      connect(dump, [
        ['b', [from('3.3.3.3:1')], []],
        ['a', [from('2.2.2.2:1'), from('1.1.1.1:1')], [from('0.0.0.0:1')]],
      ]),
    );
    expect(found.map((row) => row.split(/ +/).slice(0, 4).join(' '))).toEqual([
      'a.shop Inbound 8.8.8.8:2 2.2.2.2:1',
      'a.shop Inbound 8.8.8.8:2 1.1.1.1:1',
      'a.shop Outbound 0.0.0.0:1 8.8.8.8:2',
      'b.shop Inbound 8.8.8.8:2 3.3.3.3:1',
    ]);
  });

  test.each([
    ['a first IP', '10.1.1.11:5', 'cart-1.shop:5'],
    ['a second IP', '[fd00:1:1::11]:5', '[fd00:1:1::11]:5'],
    ['a VIP', '10.96.0.11:5', 'cart.shop.svc.cluster.local:5'],
    ['an unknown IP', '7.7.7.7:5', '7.7.7.7:5'],
    ['no address', 'somewhere', 'somewhere'],
  ])('%s is named so', async (_, address, shown) => {
    const edit = (dump: Dump) =>
      connect(dump, [['a', [], [{ ...from('1.1.1.1:1', address), actualDst: address }]]]);
    const [row] = await rows('cons', edit);
    expect(row?.split(/ +/).slice(3, 5)).toEqual([shown, shown]);
    const [raw] = await rows('cons --raw', edit);
    expect(raw?.split(/ +/).slice(3, 5)).toEqual([address, address]);
  });

  test("an inbound connection's target is left as it is", async () => {
    const [row] = await rows('cons', (dump) =>
      connect(dump, [['a', [from('1.1.1.1:1', '10.96.0.11:5')], []]]),
    );
    expect(row?.split(/ +/)[4]).toBe('10.96.0.11:5');
  });
});
