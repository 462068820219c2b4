// What TARGET, --selector and --deep show, and which ztunnels they ask.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, daemonSet, deployment, job, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b', 'node-c'];

const folder = temporaryDirectory();
let objects: Scenario;
let mesh: Mesh;
beforeAll(async () => {
  objects = await scenario({
    at,
    nodes,
    workloads: [
      deployment('shop/web', { on: ['node-a', 'node-b'] }),
      deployment('shop/api', { on: ['node-a'] }),
      deployment('data/api', { on: ['node-c'] }),
      statefulSet('data/db', { on: ['node-b', 'node-c'] }),
      daemonSet('infra/agent', { on: nodes, serviceAccount: 'agent', labels: { tier: 'system' } }),
      job('data/load-1', { on: ['node-b'], cronJob: 'load', serviceAccount: 'load' }),
      job('data/once', { on: ['node-c'], serviceAccount: 'load' }),
      job('data/done', { on: ['node-c'], phase: 'Succeeded' }),
      // A name with a dot, and what it could be split into.
      barePod('shop/tool.data', { on: 'node-a', serviceAccount: 'tool' }),
      barePod('data/tool', { on: 'node-c', serviceAccount: 'tool' }),
      barePod('data/probe', { on: 'node-c', serviceAccount: 'probe' }),
      deployment('data/waiting', { on: [''] }),
    ],
    certificates: { 'data/gone@node-b': 'OK', 'data/orphan@node-a': 'OK' },
  });
  mesh = await startMesh(objects, { namespace: 'shop' });
});
afterAll(async () => {
  await mesh.close();
});

/** Runs it, and says which nodes' ztunnels were asked. */
async function ask(commandLine: string, on: Mesh = mesh) {
  const before = on.forwards.length;
  const outcome = await run(commandLine, { clock, env: { KUBECONFIG: on.writeKubeconfig(folder) } });
  const asked = on.forwards.slice(before).map(({ namespace, pod }) => `${namespace}/${pod}`);
  return { ...outcome, asked: nodes.filter((node) => asked.includes(ztunnelOn(objects, node))) };
}

/** The first columns of each row, as far as asked for. */
function cells(stdout: string, ...columns: readonly number[]): readonly string[] {
  const rows = stdout.trimEnd().split('\n').slice(1);
  return rows.map((row) => columns.map((column) => row.split(/ {2,}/)[column]).join(' '));
}

/** TARGET → the certificates shown and the nodes whose ztunnels were asked. The context's namespace is shop. */
const targets: readonly (readonly [target: string, rows: readonly string[], asked: readonly string[]])[] = [
  ['deployment/web', ['shop/web node-a', 'shop/web node-b'], ['node-a', 'node-b']],
  ['deploy/web.shop', ['shop/web node-a', 'shop/web node-b'], ['node-a', 'node-b']],
  // The context's namespace comes before other namespaces; -n and a namespace in the text come before it.
  ['deploy/api', ['shop/api node-a'], ['node-a']],
  ['deploy/api.data', ['data/api node-c'], ['node-c']],
  ['deploy/api -n data', ['data/api node-c'], ['node-c']],
  ['deploy/api.shop -n data', ['shop/api node-a'], ['node-a']],
  // As kubectl prints it.
  ['deployment.apps/api', ['shop/api node-a'], ['node-a']],
  ['statefulsets.apps/db.data', ['data/db node-b', 'data/db node-c'], ['node-b', 'node-c']],
  ['pods/db-1', ['data/db node-c'], ['node-c']],
  // A unique match anywhere.
  ['sts/db', ['data/db node-b', 'data/db node-c'], ['node-b', 'node-c']],
  ['db-1', ['data/db node-c'], ['node-c']],
  ['pod/db-1.data', ['data/db node-c'], ['node-c']],
  ['cronjob/load', ['data/load node-b'], ['node-b']],
  ['job/load-1', ['data/load node-b'], ['node-b']],
  ['job/once', ['data/load node-c'], ['node-c']],
  ['sa/load', ['data/load node-b', 'data/load node-c'], ['node-b', 'node-c']],
  ['ds/agent.infra', nodes.map((node) => `infra/agent ${node}`), nodes],
  // The whole text is a name before it is split.
  ['tool.data', ['shop/tool node-a'], ['node-a']],
  ['tool.data -n data', ['data/tool node-c'], ['node-c']],
  ['tool', ['data/tool node-c'], ['node-c']],
  ['spiffe://cluster.local/ns/data/sa/db', ['data/db node-b', 'data/db node-c'], ['node-b', 'node-c']],
  // No pod runs under it any more, so that any ztunnel may hold it.
  ['spiffe://cluster.local/ns/data/sa/gone', ['data/gone node-b'], nodes],
];

