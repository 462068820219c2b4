// The built program, started in a directory that somebody else has filled: nothing in it changes what a command does.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commands } from '../../src/commands/index.ts';
import { commandLine } from '../executable.ts';
import { HIJACKED, makeHostile } from '../hostiledirectory.ts';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Ended, spawned } from '../spawned.ts';
import { temporaryDirectory } from '../temporary.ts';

const data = path.resolve(import.meta.dirname, '../testdata');
const dump = path.join(data, 'dumps/node-a.config_dump.json');
const file = ['-f', dump, '--now', '2026-11-29T22:03:42Z'];
/** The live mesh is judged at the time at which it was made. */
const at = new Date().toISOString();
const now = ['--now', at];

const directory = temporaryDirectory();
const [clean, hostile] = ['clean', 'hostile'].map((name) => path.join(directory, name)) as [string, string];
let mesh: Mesh;
let kubeconfig: string;
beforeAll(async () => {
  for (const folder of [clean, hostile]) mkdirSync(folder);
  makeHostile(hostile);
  mesh = await startMesh(await demo(at));
  kubeconfig = mesh.writeKubeconfig(directory);
});
afterAll(() => mesh.close());

/** Ages grow between one run and the next, and so may columns. */
async function start(words: readonly string[], cwd: string): Promise<Ended> {
  const [command, argv] = commandLine(words);
  const ended = await spawned(command, argv, { env: { KUBECONFIG: kubeconfig }, cwd, longestMs: 60_000 });
  const settle = (text: string) =>
    text.replaceAll(/\b(?:\d+[smhd])+\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/ +/g, ' ');
  return { ...ended, stdout: settle(ended.stdout), stderr: settle(ended.stderr) };
}

const TRIED: Readonly<Record<string, readonly string[]>> = {
  all: ['all', ...file],
  certs: ['certs', ...now],
  check: ['check', ...now],
  completion: ['completion', 'bash'],
  connections: ['connections', ...file],
  decode: ['decode', path.join(data, 'kubernetes/all-pods.pb')],
  diff: ['diff', dump, dump],
  leases: ['leases', ...now],
  log: ['log'],
  options: ['options'],
  policies: ['policies', ...file],
  reach: ['reach', 'deployment/web', '-n', 'shop'],
  sans: ['sans', ...now],
  services: ['services', ...file],
  snapshot: ['snapshot', 'saved'],
  trust: ['trust'],
  version: ['version'],
  wait: ['wait', 'statefulset/cart', '-n', 'shop', '--for=ok', '--timeout=2s'],
  workloads: ['workloads', ...file],
  ztunnels: ['ztunnels', ...now],
};

test('every command is tried', () => {
  expect(Object.keys(TRIED)).toEqual(commands.map(({ name }) => name).toSorted());
});

test.each([
  ...Object.entries(TRIED),
  ['certs of a dump', ['certs', ...file]],
  ['help', ['--help']],
  ['completion, as a shell asks for it', ['__complete', 'certs', '--out']],
  ['a usage error', ['certs', '--no-such-flag']],
] as const)('%s', async (_, words) => {
  const before = readdirSync(hostile, { recursive: true }).toSorted();
  const [usual, ended] = [await start(words, clean), await start(words, hostile)];
  expect(ended).toEqual(usual);
  expect(ended.stdout + ended.stderr).not.toContain(HIJACKED);
  const left = readdirSync(hostile, { recursive: true }).filter((name) => !String(name).startsWith('saved'));
  expect(left.toSorted()).toEqual(before.filter((name) => !String(name).startsWith('saved')));
  expect(usual.stdout + usual.stderr).not.toBe('');
});

test('what it holds would be run by whoever looked', async () => {
  const argv = [path.join(hostile, 'node_modules/ws')];
  const { stdout } = await spawned(process.execPath, argv, { env: {}, cwd: clean, longestMs: 60_000 });
  expect(stdout).toBe(`${HIJACKED}\n`);
});

test('a certificate that nobody vouches for stays refused, whatever the environment says of TLS', async () => {
  const strange = path.join(directory, 'strange');
  const other = await startMesh(await demo(new Date().toISOString()));
  writeFileSync(
    strange,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: other.url } }],
      contexts: [{ name: 'c', context: { cluster: 'c' } }],
      'current-context': 'c',
    }),
  );
  const [command, argv] = commandLine(['certs', '--kubeconfig', strange]);
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  const { code, stdout, stderr } = await spawned(command, argv, { env, cwd: clean, longestMs: 60_000 });
  await other.close();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: .*certificate/);
  expect(other.requests).toEqual([]);
});
