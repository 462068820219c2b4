// What a snapshot holds and what it must not, and how it comes onto the disk.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { extract } from 'tar-stream';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment, statefulSet } from '../mesh/workloads.ts';
import { type Outcome, run } from '../program.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b'];

let folder: string;
let meshes: Mesh[];
let objects: Scenario;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kubectl-ztunnel-test-'));
  meshes = [];
  const workloads = [deployment('shop/web', { on: nodes }), statefulSet('shop/cart', { on: nodes })];
  objects = await scenario({ at, nodes, workloads });
});
afterEach(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()));
  rmSync(folder, { recursive: true });
});

const inside = (name: string): string => path.join(folder, name);
const LISTED = [
  'pods',
  'replicasets',
  'jobs',
  'statefulsets',
  'leases',
  'namespaces',
  'serviceentries',
  'destinationrules',
];

async function start(what: Scenario = objects, options?: MeshOptions): Promise<Mesh> {
  const mesh = await startMesh(what, options);
  meshes.push(mesh);
  return mesh;
}

function ask(mesh: Mesh, commandLine: string, signal?: AbortSignal): Promise<Outcome> {
  const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
  return run(commandLine, { clock, env, ...(signal && { signal }) });
}

/** Everything below a folder as bytes. */
function bytesOf(place: string): Buffer {
  const names = readdirSync(place, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    names.filter((name) => name.isFile()).map((name) => readFileSync(path.join(name.parentPath, name.name))),
  );
}

function manifestOf(place: string) {
  return JSON.parse(readFileSync(path.join(place, 'manifest.json'), 'utf8'));
}

/** Left over, finished or not: everything but the kubeconfig. */
function leftOver(): readonly string[] {
  return readdirSync(folder).filter((name) => name !== 'kubeconfig');
}

