// The counts that speed rests on: modules initialised, bytes read, requests made, forwards opened.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { growDump } from '../scripts/bench/inputs.ts';
import { largeMesh } from '../scripts/bench/largemesh.ts';
import { PARTS } from '../scripts/parts.ts';
import { INHERITED } from './inherited.ts';
import { type Mesh, startMesh } from './mesh/mesh.ts';
import { run } from './program.ts';
import { temporaryDirectory } from './temporary.ts';

const root = path.resolve(import.meta.dirname, '..');
const DUMP = path.join(root, 'test/testdata/dumps/node-a.config_dump.json');
const AT = '2026-11-29T22:03:42Z';

const directory = temporaryDirectory();
let mesh: Mesh;
/** `namespace/name` of the ztunnels' pods. */
let ztunnels: readonly string[];
beforeAll(async () => {
  const scenario = await largeMesh(ZTUNNELS, new Date().toISOString());
  ztunnels = Object.keys(scenario.ztunnels);
  mesh = await startMesh(scenario);
  mesh.writeKubeconfig(directory);
});
afterAll(async () => {
  await mesh.close();
});

const ZTUNNELS = 3;

/** What a script that runs the built program says of it, behind a word of its own, on stderr. */
async function told(script: string, word: string, words: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [path.join(root, 'test', script), ...words], {
    env: { ...INHERITED, KUBECONFIG: path.join(directory, 'kubeconfig') },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const said = new RegExp(`^${word} (.*)$`, 'm').exec(stderr)?.[1];
  if (said === undefined || code !== 0) throw new Error(`${words.join(' ')} exits with ${code}: ${stderr}`);
  return JSON.parse(said);
}

/** Names of packages and of Node's modules that the built program initialises for a command. */
async function initialisedBy(words: readonly string[]): Promise<ReadonlySet<string>> {
  const list = (await told('initialised.cjs', 'INITIALISED', words)) as readonly string[];
  return new Set(list.map(packageOf));
}

function packageOf(module: string): string {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? module;
}

/** What takes milliseconds to initialise. */
const HEAVY = [
  '@kubernetes/client-node',
  'ws',
  'protobufjs',
  'js-yaml',
  'chalk',
  'string-width',
  'tar-stream',
  'src/cluster/kube.ts',
  'src/decode/object.ts',
  'node:crypto',
  'node:tls',
  'node:https',
  'node:fs/promises',
  // Of stdin, when it is opened, and of files.
  'node:internal/fs/streams',
  'node:tty',
] as const;

describe('modules initialised', () => {
  test.each([
    [['version'], []],
    [['--help'], []],
    [['certs', '--help'], []],
    [['certs', '-f', DUMP], ['node:crypto']],
    [['certs', '-f', DUMP, '-o', 'name'], ['node:crypto']],
    [['certs', '-f', DUMP, '-o', 'json'], ['node:crypto']],
    [['workloads', '-f', DUMP], ['node:crypto']],
    [['certs', '-f', DUMP, '-o', 'yaml'], ['node:crypto']],
    [
      ['certs', '-f', DUMP, '--resources', path.join(root, 'test/testdata/kubernetes/all-pods.pb')],
      ['node:crypto', 'protobufjs', 'js-yaml', 'src/decode/object.ts', 'node:fs/promises'],
    ],
  ])('%j', async (words, expected) => {
    const initialised = await initialisedBy(words);
    expect(HEAVY.filter((name) => initialised.has(name)).toSorted()).toEqual([...expected].toSorted());
  });

  test('of a mesh, what asks it', async () => {
    const initialised = await initialisedBy(['certs']);
    const without = ['chalk', 'node:fs/promises', 'node:internal/fs/streams', 'string-width', 'tar-stream'];
    expect(HEAVY.filter((name) => !initialised.has(name)).toSorted()).toEqual(without);
  });

  test('wide characters need their tables, colours their palette', async () => {
    const wide = path.join(directory, 'wide.json');
    writeFileSync(wide, readFileSync(DUMP, 'utf8').replaceAll('checkout-28899120-x2x2x', '商店'));
    expect(await initialisedBy(['workloads', '-f', wide])).toContain('string-width');
  });

  test('the bundle leaves out what no command uses', () => {
    const { inputs } = JSON.parse(readFileSync(path.join(root, 'dist/metafile.json'), 'utf8'));
    const packages = new Set(Object.keys(inputs).map(packageOf));
    expect(packages).toContain('@kubernetes/client-node');
    expect(packages).not.toContain('undici');
    expect(packages).not.toContain('yargs');
  });
});

describe('parts of the bundle', () => {
  const [START, FILES, MESH, REST] = PARTS.map(({ name }) => name) as [string, string, string, string];
  test.each([
    [['version'], [START]],
    [['--help'], [START]],
    [['certs', '--help'], [START]],
    [['__complete', 'certs', '--out'], [START]],
    [
      ['certs', '-f', DUMP],
      [START, FILES],
    ],
    [
      ['workloads', '-f', DUMP, '-o', 'short'],
      [START, FILES],
    ],
    [['certs'], [START, FILES, MESH]],
    [['services'], [START, FILES, MESH, REST]],
  ])('%j opens no more than it needs, with the code that was compiled before', async (words, expected) => {
    const taken = await told('codecaches.cjs', 'TAKEN', words);
    expect(taken).toEqual(Object.fromEntries(expected.map((name) => [name, true])));
  });
});

describe('bytes read', () => {
  const CHUNK = 4096;
  const WORKLOADS = 2000;

  /** How far a command reads of a dump that comes in small chunks; in bytes, a chunk more at most. */
  async function readBy(commandLine: string, dump: string): Promise<number> {
    const bytes = Buffer.from(dump);
    let read = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += CHUNK) {
        read = Math.min(bytes.length, at + CHUNK);
        yield bytes.subarray(at, at + CHUNK);
      }
    }
    const { code } = await run(`${commandLine} -f -`, { stdin: chunks(), clock: new Date(AT) });
    expect(code).toBe(0);
    return read;
  }

  test.each([
    ['certs -o short', '\n  "config": '],
    ['certs -o name', '\n  "config": '],
    ['certs -o pem', '\n  "config": '],
    ['certs --no-owners', '\n  "policies": '],
  ])('%s reads up to the end of its sections', async (commandLine, next) => {
    const dump = await growDump({ workloads: WORKLOADS, perNode: 10, identities: 10 }, AT);
    const read = await readBy(commandLine, dump);
    expect(read).toBeLessThanOrEqual(dump.indexOf(next) + CHUNK);
    expect(read).toBeLessThan(dump.length / 10);
  });

  test('in memory that is used again, and still each byte where it belongs', async () => {
    const dump = await growDump({ workloads: WORKLOADS, perNode: 100, identities: 20 }, AT);
    const file = path.join(directory, 'stdin');
    writeFileSync(file, dump);
    for (const line of ['workloads -o wide', 'workloads -o json', 'certs -o short']) {
      const [named, piped] = await Promise.all([
        run(`${line} --now ${AT} -f ${file}`),
        run(`${line} --now ${AT} -f -`, { stdin: dump }),
      ]);
      expect(named).toEqual(piped);
      expect(named.code).toBe(0);
    }
  });

  test('owners and MISSING need all of it', async () => {
    const dump = await growDump({ workloads: WORKLOADS, perNode: 10, identities: 10 }, AT);
    expect(await readBy('certs', dump)).toBeGreaterThan(dump.length - CHUNK);
  });
});

