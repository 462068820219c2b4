// Open connections: names, owners and filters, from files and from a mesh.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const file = ['-f', path.join(testdata, 'dumps/node-a-connections.config_dump.json')];
const resources = ['pods', 'replicasets', 'jobs', 'statefulsets'].flatMap((kind) => [
  '--resources',
  path.join(testdata, `kubernetes/all-${kind}.pb`),
]);

describe('from a file', () => {
  test.each([
    ['connections', ''],
    ['connections-raw', '--raw'],
    ['connections-owners-wide', `-o wide ${resources.join(' ')}`],
  ])('%s', async (name, flags) => {
    const { stdout, stderr, code } = await run(['connections', ...file, ...flags.split(' ').filter(Boolean)]);
    expectGolden('frontdoor', name, stdout);
    expect(stderr).toBe('5 connections on 1 of 1 ztunnel: 3 inbound, 2 outbound.\n');
    expect(code).toBe(0);
  });

  test.each([
    ['--direction inbound', 3],
    ['--direction OUTBOUND', 2],
    ['--workload-namespace shop', 5],
    ['-n shop', 5],
    ['--workload-namespace SHOP', 0],
    ['-n data', 0],
  ])('%s leaves %d', async (flags, rows) => {
    for (const format of ['table', 'short']) {
      const argv = ['connections', ...file, '-o', format, '--no-headers', ...flags.split(' ')];
      const { stdout, code } = await run(argv);
      expect(stdout.split('\n').length - 1).toBe(rows);
      expect(code).toBe(0);
    }
  });

  test('a direction that there is not is a usage error', async () => {
    const { stderr, code } = await run(['connections', ...file, '--direction', 'sideways']);
    expect(stderr).toContain('It is one of: inbound, outbound.');
    expect(code).toBe(1);
  });

  test('of a ztunnel that is too old to tell, it says so', async () => {
    const old = ['-f', path.join(testdata, 'eras/ztunnel-1.21.config_dump.json')];
    const { stderr, code } = await run(['connections', ...old]);
    expect(stderr).toContain("can't tell of connections; it takes ztunnel 1.22 or later");
    expect(code).toBe(0);
    expect((await run(['connections', ...file])).stderr).not.toContain('1.22');
  });

  test('an address that pods on the network of their node share names none of them', async () => {
    const text = readFileSync(file[1]!, 'utf8').replace('203.0.113.9:51000', '192.168.0.1:51000');
    const { stdout } = await run('connections -f -', { stdin: text });
    expect(stdout).toContain('  192.168.0.1:51000  ');
    expect(text).toContain('"192.168.0.1"');
  });

  test('a damaged connection is told with its path, and leaves the others', async () => {
    const text = readFileSync(file[1]!, 'utf8').replace('"src": "10.1.1.10:40112"', '"src": 7');
    const { stdout, stderr, code } = await run(['connections', '-f', '-'], { stdin: text });
    expect(stderr).toMatch(/workloadState\["[^"]+"\]\.connections\.inbound\[0\]\.src is a number/);
    expect(stdout).toContain('cart-0');
    expect(code).toBe(1);
  });
});

describe('of a mesh', () => {
  const at = '2026-11-29T22:03:42Z';
  const folder = temporaryDirectory();
  let mesh: Mesh;
  let objects: Scenario;
  beforeAll(async () => {
    const nodes = ['node-a', 'node-b'];
    objects = await scenario({ at, nodes, workloads: [deployment('shop/web', { on: nodes })] });
    mesh = await startMesh({ ...objects, ztunnels: connected(objects) });
  });
  afterAll(async () => {
    await mesh.close();
  });

  /** The pod of node-a talks to that of node-b; ztunnels before 1.23 need not name the pod. */
  function connected(of: Scenario): Scenario['ztunnels'] {
    const [a, b] = of.pods.filter(({ metadata }) => metadata.namespace === 'shop');
    const [from, to] = [`${a?.status?.podIP}:41000`, `${b?.status?.podIP}:8080`];
    const connection = { src: from, originalDst: to, actualDst: to, protocol: 'HBONE' };
    return Object.fromEntries(
      Object.entries(of.ztunnels).map(([name, text]) => {
        const dump = JSON.parse(String(text));
        for (const [uid, pod] of Object.entries<Record<string, unknown>>(dump.workloadState)) {
          delete pod.info;
          const [inbound, outbound] = uid === a?.metadata.uid ? [[], [connection]] : [[connection], []];
          pod.connections = { inbound, outbound };
        }
        return [name, JSON.stringify(dump)];
      }),
    );
  }
  const ask = (line: string) =>
    run(line, { clock: new Date(at), env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });

  test('each has its node and owner, though the dump names no pod', async () => {
    const { stdout, stderr, code } = await ask('connections --no-headers');
    const [a, b] = objects.pods.filter(({ metadata }) => metadata.namespace === 'shop');
    const [nameA, nameB] = [a?.metadata.name, b?.metadata.name];
    const cells = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    const outbound = ['outbound', `${nameA}.shop:41000`, `${nameB}.shop:8080`, `${nameB}.shop:8080`];
    const inbound = ['inbound', `${nameB}.shop:8080`, `${nameA}.shop:41000`, `${nameB}.shop:8080`];
    expect(new Set(cells)).toEqual(
      new Set([
        ['shop', nameA, ...outbound, 'HBONE', 'node-a', 'Deployment/web'],
        ['shop', nameB, ...inbound, 'HBONE', 'node-b', 'Deployment/web'],
      ]),
    );
    expect(stderr).toBe('2 connections on 2 of 2 ztunnels: 1 inbound, 1 outbound.\n');
    expect(code).toBe(0);
  });

  test('-o short asks for nothing but ztunnels, and says whose a row is', async () => {
    const before = mesh.requests.length;
    const { stdout } = await ask('connections -o short');
    expect(stdout).toMatch(/PROTOCOL ZTUNNEL\n/);
    expect(stdout.match(/ istio-system\/ztunnel-\w+$/gm)).toHaveLength(2);
    const paths = mesh.requests.slice(before).map(({ path: asked }) => asked.split('?')[0]);
    expect(paths.filter((asked) => !asked?.endsWith('/portforward'))).toEqual(['/api/v1/pods']);
  });

  test('services and policies are read from one ztunnel, and from the next if that fails', async () => {
    for (const command of ['services', 'policies']) {
      const forwards = mesh.forwards.length;
      expect((await ask(command)).code).toBe(0);
      expect(mesh.forwards.length - forwards).toBe(1);
    }
    mesh.misbehave(ztunnelOn(objects, 'node-a'), { how: 'error-channel' });
    const { stderr, code } = await ask('services');
    expect(stderr).toMatch(/^warning: ztunnel-\w+|^warning: ztunnel ztunnel-\w+/m);
    expect(code).toBe(0);
    mesh.misbehave(ztunnelOn(objects, 'node-a'), undefined);
  });
});
