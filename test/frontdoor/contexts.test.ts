// What `certs --contexts` says of several clusters at once, and of those among them that can't be asked.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { openMeshes } from '../../src/mesh/clusters.ts';
import type { Mesh as AskedMesh } from '../../src/mesh/mesh.ts';
import { expectGolden } from '../golden.ts';
import { writeContexts } from '../mesh/contexts.ts';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const anHourLater = '2026-11-29T23:03:42Z';
const nodes = ['node-a', 'node-b'];
const EKS = 'arn:aws:eks:eu-west-1:123456789012:cluster/shop';
const folder = temporaryDirectory();

const web = { validFrom: -3600, validTo: 82_800 };
const open: Mesh[] = [];
let east: Mesh;
let west: Mesh;
let eastern: Scenario;
let KUBECONFIG: string;

async function serve(state: Scenario, options: MeshOptions = {}): Promise<Mesh> {
  const mesh = await startMesh(state, { namespace: 'shop', ...options });
  open.push(mesh);
  return mesh;
}

beforeAll(async () => {
  eastern = await scenario({
    at,
    nodes,
    workloads: [deployment('shop/web', { on: nodes }), deployment('shop/api', { on: ['node-a'] })],
    certificates: { 'shop/web': web, 'shop/api': 'EXPIRED' },
  });
  const western = await scenario({
    at,
    nodes: ['node-a'],
    workloads: [deployment('shop/web', { on: ['node-a'] })],
    certificates: { 'shop/web': web },
  });
  east = await serve(eastern);
  west = await serve({ ...western, clock: { at: anHourLater } });
  const [refusing, hanging, gone, other] = [
    await serve(western, { rules: [] }),
    await serve(western),
    await serve(western),
    await serve(
      await scenario({
        at,
        nodes: ['node-a'],
        trustDomain: 'other.example',
        workloads: [deployment('shop/web', { on: ['node-a'] })],
        certificates: { 'shop/web': web },
      }),
    ),
  ];
  hanging.misbehave('/api/v1/pods', { how: 'hang', at: 'handshake' });
  await gone.close();
  KUBECONFIG = writeContexts(folder, { east, west, refusing, hanging, gone, [EKS]: other });
});
afterAll(() => Promise.all(open.map((mesh) => mesh.close())));

const ask = (line: string, surroundings: object = {}) =>
  run(line, { clock: new Date(at), env: { KUBECONFIG, NO_COLOR: '1' }, ...surroundings });

interface Documented {
  readonly reference: { readonly time: string };
  readonly clusters: readonly object[];
  readonly items: readonly {
    readonly cluster?: string;
    readonly identity: string;
    readonly status: string;
  }[];
  readonly failures: readonly object[];
  readonly summary: object;
}
async function documentOf(line: string) {
  const outcome = await ask(`${line} -o json`);
  const document = JSON.parse(outcome.stdout) as Documented;
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  return { ...outcome, document };
}

