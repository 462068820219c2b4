// What `check` tells people and monitors: one line when all is well, exit codes, what it did not look at.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { demo } from '../mesh/demo.ts';
import { withObjects } from '../mesh/edit.ts';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b', 'node-c'] as const;

const folder = temporaryDirectory();
let meshes: Mesh[];
beforeEach(() => {
  meshes = [];
});
afterEach(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()));
});

async function start(what: Scenario, options?: MeshOptions): Promise<Mesh> {
  const mesh = await startMesh(what, options);
  meshes.push(mesh);
  return mesh;
}

function ask(mesh: Mesh, commandLine: string) {
  return run(commandLine, { clock, env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
}

function shop(certificates: MeshSpec['certificates'] = {}, on: readonly string[] = nodes): Promise<Scenario> {
  return scenario({ at, nodes, workloads: [deployment('shop/web', { on })], certificates });
}

const hang = { how: 'hang', at: 'first-byte' } as const;
const EXPIRED = { 'shop/web@node-a': 'EXPIRED' } as const;
const OVERDUE = { 'shop/web@node-a': 'RENEWAL-OVERDUE' } as const;

describe('a healthy mesh', () => {
  test('is one line, which names what only --deep reads', async () => {
    expect(await ask(await start(await shop()), 'check')).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'no findings in 3 certificates on 3 of 3 ztunnels. Not evaluated: STALE-CONFIG (1 of 3 ztunnels; --deep reads all).\n',
    });
  });

  test('is one line with --deep, too', async () => {
    const { stdout, stderr } = await ask(await start(await shop()), 'check --deep');
    expect(stdout + stderr).toBe('no findings in 3 certificates on 3 of 3 ztunnels.\n');
  });

  test('is asked for one whole dump, and each list once', async () => {
    const mesh = await start(await shop());
    await ask(mesh, 'check');
    const lists = mesh.requests
      .map((request) => request.path)
      .filter((each) => !each.includes('portforward'));
    expect(lists.sort()).toEqual([
      '/api/v1/namespaces',
      '/api/v1/pods',
      '/api/v1/pods',
      '/apis/apps/v1/replicasets',
      '/apis/apps/v1/statefulsets',
      '/apis/batch/v1/jobs',
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
      '/apis/networking.istio.io',
      '/apis/networking.istio.io/v1/destinationrules',
      '/apis/networking.istio.io/v1/serviceentries',
    ]);
    expect(mesh.forwards).toHaveLength(3);
  });
});

describe('exit codes', () => {
  interface Row {
    readonly certificates?: MeshSpec['certificates'];
    readonly hangs?: boolean;
    readonly args?: string;
    readonly code: number;
  }
  const rows: readonly (readonly [what: string, row: Row])[] = [
    ['a warning', { certificates: OVERDUE, code: 1 }],
    ['an expired certificate', { certificates: EXPIRED, code: 2 }],
    [
      'an expired certificate and a warning',
      { certificates: { ...EXPIRED, 'shop/web@node-b': 'EXPIRING' }, code: 2 },
    ],
    ['an expired certificate and a ztunnel that hangs', { certificates: EXPIRED, hangs: true, code: 2 }],
    ['a ztunnel that hangs', { hangs: true, code: 3 }],
    ['a warning and a ztunnel that hangs', { certificates: OVERDUE, hangs: true, code: 3 }],
    ['a ztunnel that hangs, which is allowed', { hangs: true, args: '--allow-partial', code: 1 }],
    ['information', { certificates: { 'shop/gone@node-a': 'OK' }, code: 0 }],
    [
      'warnings that are ignored',
      { certificates: OVERDUE, args: '--ignore RENEWAL-OVERDUE,CA-LAST-ISSUED', code: 0 },
    ],
    ['a warning below --min-severity', { certificates: OVERDUE, args: '--min-severity critical', code: 0 }],
    ['a warning that is not looked for', { certificates: OVERDUE, args: '--only EXPIRED,MISSING', code: 0 }],
    ['another namespace', { certificates: EXPIRED, args: '-n infra --ignore CA-LAST-ISSUED', code: 0 }],
    ['its own namespace', { certificates: EXPIRED, args: '-n shop', code: 2 }],
    ['another node', { certificates: EXPIRED, args: '--node node-b', code: 0 }],
    [
      'what expires later than --warn-within',
      { certificates: { 'shop/web@node-a': 'EXPIRING' }, args: '--only EXPIRING --warn-within 59m', code: 0 },
    ],
    [
      'what expires within it',
      { certificates: { 'shop/web@node-a': 'EXPIRING' }, args: '--only EXPIRING --warn-within 61m', code: 1 },
    ],
  ];

  test.each(rows)('%s', async (_, { certificates, hangs, args = '', code }) => {
    const what = await shop(certificates);
    const mesh = await start(what);
    if (hangs) mesh.misbehave(ztunnelOn(what, 'node-c'), hang);
    const outcome = await ask(mesh, `check --timeout ${hangs ? '3s' : '15s'} ${args}`);
    expect(outcome.code).toBe(code);
    if (hangs) {
      expect(outcome.stdout + outcome.stderr).toContain(ztunnelOn(what, 'node-c').split('/')[1]);
      expect(outcome.stderr).toMatch(code === 1 ? /^warning: ztunnel/m : /^error: ztunnel.*on node node-c/m);
    }
  });

  test.each([
    ['check --bogus'],
    ['check --ignore NO-SUCH-CODE'],
    ['check -o pem'],
    ['check --only'],
    ['check --output-file='],
    ['check --only EXPIRED --ignore EXPIRED'],
    ['check --min-severity ok'],
    ['check --warn-within soon'],
    ['check --sort-by NO-SUCH-COLUMN'],
  ])('3 for wrong usage: %s', async (line) => {
    const mesh = await start(await shop(EXPIRED));
    const { code, stdout, stderr } = await ask(mesh, line);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^error: /);
  });

  test('3 if no ztunnel is there, or none answers, allowed or not', async () => {
    const none = await start(await scenario({ at, nodes: [], workloads: [] }));
    expect((await ask(none, 'check')).code).toBe(3);
    const what = await shop({}, ['node-a']);
    const silent = await start(what);
    for (const node of nodes) silent.misbehave(ztunnelOn(what, node), { how: 'error-channel' });
    const { code, stderr } = await ask(silent, 'check --allow-partial');
    expect(code).toBe(3);
    expect(stderr.match(/^error: ztunnel .* on node node-[abc]: .+/gm)).toHaveLength(nodes.length);
  });

  test('130 is not disguised: an interrupt ends the check', async () => {
    const what = await shop();
    const mesh = await start(what);
    mesh.misbehave(ztunnelOn(what, 'node-a'), hang);
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
    const { code } = await run('check', { clock, env, signal: AbortSignal.timeout(300) });
    expect(code).toBe(130);
  });
});

