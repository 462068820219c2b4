// What the program says when a mesh misbehaves: each ztunnel by itself, and what was found is still shown.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import type { Misbehaviour } from '../mesh/misbehaviour.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment, node } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b', 'node-c'];

const folder = temporaryDirectory();
let meshes: Mesh[];
let objects: Scenario;
beforeEach(async () => {
  meshes = [];
  objects = await scenario({ at, nodes, workloads: [deployment('shop/web', { on: nodes })] });
});
afterEach(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()));
});

async function start(what: Scenario = objects, options?: MeshOptions): Promise<Mesh> {
  const mesh = await startMesh(what, options);
  meshes.push(mesh);
  return mesh;
}

function ask(mesh: Mesh, commandLine: string) {
  return run(commandLine, { clock, env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
}

describe('three ztunnels', () => {
  test('of which one refuses, one hangs and one answers', async () => {
    const mesh = await start();
    mesh.misbehave(ztunnelOn(objects, 'node-a'), { how: 'error-channel' });
    mesh.misbehave(ztunnelOn(objects, 'node-b'), { how: 'hang', at: 'first-byte' });
    const before = performance.now();
    const { code, stdout, stderr } = await ask(mesh, 'certs --timeout 2s');
    const seconds = (performance.now() - before) / 1000;
    expect(stdout).toBe(
      'STATUS  IDENTITY  NODE    EXPIRES    OWNER\nOK      shop/web  node-c  in 22h30m  Deployment/web\n',
    );
    const lines = stderr.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('error: '))).toEqual([
      expect.stringMatching(
        /ztunnel-\w+ in namespace istio-system on node node-a: .*connection refused.*--proxy-admin-port/,
      ),
      expect.stringMatching(/ztunnel-\w+ in namespace istio-system on node node-b: .*2 s/),
    ]);
    expect(lines[0]).toBe('1 certificate on 1 of 3 ztunnels: 1 OK.');
    expect(code).toBe(1);
    // The one that hangs ends neither before its time nor with the test.
    expect(seconds).toBeGreaterThan(1.9);
    expect(seconds).toBeLessThan(60);
  });

  const failing: readonly (readonly [name: string, what: Misbehaviour, message: RegExp])[] = [
    [
      'a refused upgrade',
      { how: 'refuse', status: 500, message: 'pod sandbox is gone' },
      /pod sandbox is gone/,
    ],
    ['a right that is missing', { how: 'refuse', status: 403, message: 'no such luck' }, /no such luck/],
    ['a pod that is gone', { how: 'gone' }, /not found/],
    ['a handshake that hangs', { how: 'hang', at: 'handshake' }, /3 s/],
    ['a first byte that never comes', { how: 'hang', at: 'first-byte' }, /3 s/],
    [
      'a body cut before its length',
      { how: 'cut', after: 500, contentLength: true },
      /closed before the answer was whole/,
    ],
    ['a body cut without a length', { how: 'cut', after: 500, contentLength: false }, /breaks off/],
    ['bytes that are not HTTP', { how: 'raw', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' }, /HTTP/],
    ['a web page', { how: 'reply', body: '<html>', contentType: 'text/html' }, /web page/],
    ['an HTTP error', { how: 'reply', status: 500, body: 'oops' }, /500/],
  ];

  test.each(failing)('one with %s', async (_, what, message) => {
    const mesh = await start();
    mesh.misbehave(ztunnelOn(objects, 'node-a'), what);
    const { code, stdout, stderr } = await ask(mesh, 'certs --timeout 3s');
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
    expect(errors).toEqual([expect.stringMatching(/on node node-a: .+\. .+/)]);
    expect(errors[0]).toMatch(message);
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
    expect(code).toBe(1);
  });
});

describe('rights', () => {
  test('without any, the sentence names the verb and resource, and a ClusterRole is printed', async () => {
    const mesh = await start(objects, { rules: [] });
    const { code, stdout, stderr } = await ask(mesh, 'certs');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*list pods|cannot list/);
    expect(stderr).toContain('kind: ClusterRole');
    expect(code).toBe(1);
  });

  test('without a right to forward, one ClusterRole is printed for all ztunnels', async () => {
    const rules = [{ verbs: ['list'], resources: ['pods', 'replicasets', 'jobs', 'statefulsets', 'leases'] }];
    const mesh = await start(objects, { rules });
    const { code, stderr } = await ask(mesh, 'certs');
    expect(stderr.match(/kind: ClusterRole$/gm)).toHaveLength(1);
    expect(stderr.match(/^error: /gm)).toHaveLength(3);
    expect(stderr).toMatch(/get.*create|create.*get/);
    expect(code).toBe(1);
  });

  test('without a right to forward, no node is blamed for it, dead as it may be', async () => {
    const rules = [{ verbs: ['list'], resources: ['pods', 'leases'] }];
    const leases = nodes.flatMap((name) => node(name, { renewedSecondsAgo: 3600 })(at).leases ?? []);
    const mesh = await start({ ...objects, leases }, { rules });
    const { stderr } = await ask(mesh, 'certs');
    expect(stderr.match(/^error: .*This needs "get" and "create" on "pods\/portforward"/gm)).toHaveLength(3);
    expect(stderr).not.toContain('dead');
  });

  test('without ReplicaSets, owners stop there and the exit code stays 0', async () => {
    const rules = [
      { verbs: ['list'], resources: ['pods', 'jobs', 'statefulsets', 'leases'] },
      { verbs: ['get', 'create'], resources: ['pods/portforward'] },
    ];
    const mesh = await start(objects, { rules });
    const { code, stdout, stderr } = await ask(mesh, 'certs');
    expect(stdout).toContain('ReplicaSet/web-');
    expect(stderr).toMatch(/^warning: .*replicasets.*owners stop at ReplicaSets/m);
    expect(code).toBe(0);
  });

  test('a wrong token', async () => {
    const mesh = await start();
    const kubeconfig = path.join(folder, 'other');
    writeFileSync(kubeconfig, mesh.kubeconfigFor('unknown-token'));
    const { code, stdout, stderr } = await run('certs', { clock, env: { KUBECONFIG: kubeconfig } });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*[Uu]nauthorized.*\n$/);
    expect(stderr).not.toContain('unknown-token');
    expect(code).toBe(1);
  });
});

