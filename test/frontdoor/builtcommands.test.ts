// Every command says the same as a bundle in parts, which loads Node's modules late, as it does unbundled in this process.

import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commands } from '../../src/commands/index.ts';
import { formatsOf } from '../../src/printers/formats.ts';
import { execute } from '../executable.ts';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

/** When the dumps were saved. */
const now = '2026-11-29T22:03:42Z';
/** The mesh is made for the clock that judges it, since not every command takes another time. */
const at = `${new Date().toISOString().slice(0, 19)}Z`;
const data = path.resolve(import.meta.dirname, '../testdata');
const dump = path.join(data, 'dumps/node-a.config_dump.json');
const saved = ['-f', dump, '--resources', path.join(data, 'kubernetes/all-pods.pb'), '--now', now];
const rules = ['-f', dump, '--resources', path.join(data, 'istio/rules.yaml'), '--now', now];
const lease = path.join(data, 'kubernetes/node-a-lease.pb');

const directory = temporaryDirectory();
const inFolder = (name: string) => path.join(directory, name);
let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh(await demo(at), { namespace: 'shop' });
  mesh.writeKubeconfig(directory);
  const [built, unbundled] = await Promise.all([
    execute(['snapshot', inFolder('built.tar.gz'), ...live()], { env: {}, stdin: '' }),
    run(['snapshot', inFolder('unbundled'), ...live()]),
  ]);
  expect([built.code, unbundled.code]).toEqual([0, 0]);
});
afterAll(() => mesh.close());

const live = () => ['--kubeconfig', inFolder('kubeconfig')];

/** Both in an environment that holds nothing. */
async function compare(words: readonly string[], stdin = ''): Promise<void> {
  const [built, unbundled] = await Promise.all([execute(words, { env: {}, stdin }), run(words, { stdin })]);
  expect(built).toEqual(unbundled);
  expect(built.stdout + built.stderr).not.toBe('');
}

interface Asked {
  /** Words after the command that read files: in each of its formats. */
  readonly files?: readonly string[];
  /** Words that ask a mesh: in its first format. */
  readonly mesh?: readonly string[];
}

const JUDGED: Asked = { files: saved, mesh: ['--now', at] };

const asked: Readonly<Record<string, Asked>> = {
  certs: JUDGED,
  workloads: JUDGED,
  check: JUDGED,
  sans: { files: rules, mesh: ['--now', at] },
  leases: { files: ['-f', dump, '--resources', lease, '--now', now], mesh: ['--nodes', '--now', at] },
  trust: JUDGED,
  services: JUDGED,
  policies: JUDGED,
  connections: JUDGED,
  reach: { files: ['--to', 'web.shop:8080', ...saved], mesh: ['deployment/web.shop', '-A', '--now', at] },
  all: JUDGED,
  ztunnels: JUDGED,
  log: { mesh: [] },
  // Both have taken one.
  snapshot: {},
  diff: {
    files: [inFolder('built.tar.gz'), inFolder('unbundled')],
    mesh: [inFolder('built.tar.gz'), '--now', at],
  },
  wait: { mesh: ['deployment/web.shop'] },
  // When and of what each was built is its own.
  version: {},
  decode: { files: [lease] },
  completion: { files: ['bash'] },
  options: { files: [] },
};

test('every command is asked', () => {
  expect(Object.keys(asked).sort()).toEqual(commands.map(({ name }) => name).sort());
});

const ofFiles = commands.flatMap((command) => {
  const files = asked[command.name]?.files;
  if (files === undefined) return [];
  const formats = 'views' in command ? formatsOf(command.views).map((format) => ['-o', format]) : [[]];
  return formats.map((format) => [command.name, ...format, ...files]);
});
test.each(ofFiles.map((words) => [words.slice(0, 3).join(' '), words] as const))('%s, of files', (_, words) =>
  compare(words),
);

const ofMesh = Object.entries(asked).flatMap(([name, { mesh: words }]) =>
  words ? [[name, words] as const] : [],
);
test.each(ofMesh)('%s, of a mesh', (name, words) => compare([name, ...words, ...live()]));

test.each([
  ['a snapshot', ['certs', '-f', inFolder('built.tar.gz')]],
  ['a target', ['certs', 'deployment/web.shop', '-f', inFolder('built.tar.gz')]],
  ['no such context', ['certs', '--context', 'none']],
])('certs, with %s', (_, words) => compare(words));

test('what a shell asks for on Tab', () => compare(['__complete', 'certs', ...live(), '-n', '']));