describe('lists that are refused or fail', () => {
  const forward = { verbs: ['get', 'create'], resources: ['pods/portforward'] };
  const lists = ['pods', 'replicasets', 'jobs', 'statefulsets', 'leases'];

  test.each(lists.slice(1))('without %s it is incomplete, and says so', async (refused) => {
    const rules = [{ verbs: ['list'], resources: lists.filter((each) => each !== refused) }, forward];
    const { code, stderr } = await ask(await start(await shop(), { rules }), 'check');
    expect(stderr).toMatch(new RegExp(`^warning: .*${refused}`, 'm'));
    expect(stderr).toContain('kind: ClusterRole');
    expect(code).toBe(3);
  });

  test('a list that nothing asked for needs is not asked', async () => {
    const needed = [...lists.filter((each) => each !== 'leases'), 'serviceentries', 'destinationrules'];
    const rules = [{ verbs: ['list'], resources: needed }, forward];
    const { code, stderr } = await ask(
      await start(await shop(), { rules }),
      'check --ignore NODE-DEAD --deep',
    );
    expect(stderr).toBe(
      'no findings in 3 certificates on 3 of 3 ztunnels. Not evaluated: UNCAPTURED, CAPTURED-UNASKED (namespaces are forbidden). Left out: NODE-DEAD.\n',
    );
    expect(code).toBe(0);
  });

  test('a server that fails is incomplete', async () => {
    const mesh = await start(await shop());
    mesh.misbehave('/apis/apps/v1/statefulsets', { how: 'refuse', status: 500, message: 'etcd is away' });
    const { code, stderr } = await ask(mesh, 'check');
    expect(stderr).toContain('STATEFULSET-SHORTFALL (StatefulSets failed)');
    expect(code).toBe(3);
  });

  test('--no-owners is a choice, and what it leaves out is named', async () => {
    const { code, stderr } = await ask(await start(await shop()), 'check --no-owners');
    expect(stderr).toMatch(/Not evaluated: .*MISSING.*CAPTURE-PENDING.*STATEFULSET-SHORTFALL/);
    expect(code).toBe(0);
  });
});

describe('--now', () => {
  test.each([
    ['2026-11-29T22:03:42Z', 0, 'no findings'],
    ['2026-11-30T12:00:00Z', 1, 'RENEWAL-OVERDUE'],
    ['2026-12-01T12:00:00Z', 2, 'EXPIRED'],
    ['2026-11-01T12:00:00Z', 2, 'NOT-YET-VALID'],
  ])('as of %s', async (now, code, says) => {
    const mesh = await start(await shop());
    const outcome = await ask(mesh, `check --ignore NODE-DEAD --now ${now}`);
    expect(outcome.code).toBe(code);
    expect(outcome.stdout + outcome.stderr).toContain(says);
  });

  test('moves dead nodes and pending captures as well', async () => {
    const pod = barePod('shop/late', { on: 'node-a', captured: 'pending', ageSeconds: 10 });
    const mesh = await start(await scenario({ at, nodes, workloads: [pod] }));
    const codes = async (now: string) => {
      const { stdout } = await ask(mesh, `check -o json --now ${now}`);
      return JSON.parse(stdout).items.map(({ code }: { code: string }) => code);
    };
    expect(await codes(at)).toEqual([]);
    expect(await codes('2026-11-29T22:05:00Z')).toEqual(['CAPTURE-PENDING', 'NODE-DEAD']);
  });
});

