// A redacted snapshot says of a mesh what the plain one says, without a single name of it.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Condition } from '../mesh/certificates.ts';
import { demo, NODES } from '../mesh/demo.ts';
import { startMesh } from '../mesh/mesh.ts';
import type { Misbehaviour } from '../mesh/misbehaviour.ts';
import type { Manifest } from '../mesh/resources.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { daemonSet, deployment, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
/** Long before, at, while certificates run out, and long after. */
const TIMES = [
  '2020-01-01T00:00:00Z',
  at,
  '2026-11-30T04:00:00Z',
  '2026-11-30T20:00:00Z',
  '2045-01-01T00:00:00Z',
];

const folder = temporaryDirectory();

interface Pair {
  readonly plain: string;
  readonly redacted: string;
}

async function take(
  name: string,
  of: Scenario,
  spoil: Readonly<Record<string, Misbehaviour>> = {},
): Promise<Pair> {
  const mesh = await startMesh({ ...of, clock: { at } }, { namespace: 'shop' });
  for (const [target, what] of Object.entries(spoil)) mesh.misbehave(target, what);
  const pair = { plain: path.join(folder, name), redacted: path.join(folder, `${name}.tar.gz`) };
  const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
  const takes = await Promise.all([
    run(`snapshot ${pair.plain}`, { clock, env }),
    run(`snapshot ${pair.redacted} --redact`, { clock, env }),
  ]);
  await mesh.close();
  expect(takes[1].code).toBe(takes[0].code);
  return pair;
}

// biome-ignore lint/suspicious/noExplicitAny: documents as they are printed
type Document = any;

async function ask(commandLine: string, snapshot: string): Promise<{ code: number; document: Document }> {
  const { code, stdout, stderr } = await run(`${commandLine} -o json -f ${snapshot}`);
  if (stdout === '') throw new Error(stderr);
  return { code, document: JSON.parse(stdout) };
}

const sorted = (texts: readonly unknown[]): readonly string[] =>
  texts.map((each) => JSON.stringify(each)).sort();

const owners = (all: Document) =>
  all === null
    ? null
    : sorted(all.map((owner: Document) => [owner.kind, owner.ready, owner.desired, owner.pods?.length]));

/** What of a certificate has to be the same. */
const certificate = (item: Document) => [
  ...[
    item.status,
    item.severity,
    item.notBefore,
    item.notAfter,
    item.effectiveNotAfter,
    item.remainingSeconds,
  ],
  ...[item.lifetimePercent, item.chain.length, item.roots.length, item.reason === null, owners(item.owners)],
];
const workload = (item: Document) => [
  item.kind,
  item.certificate,
  item.severity,
  item.protocol,
  item.waypoint === null,
  owners(item.owners),
];
const finding = (item: Document) => [item.code, item.severity, item.objects?.length ?? item.count];

async function expectSame(pair: Pair, now: string): Promise<void> {
  for (const [command, facts] of [
    ['certs', certificate],
    ['workloads', workload],
    ['check', finding],
    ['check --deep', finding],
  ] as const) {
    const [plain, redacted] = await Promise.all([
      ask(`${command} --now ${now}`, pair.plain),
      ask(`${command} --now ${now}`, pair.redacted),
    ]);
    expect(command === 'certs' && plain.document.items.length === 0).toBe(false);
    expect(sorted(redacted.document.items.map(facts))).toEqual(sorted(plain.document.items.map(facts)));
    expect(redacted.document.summary).toEqual(plain.document.summary);
    expect(redacted.document.failures.length).toBe(plain.document.failures.length);
    expect(redacted.code).toBe(plain.code);
  }
}

