// Every command that the documentation shows: it runs, with the rights that README grants, and reports no error.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dump, loadAll } from 'js-yaml';
import type { Rule } from '../mesh/access.ts';
import { writeContexts } from '../mesh/contexts.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { messageOf } from '../mesh/messages.ts';
import { encodeMessage, encodeObject } from '../mesh/protobuf.ts';
import { scenario } from '../mesh/scenario.ts';
import { barePod, deployment, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const root = path.resolve(import.meta.dirname, '../..');
const at = '2026-11-29T22:03:42Z';
const before = process.cwd();
const folder = temporaryDirectory();
const read = (page: string) => readFileSync(path.join(root, page), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    // rotation.test.ts runs those of the rotation, on the mesh that it is about.
    .filter((name) => name.endsWith('.md') && name !== 'rotation.md')
    .map((name) => path.posix.join('docs', name.replaceAll(path.sep, '/'))),
];

/** In blocks of shell, up to the next program, redirection or comment; `npm start --` runs the same program. */
const IN_SHELL = /(?:^|[;&|] ?(?:do )?)(?:kubectl ztunnel|npm start --) ([^#|<>&;\n]*)/gm;
/** Between backquotes, and without them in what `check` prints. */
const IN_TEXT = /`(?:source <\()?kubectl ztunnel ([^`|>)\\]+)/g;
const IN_FINDINGS = /kubectl ztunnel (\w+(?: --?[\w-]+(?: (?:[A-Z-]+|json|wide|root)\b)?)*)/g;
/** Words in capitals are the reader's to fill in, unless one of these flags takes them. */
const TAKES_CAPITALS = /--(?:status|only|ignore|sort-by|for)[ =]\S+/g;

/** Where a command stands, and the words after `kubectl ztunnel`. */
const shown = pages.flatMap((page) => {
  const text = read(page);
  const inShell = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) => [
    ...block!.matchAll(IN_SHELL),
  ]);
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const inText = [...prose.matchAll(page.endsWith('/findings.md') ? IN_FINDINGS : IN_TEXT)];
  const lines = [...inShell, ...inText].map(([, line]) => line!.trim());
  return [...new Set(lines)]
    .filter((line) => !/[A-Z]{2,}|[[…]|^$/.test(line.replaceAll(TAKES_CAPITALS, '')))
    .map((line) => [page, line] as const);
});

let mesh: Mesh;
let env: Record<string, string>;

/** Runs a line as a shell would, until it would wait. */
async function type(line: string) {
  const words = line
    .replaceAll('$c', 'east')
    .split(/ +/)
    .map((word) => word.replaceAll(/^'|'$/g, ''))
    .map((word) => (word.startsWith('test/') ? path.join(root, word) : word))
    .map((word) => word.replace(/^\/var\/lib\/node_exporter(\/textfile)?/, folder));
  // Nothing is ever replaced by it.
  if (words[0] === 'snapshot') rmSync(words[1]!, { recursive: true, force: true });
  const stop = new AbortController();
  const input = words[0] === 'decode' ? 'lease.pb' : line.endsWith('-f -') ? 'dump.json' : undefined;
  const stdin = input === undefined ? '' : readFileSync(input);
  const sleep = () => stop.abort(new Error('interrupted'));
  return run(words, { clock: new Date(at), env, sleep, signal: stop.signal, stdin });
}

beforeAll(async () => {
  const state = await scenario({
    at,
    nodes: ['node-a', 'node-b'],
    workloads: [
      deployment('shop/web', { on: ['node-a'] }),
      statefulSet('shop/cart', { on: ['node-b'] }),
      barePod('shop/web-0', { on: 'node-b', serviceAccount: 'web' }),
    ],
    services: [{ name: 'shop/cart', vip: '172.20.0.11' }],
  });
  const role = loadAll(/```yaml\n(.*?)```/s.exec(read('README.md'))![1]!) as {
    readonly rules: readonly Rule[];
  }[];
  mesh = await startMesh(state, { namespace: 'shop', rules: role[0]!.rules });
  process.chdir(folder);
  const contexts = writeContexts(folder, { mesh, east: mesh, west: mesh });
  writeFileSync(contexts, `${readFileSync(contexts, 'utf8')}current-context: mesh\n`);
  env = { KUBECONFIG: contexts };
  await prepare();
});
afterAll(async () => {
  process.chdir(before);
  await mesh?.close();
});

/** The files that the documents take for granted. */
async function prepare(): Promise<void> {
  const save = async (line: string, ...files: readonly string[]) => {
    const { stdout } = await type(line);
    for (const file of files) writeFileSync(file, stdout);
  };
  await save('all --node node-a -o json', 'dump.json', 'a.json', 'monday.json', 'tuesday.json');
  await save('all --node node-b -o json', 'b.json');
  for (const name of ['before', 'after', 'a']) await type(`snapshot ${name}.tar.gz`);
  for (const name of ['monday', 'objects']) mkdirSync(name);
  for (const name of ['east', 'west']) await type(`snapshot monday/${name}.tar.gz`);
  const samples = path.join(root, 'test/testdata/kubernetes');
  const lease = readFileSync(path.join(samples, 'cart-leader-lease.pb'));
  writeFileSync('lease.pb', lease);
  writeFileSync('objects/lease.pb', lease);
  const rule = {
    apiVersion: 'networking.istio.io/v1',
    kind: 'DestinationRule',
    metadata: { name: 'web', namespace: 'shop' },
  };
  writeFileSync('rules.yaml', dump({ ...rule, spec: { host: 'web' } }));
  const kvs = [{ key: btoa('/registry/leases/shop/cart-leader'), value: lease.toString('base64') }];
  writeFileSync('etcd.json', JSON.stringify({ kvs, count: 1 }));
  const message = {
    metadata: { name: 'cart-leader', namespace: 'shop' },
    spec: { holderIdentity: 'cart-0' },
  };
  writeFileSync('message.bin', encodeMessage(messageOf('Lease'), message));
  writeFileSync('node.pb', encodeObject({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } }));
}

test('there are many, on most pages', () => {
  expect(shown.length).toBeGreaterThan(100);
  expect(new Set(shown.map(([page]) => page)).size).toBeGreaterThan(14);
});

test.each(shown)('%s: kubectl ztunnel %s', async (_, line) => {
  const { stderr, code } = await type(line);
  expect(stderr.match(/^error: .*/gm) ?? []).toEqual([]);
  expect([0, 130]).toContain(code);
});