describe('--node', () => {
  test('does not take the nodes left out for nodes without a ztunnel', async () => {
    const { code, stderr } = await ask(await start(await shop()), 'check --node node-b --deep');
    expect(stderr).toBe('no findings in 1 certificate on 1 of 1 ztunnel.\n');
    expect(code).toBe(0);
  });

  test('tells a ztunnel that has just been scheduled from one that stays Pending', async () => {
    const what = await shop();
    const name = ztunnelOn(what, 'node-b').split('/')[1];
    const pendingFor = (startTime: string) =>
      withObjects(what, 'pods', (pod) =>
        pod.metadata.name === name ? { ...pod, status: { phase: 'Pending', startTime } } : pod,
      );
    const long = await ask(await start(pendingFor('2026-11-29T22:02:00Z')), 'check');
    expect([long.code, long.stdout]).toEqual([2, expect.stringContaining('NODE-WITHOUT-ZTUNNEL')]);
    const short = await ask(await start(pendingFor('2026-11-29T22:03:00Z')), 'check');
    expect([short.code, short.stdout]).toEqual([3, '']);
  });
});

describe('saved dumps', () => {
  const testdata = path.resolve(import.meta.dirname, '../testdata');
  const dumps = ['a', 'b', 'c'].map((node) => `-f ${testdata}/dumps/node-${node}.config_dump.json`).join(' ');
  const resources = ['pods', 'replicasets', 'jobs', 'statefulsets', 'leases']
    .map((kind) => `--resources ${testdata}/kubernetes/all-${kind}.pb`)
    .join(' ');

  test('without a cluster: what could not be looked for is named, and the others decide', async () => {
    const { code, stdout, stderr } = await run(`check ${dumps} --now ${at}`);
    expectGolden('frontdoor', 'check-captures', `${stdout}${stderr}`);
    expect(code).toBe(2);
  });

  test('with their objects, all but the clock and what Istio is told is looked for', async () => {
    const { code, stdout } = await run(
      `check ${dumps} ${resources} --now 2026-11-29T22:22:20Z -o json --min-severity warning`,
    );
    const { summary } = JSON.parse(stdout);
    expect(
      summary.notEvaluated.filter(({ why }: { why: string }) => !/^without .*DestinationRules$/.test(why)),
    ).toEqual([
      { code: 'UNCAPTURED', why: 'without namespaces' },
      { code: 'CLOCK-SKEW', why: 'without an API server' },
    ]);
    expect(code).toBe(2);
  });

  test('without --now a node is not called dead by a Lease from long ago', async () => {
    const asked = `check ${dumps} ${resources} --only NODE-DEAD`;
    const { code, stderr } = await run(asked, { clock: new Date('2027-01-01T00:00:00Z') });
    expect(stderr).toContain('NODE-DEAD (from files only with --now)');
    expect(code).toBe(0);
    const judged = await run(`${asked} --now 2027-01-01T00:00:00Z`);
    expect(judged.stdout).toMatch(/NODE-DEAD .*node-a \+2/);
  });

  test.each(readdirSync(`${testdata}/eras`))('of every release: %s', async (file) => {
    const { code, stderr } = await run(`check -f ${testdata}/eras/${file} --now ${at}`);
    expect(stderr).not.toMatch(/^error/m);
    expect([0, 1, 2]).toContain(code);
  });

  test('a dump that breaks off is incomplete', async () => {
    const file = path.join(folder, 'cut.json');
    writeFileSync(file, readFileSync(`${testdata}/dumps/node-a.config_dump.json`).subarray(0, 30_000));
    const { code, stderr } = await run(`check -f ${file} --now ${at} --only CHAIN-DUPLICATE`);
    expect(stderr).toMatch(/^error: .*cut\.json.*breaks off/m);
    expect(code).toBe(3);
  });
});

describe('tables of the demonstration', () => {
  let mesh: Mesh;
  beforeEach(async () => {
    mesh = await start({ ...(await demo(at)), clock: { at } });
  });

  test.each([
    ['check-demo', 'check'],
    ['check-demo-wide', 'check -o wide'],
    ['check-demo-sorted', 'check --sort-by pods,code --only EXPIRED,ORPHAN,MISSING,EXPIRING'],
    ['check-demo-only', 'check --only EXPIRED'],
  ])('%s', async (name, line) => {
    const { stdout, stderr } = await ask(mesh, line);
    expectGolden('frontdoor', name, `${stdout}${stderr}`);
  });

  test('check-demo-80', async () => {
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder), NO_COLOR: '1' };
    const { stdout } = await run('check', { clock, env, terminal: { columns: 80, rows: 24 } });
    expectGolden('frontdoor', 'check-demo-80', stdout);
    const tooWide = stdout.split('\n').filter((line) => [...line].length > 80);
    expect(tooWide).toEqual([]);
  });
});