describe('of the mesh in which every STATUS occurs', () => {
  let shop: Scenario;
  let pair: Pair;
  beforeAll(async () => {
    shop = await demo(at);
    pair = await take('shop', shop);
  });

  test.each(TIMES)('statuses, owners and findings are the same at %s', (now) => expectSame(pair, now));

  test('no name, address, uid or certificate of it is in the archive', async () => {
    const place = path.join(folder, 'unpacked');
    // Read and written again, so that its files can be looked at.
    await run(`snapshot ${place} -f ${pair.redacted}`);
    const text = textOf(place);
    expect(text.length).toBeGreaterThan(50_000);
    const found = namesOf(shop).filter((name) => names(text, name));
    expect(found).toEqual([]);
    for (const trace of [
      '-----BEGIN',
      'LS0tLS',
      '"pem"',
      'gRPC error (The caller does not have permission to',
    ]) {
      expect([trace, text.includes(trace)]).toEqual([trace, false]);
    }
  });

  test('the plain one does hold them all', () => {
    const text = textOf(pair.plain);
    expect(namesOf(shop).filter((name) => !names(text, name))).toEqual([]);
  });

  test('two of them have no name in common', async () => {
    const other = await take('again', shop);
    const [one, two] = await Promise.all([ask('certs', pair.redacted), ask('certs', other.redacted)]);
    const identities = (of: typeof one) => new Set(of.document.items.map((item: Document) => item.identity));
    expect(identities(one).size).toBeGreaterThan(10);
    expect([...identities(one)].filter((each) => identities(two).has(each))).toEqual([]);
  });

  test('pods of StatefulSets keep their ordinals, addresses their family', async () => {
    const { document } = await ask('workloads', pair.redacted);
    const pods = document.items
      .flatMap((item: Document) => item.owners ?? [])
      .filter((owner: Document) => owner.kind === 'StatefulSet');
    expect(pods.length).toBe(5);
    for (const owner of pods)
      for (const pod of owner.pods) expect(pod).toMatch(new RegExp(`^${owner.name}-[0-2]$`));
    const addresses = document.items.flatMap((item: Document) => item.addresses);
    for (const address of addresses) expect(address).toMatch(/^2[45]\d\.\d+\.\d+\.\d+$/);
    expect(new Set(addresses).size).toBe(
      new Set((await ask('workloads', pair.plain)).document.items.flatMap((item: Document) => item.addresses))
        .size,
    );
  });

  test('-o pem refuses', async () => {
    const { code, stdout, stderr } = await run(`certs -o pem -f ${pair.redacted}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: a redacted snapshot holds no certificates/),
    });
  });

  test.each(['services', 'policies', 'connections', 'leases', 'ztunnels', 'all', 'sans'])(
    '%s reads it',
    async (command) => {
      const [plain, redacted] = await Promise.all([
        run(`${command} -f ${pair.plain}`),
        run(`${command} -f ${pair.redacted}`),
      ]);
      const shape = (text: string) => text.split('\n').length;
      expect(redacted.code).toBe(plain.code);
      expect(shape(redacted.stdout)).toBe(shape(plain.stdout));
    },
  );

  test('a snapshot of the plain one is redacted, too', async () => {
    const redacted = path.join(folder, 'later');
    await run(`snapshot ${redacted} --redact -f ${pair.plain}`);
    await expectSame({ plain: pair.plain, redacted }, at);
  });

  test('facts are not believed of a dump that is not known to be redacted', async () => {
    const place = path.join(folder, 'unpacked-dumps');
    await run(`snapshot ${place} -f ${pair.redacted}`);
    const dump = path.join(place, 'dumps', readdirSync(path.join(place, 'dumps'))[0]!);
    const { document } = await ask(`certs --now ${at}`, dump);
    expect(document.items.filter(({ status }: Document) => status === 'OK')).toEqual([]);
  });
});

describe('of a mesh', () => {
  const nodes = ['node-a', 'node-b', 'node-c'];
  const web = deployment('shop/web', { on: nodes });
  const mesh = (certificates: Readonly<Record<string, Condition>>, more = [web]) =>
    scenario({ at, nodes, workloads: more, certificates });

  test('that is amid a rotation of its root', async () => {
    const pair = await take(
      'rotation',
      await mesh({ 'shop/web@node-a': 'ROTATED', 'shop/gone@node-b': 'UNTRUSTED' }),
    );
    for (const now of TIMES) await expectSame(pair, now);
    const groups = await Promise.all(
      [pair.plain, pair.redacted].map((each) => ask('certs --group-by root', each)),
    );
    expect(groups[1]!.document.items.length).toBe(groups[0]!.document.items.length);
  });

  const reasons = [
    'signing gRPC error (The request does not have valid authentication credentials): token of spiffe://x is old',
    'signing gRPC error (Unknown error): client error (Connect)',
    'did not find expected SAN: spiffe://cluster.local/ns/shop/sa/web',
    'chain returned from CA is empty for: spiffe://cluster.local/ns/shop/sa/web',
    'failed to create CSR: invalid root certificate: boom',
    'workload is unknown: shop/web',
    'the identity is no longer needed',
    'something that Bob wrote',
  ];
  test.each(reasons)('whose certificate is unavailable because of %s', async (reason) => {
    const pair = await take(
      `reason-${reasons.indexOf(reason)}`,
      await mesh({ 'shop/web@node-a': { state: `Unavailable: ${reason}` } }),
    );
    await expectSame(pair, at);
  });

  test.each(['Unavailable', 'Suspended by Bob', 'Initializing'])('with the state %s', async (state) => {
    const pair = await take(`state-${state.length}`, await mesh({ 'shop/web@node-a': { state } }));
    await expectSame(pair, at);
  });

  test('with StatefulSets whose names look like pods, and pods called after their nodes', async () => {
    const more = [
      statefulSet('shop/web-2', { on: nodes, readyReplicas: 1 }),
      statefulSet('shop/v1.db', { on: nodes }),
      daemonSet('infra/log', { on: nodes, hostNetwork: true }),
      deployment('shop/plain', { on: ['node-a'], serviceAccount: 'default' }),
    ];
    await expectSame(await take('names', await mesh({ 'shop/web-2@node-b': 'MISSING' }, more)), at);
  });

  const broken: readonly (readonly [name: string, what: Misbehaviour])[] = [
    ['breaks off', { how: 'cut', after: 9_000, contentLength: true }],
    ['ends too early', { how: 'cut', after: 9_000, contentLength: false }],
    ['breaks off at once', { how: 'cut', after: 3, contentLength: true }],
    ['sends a page', { how: 'reply', body: '<html>shop/web', contentType: 'text/html' }],
    ['refuses', { how: 'error-channel', text: 'node-a of shop says no' }],
    [
      'sends wrong members',
      {
        how: 'reply',
        body: '{"certificates": [7], "config": {"localNode": "node-a"}, "policies": [], "services": [], "workloads": []}',
      },
    ],
  ];
  test.each(broken)('of which one ztunnel %s', async (name, what) => {
    const world = await mesh({});
    const pair = await take(`broken-${name.replaceAll(' ', '-')}`, world, {
      [ztunnelOn(world, 'node-a')]: what,
    });
    await expectSame(pair, at);
    const place = path.join(folder, `unpacked-${name.replaceAll(' ', '-')}`);
    await run(`snapshot ${place} -f ${pair.redacted}`);
    expect(namesOf(world).filter((name) => names(textOf(place), name))).toEqual([]);
  });

  test('with addresses of both families', async () => {
    const world = await mesh({});
    const pods = world.pods.map((pod, index) => ({
      ...pod,
      status: { ...pod.status, podIPs: [{ ip: `10.9.9.${index}` }, { ip: `2001:db8::${index}` }] },
    }));
    const ztunnels = Object.fromEntries(
      Object.entries(world.ztunnels).map(([name, dump]) => [
        name,
        String(dump).replaceAll(/"10\.1\.0\.(\d+)"/g, '"10.1.0.$1", "2001:db8::$1"'),
      ]),
    );
    const pair = await take('families', { ...world, pods, ztunnels });
    const families = async (snapshot: string) =>
      (await ask('workloads', snapshot)).document.items.map((item: Document) =>
        item.addresses.map((text: string) => text.includes(':')),
      );
    expect(sorted(await families(pair.redacted))).toEqual(sorted(await families(pair.plain)));
    expect((await families(pair.plain)).flat()).toContain(true);
  });
});

/** All files as text. */
function textOf(place: string): string {
  const names = readdirSync(place, { recursive: true, withFileTypes: true });
  return names
    .filter((name) => name.isFile())
    .map((name) => `${name.name}\n${readFileSync(path.join(name.parentPath, name.name), 'latin1')}`)
    .join('\n');
}

/** `data` in `metadata` and in the label that asks for capture is no name. */
function names(text: string, name: string): boolean {
  return text.replaceAll(/metadata|istio\.io\/dataplane-mode/g, '').includes(name);
}

/** Every name that a mesh has, apart from what all meshes have in common and what is too short to mean anything. */
function namesOf({ nodes, pods, replicasets, statefulsets, jobs, leases }: Scenario): readonly string[] {
  const objects: readonly Manifest[] = [
    ...nodes,
    ...pods,
    ...replicasets,
    ...statefulsets,
    ...jobs,
    ...leases,
  ];
  const names = objects.flatMap(({ kind, metadata, spec, status }: Document) => [
    metadata.name,
    ...(kind === 'Node' ? [] : [metadata.namespace]),
    // Of nodes' Leases nothing but the name is kept; of Nodes nothing.
    ...(kind === 'Pod' ? [metadata.uid, spec.serviceAccountName, spec.nodeName, status.podIP] : []),
    ...(metadata.ownerReferences ?? []).flatMap((owner: Document) => [owner.name, owner.uid]),
  ]);
  // ztunnel and waypoint are words of the formats themselves.
  const PUBLIC = new Set(['default', 'kube-node-lease', 'kube-system', 'ztunnel', 'waypoint']);
  return [...new Set(names)].filter((name) => name !== undefined && !PUBLIC.has(name) && name.length > 2);
}

test('the nodes of the demonstration are among the names that are looked for', async () => {
  expect(namesOf(await demo(at))).toEqual(expect.arrayContaining([...NODES, 'shop', 'cart-0', 'web']));
});
