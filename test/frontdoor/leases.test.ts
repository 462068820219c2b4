// What `leases` shows: holders as the pods and nodes that they are, and how fresh each Lease is.

import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { withObjects } from '../mesh/edit.ts';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, daemonSet, deployment, lease, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b'] as const;
const UUID = '5f0c7d1e-8d3c-4c7e-9f35-0d0b6a2f1c11';

const folder = temporaryDirectory();
let meshes: Mesh[];
beforeEach(() => {
  meshes = [];
});
afterEach(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()));
});

async function ask(what: Scenario, line: string, options?: MeshOptions) {
  const mesh = await startMesh(what, options);
  meshes.push(mesh);
  const outcome = await run(line, { clock, env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
  return { ...outcome, mesh };
}

const host = { hostNetwork: true, captured: false } as const;

function office(): Promise<Scenario> {
  return scenario({
    at,
    nodes,
    workloads: [
      statefulSet('shop/cart', { on: nodes }),
      deployment('shop/web', { on: nodes }),
      barePod('kube-system/kube-scheduler-node-a', { on: 'node-a', ...host }),
      daemonSet('kube-system/csi', { on: nodes, ...host }),
      barePod('billing/twin', { on: 'node-a' }),
      barePod('shop/twin', { on: 'node-b' }),
      barePod('shop/ended', { on: 'node-b', phase: 'Succeeded' }),
      lease('shop/by-pod', { holder: 'cart-1' }),
      lease('shop/by-pod-and-uuid', { holder: `cart-0_${UUID}` }),
      lease('shop/by-nobody', { holder: '' }),
      lease('shop/by-a-stranger', { holder: `gone-0_${UUID}`, renewedSecondsAgo: 7200 }),
      lease('shop/by-an-ended-pod', { holder: 'ended' }),
      lease('shop/by-its-own-twin', { holder: 'twin' }),
      lease('data/by-one-of-two', { holder: 'twin' }),
      lease('data/by-one-elsewhere', { holder: 'cart-1' }),
      lease('kube-system/kube-scheduler', { holder: `node-a_${UUID}` }),
      lease('kube-system/by-a-node', { holder: `node-b_${UUID}` }),
    ],
    certificates: { 'shop/cart@node-b': 'EXPIRING', 'shop/twin': 'OK' },
  });
}

describe('tables', () => {
  test('show on a narrow screen whether the holder is still alive', async () => {
    const mesh = await startMesh(await office());
    meshes.push(mesh);
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder), NO_COLOR: '1' };
    const { stdout } = await run('leases -n shop', { clock, env, terminal: { columns: 80, rows: 24 } });
    expect(stdout).toMatch(/^shop +by-a-\S+ .* expired +2h0m ago/m);
  });

  test.each([
    ['leases', 'leases'],
    ['leases-nodes', 'leases --nodes -n kube-node-lease'],
    ['leases-wide', 'leases -n shop -o wide'],
    ['leases-sorted', 'leases --sort-by renewed,name'],
  ])('%s', async (name, line) => {
    const { code, stdout, stderr } = await ask(await office(), line);
    expectGolden('frontdoor', name, `${stdout}${stderr}`);
    expect(code).toBe(0);
  });
});

describe('freshness', () => {
  const statusOf = async (holder: string, renewedSecondsAgo: number, now: string) => {
    const what = await scenario({ at, nodes, workloads: [lease('shop/it', { holder, renewedSecondsAgo })] });
    const { stdout } = await ask(what, `leases -o json --now ${now}`);
    return JSON.parse(stdout).items[0].status;
  };
  test.each([
    ['a', 14, at, 'held'],
    ['a', 15, at, 'expired'],
    ['a', 0, '2026-11-29T22:03:57Z', 'expired'],
    ['a', 15, '2026-11-29T22:03:41Z', 'held'],
    ['', 0, at, 'released'],
    // Renewed after the reference time.
    ['a', -3600, at, 'held'],
  ])('held by "%s", renewed %d s before, at %s: %s', async (holder, ago, now, expected) => {
    expect(await statusOf(holder, ago, now)).toBe(expected);
  });

  test('a Lease that says neither when nor for how long is not held', async () => {
    const what = withObjects(
      await scenario({ at, nodes, workloads: [lease('shop/it', { holder: 'a' })] }),
      'leases',
      (each) => ({
        ...each,
        spec: { holderIdentity: 'a' },
      }),
    );
    const { stdout } = await ask(what, 'leases');
    expect(stdout).toMatch(/^shop +it +a +- +expired +- +- +-$/m);
  });
});