describe('one table', () => {
  test('with CLUSTER first, worst first whatever the cluster', async () => {
    const { code, stdout, stderr } = await ask('certs --contexts east,west');
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      '4 certificates on 3 of 3 ztunnels in 2 of 2 clusters: 3 OK, 1 critical.',
    ]);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['CLUSTER', 'STATUS', 'IDENTITY', 'NODE', 'EXPIRES', 'OWNER'],
      ['east', 'EXPIRED', 'shop/api', 'node-a', '1h0m ago', 'Deployment/api'],
      ['east', 'OK', 'shop/web', 'node-a', 'in 23h0m', 'Deployment/web'],
      // Judged by its own clock, which is an hour ahead.
      ['west', 'OK', 'shop/web', 'node-a', 'in 22h0m', 'Deployment/web'],
      ['east', 'OK', 'shop/web', 'node-b', 'in 23h0m', 'Deployment/web'],
      [''],
    ]);
  });

  test('at 80 columns, with names as Amazon makes them', async () => {
    const { stdout } = await ask(`certs --contexts ${EKS} --contexts east`, {
      terminal: { columns: 80, rows: 40 },
    });
    expectGolden('frontdoor', 'contexts-certs', stdout);
  });

  test('can be sorted and grouped by cluster', async () => {
    const first = (text: string) => text.split('\n').map((line) => line.split(/ {2,}/)[0]);
    const sorted = await ask('certs --contexts west,east --sort-by cluster,node');
    expect(first(sorted.stdout)).toEqual(['CLUSTER', 'east', 'east', 'east', 'west', '']);
    const grouped = await ask('certs --contexts west,east --group-by cluster');
    expect(grouped.stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['CLUSTER', 'CERTIFICATES', 'CRITICAL', 'WARNING', 'INFORMATION', 'OK', 'FIRST EXPIRES'],
      ['east', '3', '1', '0', '0', '2', '1h0m ago'],
      ['west', '1', '0', '0', '0', '1', 'in 22h0m'],
      [''],
    ]);
    const byNode = await ask('certs --contexts west,east --group-by node');
    expect(first(byNode.stdout)).toEqual(['NODE', 'east/node-a', 'east/node-b', 'west/node-a', '']);
    const byIdentity = await ask('certs --contexts west,east --group-by identity -n shop');
    expect(byIdentity.stdout).toMatch(/\/web +3 /);
  });

  test('of one context is the same, with its name', async () => {
    const { stdout, stderr } = await ask('certs --contexts west');
    expect(stdout).toMatch(/^CLUSTER +STATUS .*\nwest +OK /);
    expect(stderr).toContain('in 1 of 1 cluster: 1 OK.\n');
  });

  test('without --contexts knows nothing of clusters', async () => {
    const { stdout, stderr } = await ask('certs --context east -o wide');
    expect(`${stdout}${stderr}`).not.toMatch(/cluster[s ]|CLUSTER/);
    const sorted = await ask('certs --context east --sort-by cluster');
    expect([sorted.code, sorted.stderr]).toEqual([1, expect.stringMatching(/knows no column "cluster"/)]);
    const grouped = await ask('certs --context east --group-by cluster');
    expect([grouped.code, grouped.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: --group-by cluster needs --contexts/),
    ]);
  });
});

