// Saved dumps that agree or disagree about a workload, service or policy, and how each is shown.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { run } from '../program.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const pathOf = (name: string) => path.join(testdata, 'dumps', `${name}.config_dump.json`);
const capture = readFileSync(pathOf('node-a'), 'utf8');
const now = ['--now', '2026-11-29T22:03:42Z'];

// biome-ignore lint/suspicious/noExplicitAny: a dump to be changed anywhere
type Dump = any;
type Edit = (dump: Dump) => void;

/** The command's output for node-a, node-b as it is, and node-a's dump changed and said to be node-c's. */
async function compared(command: string, edit: Edit) {
  const dump = JSON.parse(capture) as Dump;
  dump.config.localNode = 'node-c';
  edit(dump);
  const argv = [...command.split(' '), '-f', pathOf('node-a'), '-f', pathOf('node-b'), '-f', '-', ...now];
  return run(argv, { stdin: JSON.stringify(dump) });
}

const named = (list: Dump[], name: string): Dump => list.find((each) => each.name.startsWith(name));
const drop = (list: Dump[], name: string) => list.splice(list.indexOf(named(list, name)), 1);

/** What ZTUNNELS says in the row of a name; undefined if there is no such column. */
function ztunnelsOf(stdout: string, name: string): string | undefined {
  const [header = '', ...rows] = stdout.split('\n');
  const at = header.indexOf('ZTUNNELS');
  const row = rows.find((line) => line.includes(name)) ?? '';
  return at < 0 ? undefined : row.slice(at).split(/ {2,}/)[0];
}

const same: Edit = () => {};
const cases: readonly (readonly [
  what: string,
  command: string,
  edit: Edit,
  name: string,
  shown: string | undefined,
])[] = [
  ['a service on all', 'services', same, 'web', undefined],
  ['a service that one lacks', 'services', (dump) => drop(dump.services, 'web'), 'web', '2/3'],
  ['its neighbour', 'services', (dump) => drop(dump.services, 'web'), 'cart', '3/3'],
  [
    'another VIP',
    'services',
    (dump) => (named(dump.services, 'web').vips = ['/10.9.9.9']),
    'web',
    '3/3 differ',
  ],
  ['no waypoint', 'services', (dump) => delete named(dump.services, 'cart').waypoint, 'cart', '3/3 differ'],
  ['an endpoint less', 'services', dropEndpoint, 'web', '3/3 differ'],
  [
    'a field that we do not know',
    'services',
    (dump) => (named(dump.services, 'web').later = 1),
    'web',
    '3/3 differ',
  ],
  ['keys in another order', 'services', reverseKeys, 'web', undefined],
  [
    'addresses in another order',
    'workloads',
    (dump) => named(dump.workloads, 'cart-0').workloadIps.reverse(),
    'cart-0',
    undefined,
  ],
  ['a workload that one lacks', 'workloads', (dump) => drop(dump.workloads, 'vm-1'), 'vm-1', '2/3'],
  [
    'a workload of another status',
    'workloads',
    (dump) => (named(dump.workloads, 'vm-1').status = 'Unhealthy'),
    'vm-1',
    '3/3 differ',
  ],
  ['a workload on all', 'workloads', same, 'vm-1', undefined],
  ['a policy that one lacks', 'policies', (dump) => drop(dump.policies, 'deny'), 'deny-9999', '2/3'],
  [
    'a policy of another action',
    'policies',
    (dump) => (dump.policies[0].action = 'Deny'),
    'deny-9999',
    '3/3 differ',
  ],
  ['a policy of other rules', 'policies', (dump) => (dump.policies[0].rules = []), 'deny-9999', '3/3 differ'],
  ['a policy on all', 'policies', same, 'deny-9999', undefined],
  // Releases differ in what they send: only what both know is compared.
  ['a later release with a new field', 'services', (dump) => later(dump, { later: 1 }), 'web', undefined],
  [
    'a later release that leaves a field out',
    'services',
    (dump) => later(dump, { vips: undefined }),
    'web',
    undefined,
  ],
  [
    'a later release with another VIP',
    'services',
    (dump) => later(dump, { vips: ['/10.9.9.9'] }),
    'web',
    '3/3 differ',
  ],
];

function dropEndpoint(dump: Dump): void {
  const { endpoints } = named(dump.services, 'web');
  delete endpoints[Object.keys(endpoints)[0]!];
}