describe('certs TARGET', () => {
  test.each(targets)('%s', async (target, rows, asked) => {
    const outcome = await ask(`certs ${target}`);
    expect(cells(outcome.stdout, 1, 2)).toEqual(rows);
    expect(outcome.asked).toEqual(asked);
    expect(outcome.code).toBe(0);
  });

  test('of a node, a ztunnel or their DaemonSet is all that those ztunnels hold', async () => {
    const [, ofA = ''] = ztunnelOn(objects, 'node-a').split('/');
    const [byNode, byPod, byFlag, bySet, all] = [
      await ask('certs node/node-a'),
      await ask(`certs ${ofA}`),
      await ask('certs --node node-a'),
      await ask('certs ds/ztunnel.istio-system'),
      await ask('certs'),
    ];
    expect(byNode.stdout).toContain('data/orphan');
    expect(byNode.stdout).toBe(byFlag.stdout);
    expect(byPod).toEqual(byNode);
    expect(byNode.asked).toEqual(['node-a']);
    expect(bySet).toEqual(all);
  });

  test("filters in istioctl's format too", async () => {
    const { stdout } = await ask('certs db-1 -o short');
    expect(new Set(cells(stdout, 0))).toEqual(new Set(['spiffe://cluster.local/ns/data/sa/db']));
  });

  test('of no pod on the node is no MISSING of others', async () => {
    const { stdout } = await ask('certs sa/load --problems');
    expect(stdout).toBe('');
  });

  test('asks for each list once', async () => {
    const before = mesh.requests.length;
    await ask('certs deploy/web');
    const lists = mesh.requests.slice(before).map((request) => request.path);
    expect(lists.filter((list) => !list.includes('portforward'))).toHaveLength(5);
  });
});

const errors: readonly (readonly [commandLine: string, stderr: string])[] = [
  ['certs deploy/wbe', 'there is no pod of deployment/wbe. Did you mean deployment/web.shop?'],
  [
    'certs web',
    expect.stringMatching(/^there is no pod web\. Did you mean deployment\/web\.shop or /) as never,
  ],
  [
    'certs sts/db -n shop',
    'there is no pod of statefulset/db in namespace shop. Did you mean statefulset/db.data or serviceaccount/db.data?',
  ],
  [
    'certs deploy/db',
    'there is no pod of deployment/db. Did you mean statefulset/db.data or serviceaccount/db.data?',
  ],
  ['certs node-a', 'there is no pod node-a. Did you mean node/node-a?'],
  ['certs node/node-x', 'there is no node/node-x with a ztunnel or a pod. Did you mean node/node-a?'],
  ['certs node/nope', 'there is no node/nope with a ztunnel or a pod. The nodes are node-a, node-b, node-c.'],
  ...['certs', 'workloads', 'connections'].map(
    (command) =>
      [
        `${command} spiffe://other/ns/shop/sa/web`,
        'no pod runs as spiffe://other/ns/shop/sa/web, and no ztunnel lists it. Did you mean spiffe://cluster.local/ns/shop/sa/web?',
      ] as const,
  ),
  // Its pods have ended.
  ['certs job/done', 'there is no pod of job/done. See what there is with: kubectl ztunnel workloads'],
  ['certs zzzzzz', 'there is no pod zzzzzz. See what there is with: kubectl ztunnel workloads'],
  [
    'certs deploy/api -A',
    'deployment/api is in 2 namespaces: data, shop. Write deployment/api.data, or name one with -n.',
  ],
  [
    'certs sa/tool -A',
    'serviceaccount/tool is in 2 namespaces: data, shop. Write serviceaccount/tool.data, or name one with -n.',
  ],
  [
    'certs deploy/waiting',
    'no pod of deployment/waiting is on a node yet. See why with: kubectl describe pods -n data',
  ],
  [
    'certs spiffe://cluster.local/ns/infra/sa/agnet',
    'no pod runs as spiffe://cluster.local/ns/infra/sa/agnet, and no ztunnel lists it. Did you mean serviceaccount/agent.infra?',
  ],
  [
    'certs db-1 --ztunnel-namespace elsewhere',
    'no ztunnel is known on node-c, where db-1 runs. Live, ztunnel may not run there; from files, add the config dump of that node with -f.',
  ],
  [
    'certs web-0 db-1',
    'certs takes [TARGET] and no more, but "db-1" was given. Write kubectl ztunnel certs [TARGET].',
  ],
  ['certs -l app=web --no-owners', '--selector and --no-owners exclude each other. Leave one of them out.'],
];

