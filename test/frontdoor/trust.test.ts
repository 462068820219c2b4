// What trust says: of every pair in moments of a real mesh, of classes, and of what is unknown.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeContexts } from '../mesh/contexts.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { AT, rotationAt } from '../mesh/rotation.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const folder = temporaryDirectory();
const moments = path.resolve(import.meta.dirname, '../testdata/mesh');
const judgement = path.resolve(import.meta.dirname, '../testdata/judgement');

interface Observed {
  readonly at: string;
  readonly reached: Readonly<Record<string, boolean>>;
}

function inputOf(moment: string) {
  const place = path.join(moments, moment);
  const { at, reached } = JSON.parse(readFileSync(path.join(place, 'observed.json'), 'utf8')) as Observed;
  const files = ['node-a', 'node-b'].flatMap((node) => ['-f', path.join(place, `${node}.config_dump.json`)]);
  return { reached, argv: [...files, '--resources', path.join(place, 'pods.json'), '--now', at] };
}

const all = readdirSync(moments).flatMap((series) =>
  readdirSync(path.join(moments, series)).map((moment) => `${series}/${moment}`),
);

/** `shop/web` as it is typed. */
const target = (pod: string) => pod.split('/').toReversed().join('.');

/** Certificates do not tell what policies refuse, nor anything of pods whose ztunnel never had its configuration. */
function expectedOf(moment: string, pair: string, reached: boolean): number {
  if (moment.startsWith('policies/')) return 0;
  if (moment.startsWith('token/') && /shop\/cart|data\/db/.test(pair)) return 2;
  return reached ? 0 : 1;
}

describe.each(all)('%s', (moment) => {
  const { reached, argv } = inputOf(moment);

  test.each(Object.entries(reached))('%s', async (pair, came) => {
    const words = pair.split(' -> ').map(target);
    const { code, stdout } = await run(['trust', ...words, ...argv, '-o', 'json']);
    expect(code).toBe(expectedOf(moment, pair, came));
    const { items } = JSON.parse(stdout);
    expect(items).toHaveLength(1);
    expect(items[0].works).toBe([true, false, null][code]);
    expect(items[0].decisive === null).toBe(code === 0);
  });

  test('all together', async () => {
    const { code } = await run(['trust', ...argv]);
    const codes = Object.entries(reached).map(([pair, came]) => expectedOf(moment, pair, came));
    // Without SRC, what a ztunnel has not taken over is not asked.
    expect(code).toBe(moment.startsWith('enrol/') ? 0 : codes.includes(1) ? 1 : Math.max(...codes));
  });
});

const abrupt = inputOf('abrupt/1-node-a-on-b').argv;
const rotation = inputOf('rotation/1-both-trusted').argv;