describe('other formats', () => {
  test('-o json follows the schema, names each cluster, and is the same in YAML', async () => {
    const { code, document } = await documentOf('certs --contexts east,west');
    expect(document.items.map(({ cluster, status }) => [cluster, status])).toEqual([
      ['east', 'EXPIRED'],
      ['east', 'OK'],
      ['west', 'OK'],
      ['east', 'OK'],
    ]);
    const judged = (time: string) => ({ time, source: 'api-server' });
    expect(document.clusters).toEqual([
      { name: 'east', reference: judged(at), ztunnels: { asked: 2, answered: 2 } },
      { name: 'west', reference: judged(anHourLater), ztunnels: { asked: 1, answered: 1 } },
    ]);
    expect(document.reference).toEqual(judged(anHourLater));
    expect(code).toBe(0);
    const yaml = await ask('certs --contexts east,west -o yaml');
    expect(load(yaml.stdout)).toEqual(document);
    const groups = await documentOf('certs --contexts east,west --group-by cluster');
    expect(groups.document.items).toHaveLength(2);
  });

  test("-o short is istioctl's, between CLUSTER and ZTUNNEL", async () => {
    const { stdout } = await ask('certs --contexts east,west -o short');
    const [header, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect([header?.[0], header?.[1], header?.at(-1)]).toEqual(['CLUSTER', 'CERTIFICATE NAME', 'ZTUNNEL']);
    expect(rows.map(([cluster, , type]) => [cluster, type])).toEqual(
      [...Array(3).fill('east'), 'west'].flatMap((cluster) =>
        ['Leaf', 'Intermediate', 'Root'].map((type) => [cluster, type]),
      ),
    );
    const alone = await ask('certs --contexts west -o short');
    expect(alone.stdout.split('\n')[0]).toMatch(/^CLUSTER .* NOT BEFORE$/);
  });

  test('-o name says each identity once, -o pem where it is from, -o html all', async () => {
    const names = await ask('certs --contexts east,west -o name');
    expect(names.stdout).toBe(
      'spiffe://cluster.local/ns/shop/sa/api\nspiffe://cluster.local/ns/shop/sa/web\n',
    );
    const pems = await ask('certs --contexts west -o pem');
    expect(pems.stdout).toMatch(/^# spiffe:\S+ leaf from istio-system\/ztunnel-\w+ in west, valid until /);
    const page = await ask('certs --contexts east,gone -o html');
    for (const text of ['CLUSTER</th>', 'east/node-b', 'gone: the API server', 'judged by its own']) {
      expect(page.stdout).toContain(text);
    }
  });
});

describe('a cluster that can not be asked', () => {
  test.each([
    ['none of that name', 'nowhere', 'the kubeconfig has no context "nowhere"'],
    ['one that refuses the connection', 'gone', 'the API server https://127.0.0.1:'],
    ['one that forbids', 'refusing', 'pods is forbidden'],
    ['one that does not answer', 'hanging', 'did not answer'],
  ])('%s is one error that names it; the others stand', async (_, name, message) => {
    const { code, document, stderr } = await documentOf(
      `certs --contexts east,${name} --request-timeout 500ms`,
    );
    expect(document.items).toHaveLength(3);
    expect(document.failures).toEqual([
      {
        cluster: name,
        ztunnel: null,
        severity: 'error',
        message: expect.stringContaining(message),
        hint: expect.stringMatching(/./),
      },
    ]);
    expect(document.clusters[1]).toEqual({ name, reference: null, ztunnels: { asked: 0, answered: 0 } });
    expect(stderr).toMatch(new RegExp(`^error: ${name}: `, 'm'));
    expect(code).toBe(1);
  });

  test('all of them: nothing but their errors, and exit code 1', async () => {
    const { code, stdout, stderr } = await ask('certs --contexts gone,nowhere');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: gone: .*\nerror: nowhere: .* Choose one that it has: arn.*, east, .*\n$/);
  });

  test('a ztunnel that fails is named with its cluster, and so is what is said of clocks', async () => {
    const ztunnel = ztunnelOn(eastern, 'node-a');
    east.misbehave(ztunnel, { how: 'error-channel' });
    const { code, document, stderr } = await documentOf('certs --contexts east,west');
    east.misbehave(ztunnel, undefined);
    expect(document.failures).toEqual([
      expect.objectContaining({ cluster: 'east', ztunnel: expect.objectContaining({ node: 'node-a' }) }),
    ]);
    expect(stderr).toMatch(/^error: east: ztunnel ztunnel-\w+ in namespace istio-system on node node-a: /m);
    expect(stderr).toMatch(/^warning: west: The local clock is 60 min behind the API server's/m);
    expect(code).toBe(1);
  });

  test('refused lists are warnings that name their cluster', async () => {
    east.misbehave('/apis/batch/v1/jobs', { how: 'refuse', status: 403, message: 'no' });
    const { code, stderr } = await ask('certs --contexts east,west');
    east.misbehave('/apis/batch/v1/jobs', undefined);
    expect(stderr).toMatch(/^warning: east: .* refuses: no; owners stop at Jobs\.$/m);
    expect(code).toBe(0);
  });
});

describe('TARGET', () => {
  test('is looked up in each; one that lacks it is a warning', async () => {
    const { code, document, stderr } = await documentOf('certs deployment/api --contexts east,west');
    expect(document.items.map(({ cluster }) => cluster)).toEqual(['east']);
    expect(stderr).toMatch(/^warning: west: there is no pod of deployment\/api\.$/m);
    expect(code).toBe(0);
  });

  test('in none of them is the usual error', async () => {
    for (const target of ['deployment/nowhere', 'spiffe://cluster.local/ns/shop/sa/nowhere']) {
      const outcome = await ask(`certs ${target} --contexts east,west`);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(/^error: (there is no pod of|no pod runs as) .*nowhere/);
    }
  });

  test('in one, while another can not be asked, is no error of its own', async () => {
    const { code, stderr } = await ask('certs deployment/nowhere --contexts east,gone');
    expect(stderr).toMatch(/^warning: east: there is no pod of deployment\/nowhere.*\nerror: gone: /m);
    expect(code).toBe(1);
  });
});

describe('what is asked', () => {
  test('each list of each cluster once, and no cluster but those named', async () => {
    const before = [east, west].map(({ requests }) => requests.length);
    await ask('certs --contexts east,west');
    const lists = [east, west].map(({ requests }, index) =>
      requests
        .slice(before[index])
        .filter((each) => !each.path.endsWith('/portforward'))
        .map((each) => `${each.path}${each.query.labelSelector ? '?' : ''}`)
        .toSorted(),
    );
    const once = [
      '/api/v1/pods',
      '/api/v1/pods?',
      '/apis/apps/v1/replicasets',
      '/apis/apps/v1/statefulsets',
      '/apis/batch/v1/jobs',
    ];
    expect(lists).toEqual([once, once]);
  });

  // Other systems do not tell a pipe that nobody has written to from one that has ended.
  (platform() === 'linux' ? test : test.skip)('a kubeconfig that is a pipe, once for all', async () => {
    const pipe = path.join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const [{ code, stdout }] = await Promise.all([
      ask('certs --contexts east,west --group-by cluster', { env: { KUBECONFIG: pipe } }),
      writeFile(pipe, readFileSync(KUBECONFIG)),
    ]);
    expect([code, stdout.match(/^(?:east|west)/gm)]).toEqual([0, ['east', 'west']]);
  });

  test.each([
    [7, 3, 2],
    [2, 2, 1],
  ])('--concurrency %i asks %i of 3 clusters at once, of each %i', async (concurrency, atOnce, ofEach) => {
    const contexts = openMeshes(
      { contexts: ['a', 'b', 'c'], concurrency },
      async () => fakeMesh(() => {}),
      bare.clock,
    );
    const running = { now: 0, most: 0 };
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const look = async (options: { readonly concurrency: number }) => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      if (running.now === atOnce) resolve();
      await enough;
      running.now -= 1;
      return options.concurrency;
    };
    const { parts } = await contexts.ask(look, bare);
    expect([parts.map(({ looked }) => looked), running.most]).toEqual([Array(3).fill(ofEach), atOnce]);
  });

  test('and every cluster that was opened is closed, whatever became of it', async () => {
    const closed: string[] = [];
    const contexts = openMeshes(
      { contexts: ['a', 'b', 'c'], concurrency: 1 },
      async ({ context }) => fakeMesh(() => closed.push(context)),
      bare.clock,
    );
    const look = async (_: unknown, __: unknown, context: string | undefined) => {
      if (context === 'b') throw new TypeError('a bug');
    };
    await expect(contexts.ask(look, bare)).rejects.toThrow('a bug');
    await contexts.close();
    expect(closed).toEqual(['a', 'b', 'c']);
  });
});

const bare = {
  progress: { update: () => {}, clear: async () => {} },
  signal: new AbortController().signal,
  clock: { now: () => new Date(at), sleep: async () => {} },
};
/** Only opened and closed. */
const fakeMesh = (close: () => void) =>
  ({ ...bare, cluster: { close: async () => close(), warnings: () => [] } }) as unknown as AskedMesh;

describe('wrong usage', () => {
  test.each([
    ['certs --contexts east,east', '--contexts names "east" twice'],
    ['certs --contexts east --contexts east', '--contexts names "east" twice'],
    ['certs --contexts east,,west', '--contexts holds an empty name'],
    ['certs --contexts=', '--contexts was given an empty value'],
    ['certs --contexts a --context b', '--contexts and --context exclude each other'],
    ['certs --contexts a --cluster b', '--contexts and --cluster exclude each other'],
    ['certs --contexts a --user b', '--contexts and --user exclude each other'],
    ['certs --contexts a --server http://127.0.0.1:1', '--contexts and --server exclude each other'],
    ['certs --contexts a -f b', '--contexts and --file exclude each other'],
    ['certs --contexts a --resources b', '--contexts and --resources exclude each other'],
    ['certs --contexts east,west nonsense/web', 'TARGET has no type "nonsense"'],
    [
      'workloads --contexts east',
      'workloads has no flag --contexts. Commands that have it: certs, check, trust, diff. See --help',
    ],
  ])('%s', async (line, message) => {
    const { code, stdout, stderr } = await ask(line);
    expect([code, stdout, stderr.slice(0, message.length + 7)]).toEqual([1, '', `error: ${message}`]);
  });
});