describe('a TARGET that is not to be had', () => {
  test.each(errors)('%s', async (commandLine, stderr) => {
    const outcome = await ask(commandLine);
    const [line = ''] = outcome.stderr.split('\n');
    expect(line.replace(/^error: /, '')).toEqual(stderr);
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
  });

  test('but of which ztunnel lists a certificate, is only filtered out', async () => {
    const outcome = await ask('certs spiffe://cluster.local/ns/data/sa/gone --status EXPIRED');
    expect(outcome).toMatchObject({ code: 0, stderr: 'no certificate matches the filters\n' });
  });

  test('fails check, whatever else is wrong with the mesh', async () => {
    const outcome = await ask('check spiffe://other/ns/shop/sa/web');
    expect(outcome.stderr).toMatch(/^error: no pod runs as spiffe:\/\/other\/ns\/shop\/sa\/web/);
    expect([outcome.code, outcome.stdout]).toEqual([3, '']);
  });

  test('because pods may not be listed, while ztunnels and nodes still are', async () => {
    const rules: MeshOptions['rules'] = [
      { verbs: ['list'], resources: ['pods'], namespaces: ['istio-system'] },
      { verbs: ['get', 'create'], resources: ['pods/portforward'] },
    ];
    const limited = await startMesh(objects, { rules, namespace: 'shop' });
    try {
      const refused = await ask('certs deploy/web', limited);
      expect(refused.stderr).toMatch(
        /^error: deployment\/web can't be looked up: .*pods is forbidden.* at the cluster scope\. Name a node/,
      );
      expect(refused.stderr).toContain('kind: ClusterRole');
      const node = await ask('certs node/node-a -o name', limited);
      expect(node.asked).toEqual(['node-a']);
      expect(node.stdout).toContain('spiffe://cluster.local/ns/shop/sa/web\n');
      const labelled = await ask('certs -l app=web', limited);
      expect(labelled.stderr).toMatch(/^error: --selector app=web can't be looked up: /);
    } finally {
      await limited.close();
    }
  });
});

describe('workloads TARGET', () => {
  test.each([
    ['sts/db', ['data/db-0', 'data/db-1'], ['node-b', 'node-c']],
    ['db-1', ['data/db-1'], ['node-c']],
    ['spiffe://cluster.local/ns/shop/sa/api', ['shop/api-'], ['node-a']],
  ])('%s', async (target, names, asked) => {
    const outcome = await ask(`workloads ${target}`);
    const rows = cells(outcome.stdout, 0, 1).map((row) => row.replace(' ', '/'));
    expect(rows).toEqual(names.map((name) => expect.stringContaining(name)));
    expect(outcome.asked).toEqual(asked);
  });

  test('leaves out a namesake of another cluster', async () => {
    const of = ztunnelOn(objects, 'node-c');
    const dump = JSON.parse(String(objects.ztunnels[of])) as { workloads: Record<string, unknown>[] };
    const own = dump.workloads.find(({ name }) => name === 'db-1');
    dump.workloads.push({ ...own, uid: 'far//Pod/data/db-1', clusterId: 'far', node: 'far-node' });
    const other = await startMesh({
      ...objects,
      ztunnels: { ...objects.ztunnels, [of]: JSON.stringify(dump) },
    });
    try {
      expect(cells((await ask('workloads db-1', other)).stdout, 1, 4)).toEqual(['db-1 node-c']);
    } finally {
      await other.close();
    }
  });

  test('of a node is all that its ztunnel knows', async () => {
    const [some, all] = [await ask('workloads node/node-c -o name'), await ask('workloads -o name')];
    expect(some.stdout).toBe(all.stdout);
    expect(some.asked).toEqual(['node-c']);
  });
});

describe('other commands with TARGET', () => {
  test.each([
    ['services', 'sts/db', ['node-b']],
    ['policies', 'db-1', ['node-c']],
    ['connections', 'sts/db', ['node-b', 'node-c']],
    ['all', 'deploy/web', ['node-a', 'node-b']],
    ['check', 'deploy/web', ['node-a', 'node-b']],
    ['log', 'deploy/api', ['node-a']],
    ['log', 'node/node-c', ['node-c']],
  ])('%s %s', async (command, target, asked) => {
    const outcome = await ask(`${command} ${target}`);
    expect(outcome.stderr).not.toMatch(/^error/m);
    expect(outcome.asked).toEqual(asked);
    const absent = await ask(`${command} deploy/nope`);
    expect(absent.stderr).toMatch(/^error: there is no pod of deployment\/nope\./);
    expect(absent.asked).toEqual([]);
    expect(absent.code).toBe(command === 'check' ? 3 : 1);
  });

  test('all shows the workloads and certificates of TARGET alone', async () => {
    const { stdout } = await ask('all sts/db');
    expect(stdout).toMatch(/^data +db-0 /m);
    expect(stdout).toMatch(/^OK +data\/db +node-b/m);
    expect(stdout).not.toMatch(/shop\/web|^shop +web/m);
  });

  test('all -o json is the whole dump of the one ztunnel that TARGET needs', async () => {
    const { stdout } = await ask('all deploy/api -n shop -o json');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(String(objects.ztunnels[ztunnelOn(objects, 'node-a')])));
  });

  test("connections of one pod, also in istioctl's format", async () => {
    const dump = path.resolve(import.meta.dirname, '../testdata/dumps/node-a-connections.config_dump.json');
    const [all, some, short] = await Promise.all([
      run(`connections -f ${dump}`),
      run(`connections cart-0 -f ${dump}`),
      run(`connections cart-0 -f ${dump} -o short`),
    ]);
    const ofCart = all.stdout.split('\n').filter((line) => line.includes('cart-0'));
    expect(ofCart.length).toBeGreaterThan(0);
    expect(all.stdout.split('\n').length).toBeGreaterThan(ofCart.length + 2);
    expect(cells(some.stdout, 0)).toHaveLength(ofCart.length);
    expect(cells(short.stdout, 0).every((line) => line.startsWith('cart-0.shop'))).toBe(true);
    expect(cells(short.stdout, 0)).toHaveLength(ofCart.length);
  });

  test('check keeps findings of TARGET and of the mesh, and leaves those of others', async () => {
    const broken = await scenario({
      at,
      nodes,
      workloads: [deployment('shop/web', { on: ['node-a'] }), deployment('shop/api', { on: ['node-a'] })],
      certificates: { 'shop/web': 'EXPIRED', 'shop/api': 'EXPIRED' },
    });
    const other = await startMesh(broken, { namespace: 'shop' });
    try {
      const [both, one] = [await ask('check -o wide', other), await ask('check deploy/web -o wide', other)];
      expect(both.stdout).toContain('shop/api');
      expect(one.stdout).toContain('shop/web');
      expect(one.stdout).not.toContain('shop/api');
      expect(one.code).toBe(2);
    } finally {
      await other.close();
    }
  });
});