function reverseKeys(dump: Dump): void {
  const reverse = (value: Dump): Dump => Object.fromEntries(Object.entries(value).reverse());
  dump.services = dump.services.map((service: Dump) =>
    reverse({ ...service, endpoints: reverse(service.endpoints) }),
  );
}

function later(dump: Dump, change: object): void {
  dump.version.istioVersion = '1.99.0';
  Object.assign(named(dump.services, 'web'), change);
}

describe('ZTUNNELS', () => {
  test.each(cases)('%s: %s', async (_, command, edit, name, shown) => {
    const { stdout, code } = await compared(command, edit);
    expect(stdout).toContain(name);
    expect(ztunnelsOf(stdout, name)).toBe(shown);
    expect(code).toBe(0);
  });

  test('is no column for one dump', async () => {
    const { stdout, stderr } = await run(['services', '-f', pathOf('node-a')]);
    expect(stdout).not.toContain('ZTUNNELS');
    expect(stderr).toBe('2 services as node-a.config_dump.json knows them.\n');
  });

  test('is said of one as of one', async () => {
    const { stderr } = await run(['workloads', '-f', pathOf('node-a'), '--address', '10.1.0.21']);
    expect(stderr).toBe('1 workload as node-a.config_dump.json knows it: 1 TCP.\n');
  });

  test('is counted in the summary and the document', async () => {
    const edit: Edit = (dump) => {
      drop(dump.services, 'web');
      named(dump.services, 'cart').vips = [];
    };
    const { stderr } = await compared('services', edit);
    expect(stderr).toBe('2 services as 3 ztunnels know them: 1 not on all of them, 1 not the same on all.\n');
    const { items, summary } = JSON.parse((await compared('services -o json', edit)).stdout);
    const [cart, web] = items;
    expect([cart.differs, cart.ztunnels.length]).toEqual([true, 3]);
    expect([web.differs, web.ztunnels.map(({ node }: Dump) => node)]).toEqual([false, ['node-a', 'node-b']]);
    expect(summary.byStatus).toEqual({ same: 0, partial: 1, differ: 1 });
    expect(summary.bySeverity).toEqual({ critical: 0, warning: 2, information: 0, ok: 0 });
  });
});

describe('tables', () => {
  const goldens = [
    ['services-wide', 'services -o wide'],
    ['policies-wide', 'policies -o wide'],
    ['services-short-of-three', 'services -o short'],
    ['policies-short-of-three', 'policies -o short'],
    ['services-name', 'services -o name'],
    ['policies-name', 'policies -o name'],
  ] as const;

  test.each(goldens)('%s', async (name, command) => {
    const { stdout } = await compared(command, (dump) => {
      dump.services[1].vips.push('/fd00::10');
      dump.policies[0].dryRun = true;
    });
    expectGolden('frontdoor', name, stdout);
  });

  test('a terminal colours endpoints that are not healthy, and says the same in numbers', async () => {
    const text = capture.replaceAll('"status": "Healthy"', '"status": "Unhealthy"');
    const terminal = { columns: 80, rows: 24 };
    const { stdout } = await run(['services', '-f', '-'], { stdin: text, terminal });
    expect(stdout).toMatch(/web .*\x1b\[33m0\/2/);
  });
});

describe('filters', () => {
  test.each([
    ['services', '--service-namespace SHOP', 2],
    ['services', '-n shop', 2],
    ['services', '--service-namespace data', 0],
    ['policies', '--policy-namespace SHOP', 1],
    ['policies', '-n shop', 1],
    ['policies', '--policy-namespace data', 0],
  ])('%s %s leaves %d', async (command, filter, rows) => {
    for (const format of ['name', 'short']) {
      const argv = [command, ...filter.split(' '), '-o', format, '--no-headers', '-f', pathOf('node-a')];
      const { stdout, stderr, code } = await run(argv);
      expect(stdout.split('\n').length - 1).toBe(rows);
      const noun = command === 'services' ? 'service' : 'policy';
      expect(stderr).toBe(rows === 0 ? `no ${noun} matches the filters\n` : '');
      expect(code).toBe(0);
    }
  });

  test.each([
    ['services', 'service-namespace'],
    ['policies', 'policy-namespace'],
    ['connections', 'workload-namespace'],
  ])('%s: -n and another --%s exclude each other', async (command, flag) => {
    const { stderr, code } = await run(`${command} -n a --${flag} b -f x`);
    expect(stderr).toMatch(new RegExp(`^error: --namespace a and --${flag} b exclude each other`));
    expect(code).toBe(1);
    expect((await run(`${command} -n a --${flag} a -f x`)).stderr).not.toContain('exclude');
  });
});