describe('without SRC', () => {
  test('the classes, and each way that fails with both sides', async () => {
    const { code, stdout, stderr } = await run(['trust', ...abrupt]);
    expect(code).toBe(1);
    const lines = stdout.split('\n').map((line) => line.trimEnd());
    expect(lines.slice(0, 5)).toEqual([
      'CLASS  PRESENTS      TRUSTS        TRUST DOMAIN   IDENTITIES  PODS  NODES  SUCH AS',
      '1      c32bfde27d2a  c32bfde27d2a  cluster.local  2           2     1      data/db on node-b, …',
      '2      eeeaa1c1d303  eeeaa1c1d303  cluster.local  2           2     1      ops/admin on node-a, …',
      '',
      'FROM     TO       WORKS  REFUSED BY  IDENTITIES  PODS   WHY',
    ]);
    expect(lines[5]).toMatch(
      /^class 1 {2}class 2 {2}no {5}both {8}2 → 2 {7}2 → 2 {2}data\/db on node-b, shop\/cart on node-b → ops\/admin on node-a, shop\/web on node-a: the client refuses: .*; the server refuses: /,
    );
    expect(lines[6]).toMatch(/^class 2 {2}class 1 {2}no/);
    expect(lines).toHaveLength(8);
    expect(stderr).toBe('2 trust classes of 4 certificates: 2 of 4 pairs fail (2 of 2 ztunnels).\n');
  });

  test('only of a namespace', async () => {
    const { code, stdout } = await run(['trust', '-n', 'nowhere', ...abrupt, '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).summary).toMatchObject({ pairs: 0, fails: 0 });
  });

  test('a page with a matrix', async () => {
    const { code, stdout } = await run(['trust', ...abrupt, '-o', 'html']);
    expect(code).toBe(1);
    const cells = [...stdout.matchAll(/<td class="(\w+) short"[^>]*>(yes|no|unknown)<\/td>/g)];
    expect(cells.slice(0, 4).map(([, tone, text]) => `${tone} ${text}`)).toEqual([
      'ok yes',
      'critical no',
      'critical no',
      'ok yes',
    ]);
    expect(stdout).toContain('Who can connect to whom');
  });

  test('a leaf that may not be a client fails, though it is no pair of two classes', async () => {
    const file = path.join(judgement, '20-eku.json');
    const { code, stdout } = await run(['trust', '-f', file, '--now', '2026-11-29T22:03:42Z', '-o', 'json']);
    expect(code).toBe(1);
    const { items } = JSON.parse(stdout);
    const only = items.find((item: { usages: Record<string, boolean> }) => !item.usages.clientAuth);
    expect(only.usages).toEqual({ serverAuth: true, clientAuth: false });
    expect(only.to.every(({ works }: { works: boolean }) => !works)).toBe(true);
  });

  test('a certificate that has expired fails with everybody', async () => {
    const later = abrupt.with(-1, '2036-01-01T00:00:00Z');
    const { code, stderr } = await run(['trust', ...later]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/warning: 4 certificates can be used with no peer: .*expired at/);
  });

  test('as short, for programs that read columns', async () => {
    const { stdout } = await run(['trust', ...abrupt, '-o', 'short']);
    expect(stdout.split('\n')[0]).toMatch(/^CLASS +PRESENTS +TRUSTS +TRUST DOMAIN/);
    expect(stdout).toMatch(/^class 1 +class 2 +no +both/m);
  });
});

describe('with SRC', () => {
  test('whom it can verify and whom not, in both directions', async () => {
    const { code, stdout } = await run(['trust', 'web.shop', ...abrupt, '-o', 'json']);
    expect(code).toBe(1);
    const { kind, items } = JSON.parse(stdout);
    expect(kind).toBe('TrustClassList');
    expect(
      items.map(({ source, to }: { source: number; to: { works: boolean }[] }) => [
        source,
        to.map(({ works }) => works),
      ]),
    ).toEqual([
      [0, [false]],
      [1, [false, true]],
    ]);
    expect((await run(['trust', 'web.shop', ...rotation])).code).toBe(0);
  });
});

describe('what is unknown', () => {
  test.each([
    ['no such pod', ['trust', 'nobody', ...abrupt], /nobody/],
    ['no such destination', ['trust', 'web.shop', 'nobody.shop', ...abrupt], /nobody/],
    ['three words', ['trust', 'a', 'b', 'c', ...abrupt], /trust takes/],
    ['a type that is none', ['trust', 'planet/mars', ...abrupt], /planet/],
    ['a file that is not there', ['trust', '-f', 'nowhere.json'], /nowhere.json/],
  ])('%s: exit 2, and what to do', async (_, argv, said) => {
    const { code, stderr } = await run(argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });

  test('a pod that is not captured: with the label that would capture it', async () => {
    const { code, stdout } = await run(['trust', 'web.shop', 'node/node-b', ...abrupt, '-o', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).items).toHaveLength(2);
    const pod = await run(['trust', 'ztunnel-node-a.istio-system', 'web.shop', ...abrupt, '-o', 'json']);
    expect(validate(JSON.parse(pod.stdout))).toBe(true);
  });
});

test('each certificate has the root that its own chain ends in', async () => {
  const { stdout } = await run(['certs', '-o', 'json', ...abrupt]);
  const anchors = JSON.parse(stdout).items.map(
    ({
      serviceAccount,
      anchor,
    }: {
      serviceAccount: string;
      anchor: { fingerprintSHA256: string; subject: string };
    }) => `${serviceAccount} ${anchor.fingerprintSHA256.slice(0, 8)} ${anchor.subject}`,
  );
  expect(anchors.toSorted()).toEqual([
    'admin eeeaa1c1 O=mesh, CN=Root B',
    'cart c32bfde2 O=mesh, CN=Root A',
    'db c32bfde2 O=mesh, CN=Root A',
    'web eeeaa1c1 O=mesh, CN=Root B',
  ]);
});

describe('live, in several clusters', () => {
  const open: Mesh[] = [];
  const kubeconfigs = new Map<string, string>();
  beforeAll(async () => {
    const meshes = Object.fromEntries(
      await Promise.all(
        Object.entries({ east: 'before', west: 'dropped', north: 'trusted' } as const).map(
          async ([name, step]) =>
            [name, await startMesh(await rotationAt(step), { namespace: 'shop' })] as const,
        ),
      ),
    );
    open.push(...Object.values(meshes));
    kubeconfigs.set('all', writeContexts(folder, meshes));
  });
  afterAll(() => Promise.all(open.map((mesh) => mesh.close())));

  const ask = async (line: string) => {
    const env = { KUBECONFIG: kubeconfigs.get('all')!, NO_COLOR: '1' };
    const { code, stdout, stderr } = await run(`trust ${line} -o json`, { clock: new Date(AT), env });
    const document = JSON.parse(stdout || 'null');
    if (document !== null) expect([validate(document), validate.errors]).toEqual([true, null]);
    return { code, stderr, document };
  };

  test('those under different roots can not verify each other', async () => {
    const { code, document } = await ask('--contexts east,west');
    expect([code, document.summary.classes, document.summary.fails]).toEqual([1, 2, 2]);
    expect(document.clusters.map(({ name }: { name: string }) => name)).toEqual(['east', 'west']);
    const alike = await ask('--contexts east,north');
    expect([alike.code, alike.document.summary.fails]).toEqual([0, 0]);
  });

  test('SRC and DST are looked up in each, and every pair of them is judged', async () => {
    const { code, document } = await ask('deployment/web.shop statefulset/db.data --contexts east,west');
    const ways = document.items.map(
      ({
        source,
        destination,
        works,
      }: {
        source: { cluster: string };
        destination: { cluster: string };
        works: boolean;
      }) => `${source.cluster} > ${destination.cluster} ${works}`,
    );
    expect(code).toBe(1);
    expect([...new Set(ways)].toSorted()).toEqual([
      'east > east true',
      'east > west false',
      'west > east false',
      'west > west true',
    ]);
    // Web is on three nodes.
    expect(ways).toHaveLength(12);
  });

  test('what no cluster has is an error, and so is a cluster that is not there', async () => {
    expect((await ask('deployment/nobody --contexts east,west')).code).toBe(2);
    expect((await ask('--contexts east,nowhere')).code).toBe(2);
  });

  test('one of them alone, with TARGETs of all kinds', async () => {
    expect((await ask('--context east')).code).toBe(0);
    expect((await ask('node/node-a node/node-b --context east')).code).toBe(0);
    expect((await ask('daemonset/ztunnel.istio-system --context east')).code).toBe(0);
    const identity = 'spiffe://cluster.local/ns/shop/sa/web';
    expect((await ask(`${identity} deployment/api --context east`)).code).toBe(0);
  });
});

describe('roots, by who trusts them', () => {
  const said = async (moment: string) =>
    (await run(['certs', '--group-by', 'trusts', ...inputOf(moment).argv])).stderr;

  test('in the middle of a rotation and at its end', async () => {
    expect(await said('rotation/1-both-trusted')).toContain(
      'May sign with eeeaa1c1d303 now: all 4 identities trust it.',
    );
    expect(await said('rotation/2-all-renewed')).toContain('May drop c32bfde27d2a now: none presents it.');
  });

  test('who is still in the way', async () => {
    expect(await said('abrupt/1-node-a-on-b')).toMatch(
      /May not sign with c32bfde27d2a yet: 2 identities do not trust it \(ops\/admin on node-a, shop\/web on node-a\)\. May not drop c32bfde27d2a yet: 2 identities present it \(data\/db on node-b, shop\/cart on node-b\)\./,
    );
  });
});