describe('what is no mesh', () => {
  test('no ztunnel', async () => {
    const mesh = await start({ ...objects, pods: [] });
    const { code, stderr } = await ask(mesh, 'certs');
    expect(stderr).toMatch(/^error: no ztunnel pod found in any namespace with label app=ztunnel\. /);
    expect(code).toBe(1);
  });

  test('no cluster behind the address', async () => {
    const mesh = await start();
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
    await mesh.close();
    const { code, stderr } = await run('certs', { clock, env });
    expect(stderr).toMatch(/^error: .*refused.*\n$/);
    expect(code).toBe(1);
  });

  test.each([
    ['empty', ''],
    ['of other things', 'a: [b]'],
    ['whose lists are none', 'clusters: 5\ncontexts: {}'],
  ])('a kubeconfig %s', async (_, text) => {
    const file = path.join(folder, 'nothing');
    writeFileSync(file, text);
    const { code, stderr } = await run(['certs', '--kubeconfig', file], { env: { HOME: folder } });
    expect(stderr).toBe(
      `error: the kubeconfig ${file} names no cluster. Name another one with --kubeconfig, or an API server with --server.\n`,
    );
    expect(code).toBe(1);
  });

  test('a token that no request can hold', async () => {
    const env = { KUBECONFIG: (await start()).writeKubeconfig(folder) };
    const { code, stderr } = await run(['certs', '--token', 'secret\nvalue'], { clock, env });
    expect(stderr).toMatch(/^error: the API server \S+ was not asked: the token .*\. Check --token.*\n$/);
    expect(stderr).not.toContain('secret');
    expect(code).toBe(1);
  });

  test('no kubeconfig', async () => {
    const { code, stderr } = await run('certs', { env: { HOME: folder } });
    expect(stderr).toMatch(/^error: .*kubeconfig.*\n$/);
    expect(code).toBe(1);
  });
});