describe('a snapshot', () => {
  test('says what it wrote, and holds the dumps byte for byte', async () => {
    const { code, stdout, stderr } = await ask(await start(), `snapshot ${inside('s')}`);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^FILE +SIZE +NODE +HOLDS$/);
    expect(stdout).toMatch(/objects\/pods\.pb +\S+ kB +- +6 pods/);
    expect(stdout).toMatch(/dumps\/istio-system_ztunnel-\w+\.json .* node-a +ztunnel .*: 1\.28\.1/);
    expect(stderr.replace(inside('s'), 'DIR')).toMatch(/^saved 2 of 2 ztunnels in DIR, \S+ kB\n$/);
    for (const [name, dump] of Object.entries(objects.ztunnels)) {
      expect(readFileSync(path.join(inside('s'), `dumps/${name.replace('/', '_')}.json`), 'utf8')).toBe(dump);
    }
  });

  test('has a manifest with the time, its source, the versions and the namespace', async () => {
    const mesh = await start(objects, { namespace: 'shop' });
    await ask(mesh, `snapshot ${inside('s')}`);
    const manifest = manifestOf(inside('s'));
    expect(manifest).toMatchObject({
      apiVersion: 'ztunnel.kubectl/v1',
      kind: 'Snapshot',
      reference: { time: '2026-11-29T22:03:42.000Z', source: 'api-server' },
      clockSkewSeconds: 0,
      namespace: 'shop',
      redacted: false,
    });
    expect(manifest.ztunnels).toMatchObject(nodes.map(() => ({ version: '1.28.1', failure: null })));
    expect(manifest.lists.map((list: { kind: string }) => list.kind)).toEqual(LISTED);
  });

  test('holds no environment variable, no last applied configuration, no credentials, no address', async () => {
    const pods = objects.pods.map((pod) => ({
      ...pod,
      metadata: {
        ...pod.metadata,
        annotations: {
          ...pod.metadata.annotations,
          'kubectl.kubernetes.io/last-applied-configuration': '{"spec":"SECRET-APPLIED"}',
        },
      },
      spec: { ...pod.spec, containers: [{ name: 'main', env: [{ name: 'PASSWORD', value: 'SECRET-ENV' }] }] },
    }));
    const statefulsets = objects.statefulsets.map((set) => ({
      ...set,
      spec: { ...set.spec, template: { spec: { containers: [{ env: [{ value: 'SECRET-TEMPLATE' }] }] } } },
    }));
    const mesh = await start(
      { ...objects, pods, statefulsets },
      { rules: [{ verbs: ['*'], resources: ['pods', 'pods/portforward', 'leases'] }] },
    );
    const { stderr } = await ask(mesh, `snapshot ${inside('s')}`);
    expect(stderr).toContain(mesh.url);
    const bytes = bytesOf(inside('s'));
    expect(bytes.includes('serviceAccount')).toBe(true);
    for (const secret of [
      'SECRET',
      'PASSWORD',
      'last-applied',
      'mesh-token',
      mesh.url,
      new URL(mesh.url).host,
    ]) {
      expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
    }
  });

  test('is an archive that is the same for the same mesh, manifest first', async () => {
    const mesh = await start();
    await ask(mesh, `snapshot ${inside('a.tar.gz')}`);
    await ask(mesh, `snapshot ${inside('b.tgz')}`);
    const archive = readFileSync(inside('a.tar.gz'));
    expect(readFileSync(inside('b.tgz')).equals(archive)).toBe(true);
    const names = await namesIn(archive);
    expect(names[0]).toBe('ztunnel-snapshot/manifest.json');
    expect(names.slice(1)).toEqual([...names.slice(1)].sort());
    expect(names).toHaveLength(1 + 2 + LISTED.length + 1);
  });

  test('is taken of another one, too', async () => {
    await ask(await start(), `snapshot ${inside('a')}`);
    const { code } = await run(`snapshot ${inside('b')} -f ${inside('a')}`, { clock: new Date(0) });
    expect(code).toBe(0);
    const [{ reference: _, ...first }, { reference, ...second }] = [
      manifestOf(inside('a')),
      manifestOf(inside('b')),
    ];
    expect(second).toEqual(first);
    expect(reference).toEqual({ time: '2026-11-29T22:03:42.000Z', source: 'flag' });
  });

  test('with --node holds the ztunnels of that node', async () => {
    await ask(await start(), `snapshot ${inside('s')} --node node-b`);
    expect(manifestOf(inside('s')).ztunnels).toMatchObject([{ node: 'node-b' }]);
  });
});

async function namesIn(archive: Buffer): Promise<readonly string[]> {
  const names: string[] = [];
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) {
    names.push(entry.header.name);
    entry.resume();
  }
  return names;
}

describe('what could not be had', () => {
  test('is named, what came of it is kept, and the exit code is 1', async () => {
    const mesh = await start();
    mesh.misbehave(ztunnelOn(objects, 'node-a'), { how: 'cut', after: 500, contentLength: true });
    mesh.misbehave(ztunnelOn(objects, 'node-b'), { how: 'reply', body: '<html>', contentType: 'text/html' });
    const { code, stderr } = await ask(mesh, `snapshot ${inside('s')}`);
    expect(code).toBe(1);
    expect(stderr).toContain('saved 0 of 2 ztunnels');
    expect(stderr.match(/^error: .* on node node-[ab]: /gm)).toHaveLength(2);
    const byNode = Object.groupBy(manifestOf(inside('s')).ztunnels as { node: string }[], ({ node }) => node);
    expect(byNode['node-a']).toMatchObject([
      { dump: { bytes: 500 }, failure: { message: expect.stringContaining('closed before') }, problem: null },
    ]);
    expect(byNode['node-b']).toMatchObject([
      { dump: { bytes: 6 }, failure: null, problem: expect.stringContaining('web page') },
    ]);
  });

  test('of lists is warned of, and -f says the same as the mesh', async () => {
    const rules = [
      { verbs: ['*'], resources: ['pods/portforward'] },
      { verbs: ['list'], resources: ['pods'], namespaces: ['istio-system', 'shop'] },
      { verbs: ['list'], resources: ['leases'], namespaces: ['kube-node-lease'] },
    ];
    const mesh = await start(objects, { rules });
    const { code, stderr } = await ask(mesh, `snapshot ${inside('s')} -n shop`);
    expect(code).toBe(1);
    expect(stderr.match(/^warning: .*; the snapshot holds no \w+/gm)).toHaveLength(LISTED.length + 4);
    expect(stderr.match(/kind: ClusterRole$/gm)).toHaveLength(1);
    for (const command of ['certs', 'certs -n shop -o json', 'check -o json', 'workloads', 'leases']) {
      const live = await ask(mesh, `${command} --now ${at}`);
      const saved = await run(`${command} -f ${inside('s')}`);
      expect(saved.stdout).toBe(live.stdout);
      expect(saved.code).toBe(live.code);
      const withoutAddress = live.stderr.replaceAll(` ${mesh.url}`, '');
      expect(saved.stderr).toBe(withoutAddress);
    }
  });
});

