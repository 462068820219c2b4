// `ztunnels` and `all` on a mesh: who answers, who does not and why, and everything at once.

import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a', 'node-b', 'node-c'];
const root = path.resolve(import.meta.dirname, '../..');
const dumps = nodes.flatMap((name) => [
  '-f',
  path.join(root, `test/testdata/dumps/${name}.config_dump.json`),
]);

const folder = temporaryDirectory();
let mesh: Mesh;
let objects: Scenario;
beforeAll(async () => {
  objects = await scenario({
    at,
    nodes,
    workloads: [deployment('shop/web', { on: nodes }), deployment('shop/old', { on: ['node-a'] })],
    certificates: { 'shop/old': 'EXPIRED' },
    services: [{ name: 'shop/web', vip: '10.96.0.10' }],
  });
});
beforeEach(async () => {
  mesh = await startMesh(objects);
});
afterEach(() => mesh.close());

const ask = (line: string, of: Mesh = mesh) =>
  run(line, { clock: new Date(at), env: { KUBECONFIG: of.writeKubeconfig(folder) } });
const nameOn = (node: string) => ztunnelOn(objects, node).split('/')[1]!;
const cells = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('ztunnels', () => {
  test('has node, pod, version, readiness, restarts, age, answer and certificates', async () => {
    const { stdout, stderr, code } = await ask('ztunnels');
    const [header, ...rows] = cells(stdout);
    expect(header).toEqual([
      'NODE',
      'ZTUNNEL',
      'VERSION',
      'READY',
      'RESTARTS',
      'AGE',
      'ANSWERED',
      'ENROLLED',
      'PENDING',
      'CERTIFICATES',
    ]);
    const row = (node: string, enrolled: string, certificates: string) =>
      [
        node,
        `istio-system/${nameOn(node)}`,
        '1.28.1',
        'yes',
        '0',
        '3d0h',
        'yes',
        enrolled,
        '0',
        certificates,
      ] as const;
    expect(rows).toEqual([
      row('node-a', '2/2', '1 EXPIRED, 1 OK'),
      row('node-b', '1/1', '1 OK'),
      row('node-c', '1/1', '1 OK'),
    ]);
    expect(stderr).toBe('3 ztunnels, of which all answered.\n');
    expect(code).toBe(0);
  });

  test('asks the API for pods only: ztunnels, and whom they may have captured', async () => {
    await ask('ztunnels');
    const lists = mesh.requests.map((request) => request.path.split('?')[0]);
    expect(lists.filter((each) => !each?.endsWith('/portforward'))).toEqual(['/api/v1/pods', '/api/v1/pods']);
  });

  test('says of one that does not answer why, once in its row and once as an error', async () => {
    mesh.misbehave(ztunnelOn(objects, 'node-b'), { how: 'error-channel' });
    const { stdout, stderr, code } = await ask('ztunnels');
    const [, , second] = cells(stdout);
    expect(second?.slice(0, 10)).toEqual([
      'node-b',
      expect.anything(),
      '1.28.1',
      'yes',
      '0',
      '3d0h',
      'no',
      '-',
      '-',
      '-',
    ]);
    expect(second?.[10]).toMatch(/connection refused/);
    expect(stderr).toMatch(/^3 ztunnels, of which 2 answered\.\n/);
    expect(stderr.match(/^error: .*node-b: .*connection refused/gm)).toHaveLength(1);
    expect(code).toBe(1);
  });

  test('a pod that is not ready is asked all the same, a pending one is not', async () => {
    const pods = objects.pods.map((pod) => {
      const node = pod.metadata.labels?.app === 'ztunnel' ? pod.spec?.nodeName : undefined;
      const conditions = [{ type: 'Ready', status: 'False' }];
      if (node === 'node-b') return { ...pod, status: { ...pod.status, conditions } };
      if (node === 'node-c') return { ...pod, status: { phase: 'Pending' } };
      return pod;
    });
    const other = await startMesh({ ...objects, pods });
    const { stdout, code } = await ask('ztunnels -o json', other);
    await other.close();
    const document = JSON.parse(stdout);
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    const told = document.items.map((item: Record<string, unknown>) => [
      item.node,
      item.phase,
      item.ready,
      item.answered,
    ]);
    expect(told).toEqual([
      ['node-a', 'Running', true, true],
      ['node-b', 'Running', false, true],
      ['node-c', 'Pending', false, false],
    ]);
    expect(document.items[2].reason).toContain('Pending');
    expect(document.summary.byStatus).toEqual({ answered: 2, failed: 1 });
    expect(code).toBe(1);
  });

  test('a pod that is being deleted is asked, and its failure is only a warning', async () => {
    const pods = objects.pods.map((pod) =>
      `${pod.metadata.namespace}/${pod.metadata.name}` === ztunnelOn(objects, 'node-b')
        ? { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-11-29T22:03:12Z' } }
        : pod,
    );
    const other = await startMesh({ ...objects, pods });
    const answering = JSON.parse((await ask('ztunnels -o json', other)).stdout).items[1];
    other.misbehave(ztunnelOn(objects, 'node-b'), { how: 'error-channel' });
    const { stdout, code } = await ask('ztunnels -o json', other);
    await other.close();
    const silent = JSON.parse(stdout).items[1];
    expect([answering.phase, answering.answered, answering.severity]).toEqual(['Terminating', true, 'ok']);
    expect([silent.phase, silent.answered, silent.severity]).toEqual(['Terminating', false, 'warning']);
    expect(code).toBe(0);
  });

  test('as names is what TARGET takes', async () => {
    const { stdout } = await ask('ztunnels -o name');
    expect(stdout).toBe(nodes.map((node) => `pod/${nameOn(node)}.istio-system\n`).join(''));
  });

  test('of saved dumps has what they say', async () => {
    const { stdout, stderr, code } = await run(['ztunnels', ...dumps, '--now', at]);
    const [, a, b] = cells(stdout);
    expect(a?.slice(0, 2)).toEqual(['node-a', 'node-a.config_dump.json']);
    expect(a?.slice(3)).toEqual(['-', '-', '-', 'yes', '5', '0', '1 UNAVAILABLE, 1 INITIALIZING, 3 OK']);
    expect(b?.at(-1)).toBe('1 NOT-YET-VALID, 1 EXPIRED, 4 OK');
    expect(stderr).toBe('3 ztunnels, of which all answered.\n');
    expect(code).toBe(0);
  });
});

describe('all', () => {
  test('has a table for each section that holds something, an empty line between', async () => {
    const { stdout, stderr, code } = await ask('all');
    const firsts = stdout.split('\n\n').map((section) => section.split(/ {2,}/).slice(0, 2).join('|'));
    expect(firsts).toEqual(['NAMESPACE|POD NAME', 'NAMESPACE|SERVICE', 'STATUS|IDENTITY']);
    expect(stderr).toBe(
      '7 workloads, 1 service, 0 policies, 4 certificates, 0 connections on 3 of 3 ztunnels.\n',
    );
    expect(code).toBe(0);
  });

  test('--with-headers names them', async () => {
    const { stdout } = await ask('all --with-headers');
    const headings = stdout.split('\n').filter((line) => line.startsWith('---'));
    expect(headings).toEqual([
      '------ WORKLOAD INFO ------',
      '------ SERVICE INFO ------',
      '------ SECRET INFO ------',
    ]);
    expect(stdout.startsWith('------')).toBe(true);
  });

  test('-n keeps one namespace in every section', async () => {
    const { stdout } = await ask('all -n shop');
    expect(stdout).toContain('shop');
    expect(stdout).not.toMatch(/^istio-system/m);
    const nothing = await ask('all -n nowhere');
    expect([nothing.stdout, nothing.stderr, nothing.code]).toEqual(['', 'nothing matches the filters\n', 0]);
  });

  test('of one node in JSON is its dump as it was sent', async () => {
    const { stdout, stderr, code } = await ask('all --node node-b -o json');
    expect(stdout).toBe(`${objects.ztunnels[ztunnelOn(objects, 'node-b')]}\n`);
    expect([stderr, code]).toEqual(['', 0]);
  });

  test('of several in JSON is a list by ztunnel, without those that fail', async () => {
    mesh.misbehave(ztunnelOn(objects, 'node-b'), { how: 'cut', after: 500, contentLength: false });
    const { stdout, stderr, code } = await ask('all -o json');
    const document = JSON.parse(stdout);
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    const names = document.items.map(({ ztunnel }: { ztunnel: { name: string } }) => ztunnel.name);
    expect(new Set(names)).toEqual(new Set([nameOn('node-a'), nameOn('node-c')]));
    expect(document.failures.map((failure: { ztunnel: object }) => failure.ztunnel)).toEqual([
      { namespace: 'istio-system', name: nameOn('node-b'), node: 'node-b' },
    ]);
    expect(stderr).toMatch(/^error: .*node-b: .*breaks off/);
    expect(code).toBe(1);
  });

  test.each([
    ['all --sort-by node', 'all has no flag --sort-by'],
    ['all -n shop -o json -f x', '--namespace and --output json exclude each other'],
    ['all -o name -f x', '--output can'],
  ])('%s is a usage error', async (line, message) => {
    const { stderr, code } = await run(line);
    expect(stderr).toContain(`error: ${message}`);
    expect(code).toBe(1);
  });
});