describe('--selector', () => {
  test.each([
    ['certs -l app=web', ['shop/web node-a', 'shop/web node-b'], ['node-a', 'node-b']],
    ['certs -l app=api,app!=web', ['data/api node-c', 'shop/api node-a'], ['node-a', 'node-c']],
    ['certs -l app=api -n shop', ['shop/api node-a'], ['node-a', 'node-c']],
    ['certs node/node-b -l tier=system', ['infra/agent node-b'], ['node-b']],
  ])('%s', async (commandLine, rows, asked) => {
    const outcome = await ask(commandLine);
    expect(cells(outcome.stdout, 1, 2)).toEqual(rows);
    expect(outcome.asked).toEqual(asked);
    expect(outcome.code).toBe(0);
  });

  test('of labels that no pod has leaves nothing, which is no error', async () => {
    const { code, stdout, stderr } = await ask('certs -l app=none');
    expect([code, stdout, stderr]).toEqual([0, '', 'no certificate matches the filters\n']);
  });

  test('chooses workloads by their pods', async () => {
    const { stdout } = await ask('workloads -l tier=system');
    expect(cells(stdout, 0)).toEqual(['infra', 'infra', 'infra']);
  });

  test("that can't be read is a usage error", async () => {
    const { code, stderr } = await ask('certs -l app=web=x');
    expect(stderr).toMatch(/^error: the label selector "app=web=x" can't be read/);
    expect(code).toBe(1);
  });
});

describe('from files', () => {
  const dumps = path.resolve(import.meta.dirname, '../testdata/dumps');
  const three = ['a', 'b', 'c'].map((node) => `-f ${dumps}/node-${node}.config_dump.json`).join(' ');
  const kubernetes = path.resolve(import.meta.dirname, '../testdata/kubernetes');
  const objectsOf = ['pods', 'replicasets', 'jobs', 'statefulsets']
    .map((kind) => `--resources ${kubernetes}/all-${kind}.pb`)
    .join(' ');
  const fromFiles = (commandLine: string) => run(`${commandLine} --now ${at}`, { clock });

  test.each([
    [`certs cart-0 ${three}`, ['shop/cart node-a']],
    [`certs cart-0.shop ${three}`, ['shop/cart node-a']],
    [`certs sa/cart ${three}`, ['shop/cart node-a', 'shop/cart node-b', 'shop/cart node-c']],
    [`certs sts/cart ${three} ${objectsOf}`, ['shop/cart node-a', 'shop/cart node-b', 'shop/cart node-c']],
    [`certs spiffe://cluster.local/ns/shop/sa/expired ${three}`, ['shop/expired node-b']],
    [`certs -l app=cart ${three} ${objectsOf}`, ['shop/cart node-a', 'shop/cart node-b', 'shop/cart node-c']],
  ])('%s', async (commandLine, rows) => {
    const { code, stdout } = await fromFiles(commandLine);
    expect(cells(stdout, 1, 2)).toEqual(rows);
    expect(code).toBe(0);
  });

  test('a ztunnel pod is the dump of its node', async () => {
    const [byPod, byNode] = await Promise.all([
      fromFiles(`certs ztunnel-4jt7m ${three} ${objectsOf}`),
      fromFiles(`certs node/node-a ${three} ${objectsOf}`),
    ]);
    expect(byPod.stdout.length).toBeGreaterThan(0);
    expect(byPod).toEqual(byNode);
  });

  test('standard input is read once and looked up in', async () => {
    const [read, given] = await Promise.all([
      run(`certs cart-0 -f - --now ${at}`, {
        stdin: readFileSync(`${dumps}/node-a.config_dump.json`, 'utf8'),
      }),
      fromFiles(`certs cart-0 -f ${dumps}/node-a.config_dump.json`),
    ]);
    expect(read.stdout).toBe(given.stdout);
    expect(read.stdout).toContain('shop/cart');
  });

  // Other systems do not tell a pipe that nobody has written to from one that has ended.
  (platform() === 'linux' ? test : test.skip)('a pipe is, too', async () => {
    const dump = `${dumps}/node-a.config_dump.json`;
    const pipe = path.join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const [read] = await Promise.all([
      run(`certs cart-0 -f ${pipe} --now ${at}`),
      writeFile(pipe, readFileSync(dump)),
    ]);
    expect(read).toEqual(await fromFiles(`certs cart-0 -f ${dump}`));
    expect(read.stdout).toContain('shop/cart');
  });

  test.each([
    [
      `certs deploy/web ${three}`,
      /^error: deployment\/web can't be looked up: config dumps name pods.*--resources/,
    ],
    [`certs -l app=web ${three}`, /^error: --selector needs the labels of pods.*--resources/],
    [
      `certs cart-1 -f ${dumps}/node-a.config_dump.json`,
      /^error: no ztunnel is known on node-b, where cart-1 runs\..*-f/,
    ],
    [`certs cart-9 ${three}`, /^error: there is no pod cart-9\. Did you mean cart-0\.shop\?/],
    ...['', objectsOf].flatMap((more): readonly (readonly [string, RegExp])[] => [
      [
        `certs spiffe://other/ns/shop/sa/web ${three} ${more}`,
        /^error: no pod runs as spiffe:\/\/other\/ns\/shop\/sa\/web, .* Did you mean spiffe:\/\/cluster\.local\/ns\/shop\/sa\/web\?/,
      ],
      [`certs node/nope ${three} ${more}`, /The nodes are node-a, node-b, node-c\.$/m],
      [`certs node/nodea ${three} ${more}`, /Did you mean node\/node-a\?$/m],
      [`certs sa/crat ${three} ${more}`, /Did you mean serviceaccount\/cart\.shop\?$/m],
      [
        `certs sa/nope ${three} ${more}`,
        /^error: there is no pod of serviceaccount\/nope\. The command workloads shows what there is, with the same -f/,
      ],
      [
        `certs spiffe://cluster.local/ns/shop/sa/nope ${three} ${more}`,
        /lists it\. The command workloads shows what there is, with the same -f and --resources\.$/m,
      ],
    ]),
  ])('%s is an error', async (commandLine, stderr) => {
    const outcome = await fromFiles(commandLine);
    expect(outcome.stderr).toMatch(stderr);
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
  });

  test('at most five nodes are named', async () => {
    const dumps = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'].map((node) => {
      const file = path.join(folder, `${node}.json`);
      writeFileSync(file, JSON.stringify({ certificates: [], config: { localNode: node }, workloads: [] }));
      return `-f ${file}`;
    });
    const { stderr } = await fromFiles(`certs node/other ${dumps.join(' ')}`);
    expect(stderr).toContain('The nodes are n1, n2, n3, n4, n5 and 1 more.');
    const { stderr: alike } = await fromFiles(`certs node/n6x ${dumps.slice(0, 5).join(' ')}`);
    expect(alike).toContain('The nodes are n1, n2, n3, n4, n5.');
  });

  test("a dump that can't be read is told, and the others are searched", async () => {
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{"workloads": [');
    const { code, stdout, stderr } = await fromFiles(`certs cart-0 ${three} -f ${broken}`);
    expect(cells(stdout, 1, 2)).toEqual(['shop/cart node-a']);
    expect(stderr).toMatch(/error: .*broken\.json/);
    expect(code).toBe(1);
  });
});

describe('--deep', () => {
  test.each([
    ['services', 'services'],
    ['policies', 'policies'],
  ])('of %s asks every ztunnel', async (command) => {
    expect((await ask(command)).asked).toHaveLength(1);
    expect((await ask(`${command} --deep`)).asked).toEqual(nodes);
    expect((await ask(`${command} sts/db --deep`)).asked).toEqual(['node-b', 'node-c']);
  });

  /** The mesh in which the ztunnel of node-b has one workload changed. */
  async function disagreeing(change: (workload: Record<string, unknown>) => void): Promise<Mesh> {
    const of = ztunnelOn(objects, 'node-b');
    const dump = JSON.parse(String(objects.ztunnels[of])) as { workloads: Record<string, unknown>[] };
    change(dump.workloads.find(({ name }) => name === 'db-0')!);
    return startMesh({ ...objects, ztunnels: { ...objects.ztunnels, [of]: JSON.stringify(dump) } });
  }

  test('says nothing of ztunnels that agree', async () => {
    const { stdout, stderr, asked } = await ask('workloads --deep');
    expect(stdout.split('\n')[0]).not.toContain('ZTUNNELS');
    expect(stderr).toContain('as 3 ztunnels know them');
    expect(asked).toEqual(nodes);
  });

  test.each([
    ['protocol', 'TCP'],
    ['status', 'Unhealthy'],
    ['waypoint', { destination: 'shop/other.shop.svc.cluster.local', hboneMtlsPort: 15008 }],
    ['serviceAccount', 'other'],
    ['workloadIps', ['10.9.9.9']],
  ])('shows that one has another %s', async (field, value) => {
    const other = await disagreeing((workload) => Object.assign(workload, { [field]: value }));
    try {
      const [deep, first] = [await ask('workloads --deep', other), await ask('workloads', other)];
      const rows = deep.stdout.split('\n').filter((line) => line.includes(' differ'));
      expect(rows).toEqual([expect.stringMatching(/^data +db-0 .* 3\/3 differ /)]);
      expect(first.stdout).not.toContain('ZTUNNELS');
    } finally {
      await other.close();
    }
  });

  test('shows that one lacks it', async () => {
    const other = await disagreeing((workload) =>
      Object.assign(workload, { uid: 'Kubernetes//Pod/data/db-7' }),
    );
    try {
      const { stdout } = await ask('workloads --deep -n data', other);
      expect(stdout).toMatch(/db-0 .* 2\/3 .*\n/);
      expect(stdout).toMatch(/db-0 .* 1\/3 .*\n/);
    } finally {
      await other.close();
    }
  });

  test('of certs reads the whole dumps, and so finds one that breaks off behind the certificates', async () => {
    const of = ztunnelOn(objects, 'node-b');
    const text = String(objects.ztunnels[of]);
    const cut = text.slice(0, text.lastIndexOf('"workloads"'));
    const other = await startMesh({ ...objects, ztunnels: { ...objects.ztunnels, [of]: cut } });
    try {
      const [deep, shallow] = [await ask('certs --deep', other), await ask('certs', other)];
      expect(deep.stderr).toMatch(/^error: .*on node node-b: .*breaks off/m);
      expect([deep.code, shallow.code]).toEqual([1, 0]);
    } finally {
      await other.close();
    }
  });
});