describe('under its name', () => {
  test.each(['s', 's.tar.gz'])('%s there is nothing before the end, and after an interrupt', async (name) => {
    const mesh = await start();
    mesh.misbehave(ztunnelOn(objects, 'node-a'), { how: 'hang', at: 'body' });
    const controller = new AbortController();
    const running = ask(mesh, `snapshot ${inside(name)}`, controller.signal);
    while (!leftOver().some((each) => each.endsWith('.tmp')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(existsSync(inside(name))).toBe(false);
    controller.abort(new Error('interrupted'));
    expect((await running).code).toBe(130);
    expect(leftOver()).toEqual([]);
  });

  test('there is nothing when no ztunnel is found, or the disk does not take it', async () => {
    const mesh = await start();
    expect((await ask(mesh, `snapshot ${inside('s')} --ztunnel-namespace nowhere`)).code).toBe(1);
    const { code, stderr } = await ask(mesh, `snapshot ${inside('no/such/place')}`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error: the snapshot .*can't be written/),
    });
    expect(leftOver()).toEqual([]);
  });

  test('what a killed run of the same name left is removed once it is a day old', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    const leave = (name: string, inner: Date = days(2)) => {
      mkdirSync(inside(`${name}/dumps`), { recursive: true });
      writeFileSync(inside(`${name}/dumps/a.json`), '{');
      utimesSync(inside(`${name}/dumps/a.json`), inner, inner);
      for (const each of [`${name}/dumps`, name]) utimesSync(inside(each), days(2), days(2));
    };
    const kept = [
      's.0123456789ab.tmp.bak',
      's.0123456789.tmp',
      'other.0123456789ab.tmp',
      's.bbbbbbbbbbbb.tmp',
    ];
    leave('s.aaaaaaaaaaaa.tmp');
    for (const name of kept.slice(0, -1)) leave(name);
    // Still being written, in a folder that has not changed since.
    leave(kept.at(-1)!, days(0));
    expect((await ask(await start(), `snapshot ${inside('s')}`)).code).toBe(0);
    expect(leftOver().toSorted()).toEqual([...kept, 's'].toSorted());
  });

  test('nothing is replaced', async () => {
    const mesh = await start();
    writeFileSync(inside('file'), 'mine');
    mkdirSync(inside('full/of'), { recursive: true });
    mkdirSync(inside('empty'));
    for (const name of ['file', 'full']) {
      const { code, stderr } = await ask(mesh, `snapshot ${inside(name)}`);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(`${name} exists already`),
      });
    }
    expect(readFileSync(inside('file'), 'utf8')).toBe('mine');
    expect((await ask(mesh, `snapshot ${inside('empty')}`)).code).toBe(0);
  });
});

test.each([
  ['of single dumps', 'snapshot x -f dump.json', /live mesh or of another snapshot/],
  ['named like another kind of file', 'snapshot mesh.zip', /a folder or a \.tar\.gz, not mesh\.zip/],
  ['without a name', 'snapshot', /DIR\|FILE\.tar\.gz/],
])('a snapshot %s is refused', async (_, commandLine, message) => {
  const { code, stderr } = await run(commandLine);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
});