describe('what is asked', () => {
  const paths = (mesh: Mesh) => mesh.requests.map((request) => request.path).sort();

  test('no ztunnel, but with -o wide', async () => {
    const plain = await ask(await office(), 'leases');
    expect(paths(plain.mesh)).toEqual([
      '/api/v1/pods',
      '/apis/apps/v1/replicasets',
      '/apis/coordination.k8s.io/v1/leases',
    ]);
    const wide = await ask(await office(), 'leases -o wide');
    expect(wide.mesh.forwards).toHaveLength(2);
  });

  test('a ztunnel that fails is named, and the Leases are shown', async () => {
    const what = await office();
    const mesh = await startMesh(what);
    meshes.push(mesh);
    mesh.misbehave(ztunnelOn(what, 'node-b'), { how: 'error-channel' });
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
    const { code, stdout, stderr } = await run('leases -o wide -n shop', { clock, env });
    expect(stdout).toMatch(/by-pod +cart-1 .* node-b +- +- +cart-1$/m);
    expect(stderr).toMatch(/^error: ztunnel .* on node node-b/m);
    expect(code).toBe(1);
  });

  test('without a right to Leases, the sentence names it', async () => {
    const rules = [{ verbs: ['list'], resources: ['pods', 'replicasets'] }];
    const { code, stdout, stderr } = await ask(await office(), 'leases', { rules });
    expect(stderr).toMatch(/^error: .*leases/);
    expect([code, stdout]).toEqual([1, '']);
  });

  test('without pods, holders stay as they are', async () => {
    const rules = [{ verbs: ['list'], resources: ['leases', 'replicasets'] }];
    const { code, stdout, stderr } = await ask(await office(), 'leases -n shop', { rules });
    expect(stdout).toMatch(/^shop +by-pod +cart-1 +\? /m);
    expect(stderr).toMatch(/^warning: .*pods/m);
    expect(code).toBe(0);
  });

  test('a namespace without Leases is a sentence', async () => {
    const { code, stdout, stderr } = await ask(await office(), 'leases -n nowhere');
    expect([code, stdout, stderr]).toEqual([0, '', 'no Lease matches; --nodes shows those of nodes\n']);
  });
});

describe('saved Leases', () => {
  const testdata = path.resolve(import.meta.dirname, '../testdata');
  const dump = `-f ${testdata}/dumps/node-a.config_dump.json`;
  const resources = (extension: string) =>
    ['pods', 'replicasets', 'leases']
      .map((kind) => `--resources ${testdata}/kubernetes/all-${kind}.${extension}`)
      .join(' ');

  test('read the same in protobuf and JSON, to the microsecond', async () => {
    const [protobuf, json] = await Promise.all(
      ['pb', 'json'].map((each) => run(`leases --nodes -o json --now ${at} ${dump} ${resources(each)}`)),
    );
    expect(protobuf).toEqual(json);
    const { items } = JSON.parse(protobuf!.stdout);
    const leader = items.find(({ name }: { name: string }) => name === 'cart-leader');
    expect(leader).toMatchObject({
      acquireTime: '2026-11-29T22:21:43.214991Z',
      renewTime: '2026-11-29T22:21:43.214991Z',
      leaseTransitions: 4,
      holderIdentity: `cart-1_${UUID}`,
      holder: { kind: 'Pod', namespace: 'shop', name: 'cart-1', node: 'node-b', serviceAccount: 'cart' },
      status: 'held',
    });
  });

  test('are judged as of their own renewal, unless --now is given', async () => {
    const later = { clock: new Date('2027-01-01T00:00:00Z') };
    const plain = await run(`leases -n shop ${dump} ${resources('pb')}`, later);
    expect(plain.stdout).toMatch(/cart-leader +cart-1 .* held +32d1h ago +15s +4$/m);
    expect(plain.stderr).toContain('warning: saved Leases are judged as of their own renewal');
    const judged = await run(`leases -n shop ${dump} ${resources('pb')} --now 2027-01-01T00:00:00Z`);
    expect(judged.stdout).toMatch(/ expired /);
    expect(judged.stderr).toBe('1 Lease: 1 expired.\n');
  });

  test('that are not there are an error with a next step', async () => {
    const { code, stderr } = await run(`leases ${dump}`);
    expect(stderr).toBe(
      'error: the files hold no Leases. Add --resources with what kubectl get leases -A -o yaml prints.\n',
    );
    expect(code).toBe(1);
  });
});