describe('of a mesh', () => {
  /** What the mesh sees of a command. */
  async function seenOf(commandLine: string) {
    const [requests, forwards] = [mesh.requests.length, mesh.forwards.length];
    const { code } = await run(commandLine, { env: { KUBECONFIG: path.join(directory, 'kubeconfig') } });
    expect(code).toBe(0);
    const lists = mesh.requests
      .slice(requests)
      .filter(({ path: asked }) => !asked.endsWith('/portforward'))
      .map(({ path: asked, query }) => `${asked}${query.labelSelector ? `?${query.labelSelector}` : ''}`);
    return { lists: lists.toSorted(), forwards: mesh.forwards.slice(forwards) };
  }

  test('certs asks for each list once, and closes each forward early', async () => {
    const dumpBytes = 7_000_000;
    // Slowly, so that no buffer on the way takes all of it.
    for (const pod of ztunnels) mesh.misbehave(pod, { how: 'drip', bytes: 16_384, everyMs: 5, times: 1 });
    const { lists, forwards } = await seenOf('certs');
    expect(lists).toEqual([
      '/api/v1/pods',
      '/api/v1/pods?app=ztunnel',
      '/apis/apps/v1/replicasets',
      '/apis/apps/v1/statefulsets',
      '/apis/batch/v1/jobs',
    ]);
    expect(forwards).toHaveLength(ZTUNNELS);
    for (const forward of forwards) {
      await until(() => forward.closedEarly);
      expect(forward.bytesSent).toBeLessThan(dumpBytes * 0.05);
    }
  });

  test.each(['certs --no-owners', 'certs -o short', 'certs -o name'])(
    '%s asks for ztunnels only',
    async (words) => {
      const { lists, forwards } = await seenOf(words);
      expect(lists).toEqual(['/api/v1/pods?app=ztunnel']);
      expect(forwards).toHaveLength(ZTUNNELS);
    },
  );

  test('a ztunnel that the API server holds back is asked once more', async () => {
    const [first = ''] = ztunnels;
    mesh.misbehave(first, { how: 'refuse', status: 429, message: 'too many requests', times: 1 });
    const before = mesh.requests.length;
    const { forwards } = await seenOf('certs -o name');
    expect(forwards).toHaveLength(ZTUNNELS);
    const upgrades = mesh.requests.slice(before).filter(({ path: asked }) => asked.endsWith('/portforward'));
    expect(upgrades.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([101, 101, 101, 429]);
  });

  test.each(['workloads -o short', 'workloads -o name'])('%s asks one ztunnel', async (words) => {
    const { lists, forwards } = await seenOf(words);
    expect(lists).toEqual(['/api/v1/pods?app=ztunnel']);
    expect(forwards).toHaveLength(1);
  });
});

/** The other end hears of it a moment later. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries === 500) throw new Error('it never came to hold');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
