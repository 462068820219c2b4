// Tests of a mesh of saved files: dumps, stdin, and the objects that go with them.

import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UsageError } from '../../src/base/errors.ts';
import type { Ztunnel } from '../../src/model/types.ts';
import type { Cluster } from '../../src/sources/cluster.ts';
import { type FilesOptions, openFiles } from '../../src/sources/files/files.ts';
import { temporaryDirectory } from '../temporary.ts';
import { isOneSentence, told } from './failure.ts';
import { readWhole } from './meshcluster.ts';

const KUBERNETES = path.join(import.meta.dirname, '../testdata/kubernetes');
const DUMP = '{"certificates": []}';
const directory = temporaryDirectory();
const at = (...parts: string[]) => path.join(directory, ...parts);
beforeAll(async () => {
  await mkdir(at('other'));
  await writeFile(at('a.json'), DUMP);
  await writeFile(at('other/a.json'), '{"certificates": [1]}');
  await writeFile(at('b.json'), `\uFEFF${DUMP}`);
  await writeFile(at('empty.json'), '');
  await symlink(at('loop'), at('loop'));
});

async function* nothing(): AsyncGenerator<Uint8Array> {}
async function* texts(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part, 'latin1');
}

function open(options: Partial<FilesOptions>): Promise<Cluster> {
  const clock = () => new Date('2026-11-29T22:00:00Z');
  return openFiles({
    dumps: [],
    resources: [],
    stdin: nothing(),
    clock,
    selector: 'app=ztunnel',
    ...options,
  });
}
const find = (cluster: Cluster) => cluster.findZtunnels({ selector: 'app=ztunnel', namespace: undefined });
async function readFirst(options: Partial<FilesOptions>): Promise<string> {
  const cluster = await open(options);
  return readWhole(cluster, (await find(cluster))[0]!);
}

describe('dumps', () => {
  test('are ztunnels in the order given, named by file, by path where names coincide', async () => {
    const cluster = await open({
      dumps: [at('b.json'), at('a.json'), '-', at('other/a.json'), at('other/../a.json')],
    });
    expect((await find(cluster)).map(({ name }) => name)).toEqual([
      'b.json',
      at('a.json'),
      'stdin',
      at('other/a.json'),
    ]);
    expect((await find(cluster))[0]).toEqual({ namespace: null, name: 'b.json', node: null, pod: undefined });
    const [, first, , second] = await find(cluster);
    expect(await readWhole(cluster, first!)).toBe(DUMP);
    expect(await readWhole(cluster, second!)).toBe('{"certificates": [1]}');
    expect(cluster.source).toBe('files');
    expect(cluster.canList('pods')).toBe(false);
    expect(await cluster.reference()).toEqual({
      time: new Date('2026-11-29T22:00:00Z'),
      source: 'system-clock',
    });
  });

  test('are read without their byte order mark, however it is cut', async () => {
    expect(await readFirst({ dumps: [at('b.json')] })).toBe(DUMP);
    expect(await readFirst({ dumps: ['-'], stdin: texts('\xef', '\xbb', '\xbf{', '}') })).toBe('{}');
    expect(await readFirst({ dumps: ['-'], stdin: texts('\xef\xbb', '{}') })).toBe(
      Buffer.from('\xef\xbb{}', 'latin1').toString(),
    );
  });

  test('come out as they are, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary-ascii', minLength: 1 }), { minLength: 1 }),
        async (parts) => {
          expect(await readFirst({ dumps: ['-'], stdin: texts(...parts) })).toBe(parts.join(''));
        },
      ),
      { seed: 3, numRuns: 50 },
    );
  });

  test('are read no further than asked', async () => {
    let taken = 0;
    let closed = false;
    async function* counted(): AsyncGenerator<Uint8Array> {
      try {
        for (; ; taken++) yield Buffer.from('x');
      } finally {
        closed = true;
      }
    }
    const cluster = await open({ dumps: ['-'], stdin: counted() });
    const request = { port: 1, timeoutMs: 1, signal: new AbortController().signal };
    for await (const _chunk of cluster.openDump((await find(cluster))[0]!, request)) break;
    // So many tell whether it is one dump or a list.
    expect(taken).toBeLessThan(512);
    expect(closed).toBe(true);
  });

  test('end with the reason of an abort, though stdin stays silent', async () => {
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const cluster = await open({ dumps: ['-'], stdin: silent });
    const controller = new AbortController();
    const { signal } = controller;
    const reading = cluster.findZtunnels({ selector: 'app=ztunnel', namespace: undefined, signal });
    setTimeout(() => controller.abort(new Error('interrupted')), 20);
    await expect(reading).rejects.toThrow('interrupted');
  });

  test('end with the reason of an abort, though stdin falls silent later', async () => {
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(600, '{');
      await new Promise<never>(() => {});
    }
    const cluster = await open({ dumps: ['-'], stdin: silent() });
    const controller = new AbortController();
    const reading = readWhole(cluster, (await find(cluster))[0]!, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('interrupted')), 20);
    await expect(reading).rejects.toThrow('interrupted');
  });

  test.each([
    ['none.json', 'does not exist', 'path'],
    ['a.json/x', 'does not exist', 'not a directory'],
    ['', 'is a directory', 'each dump or snapshot'],
    ['empty.json', 'is empty', 'again'],
    ['loop', 'is a link that leads nowhere', 'link'],
  ])('that can’t be read are told: %s', async (name, message, hint) => {
    const error = await told(readFirst({ dumps: [name === '' ? directory : at(name)] }));
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(isOneSentence(error)).toBe(true);
  });

  test('from an empty stdin, or from stdin twice, are told', async () => {
    expect((await told(readFirst({ dumps: ['-'] }))).message).toBe('standard input is empty');
    await expect(open({ dumps: ['-', '-'] })).rejects.toThrow(UsageError);
    const cluster = await open({ dumps: ['-'], stdin: texts('{}') });
    const [stdin] = await find(cluster);
    await readWhole(cluster, stdin!);
    expect((await told(readWhole(cluster, stdin!))).message).toContain('only once');
  });
});

describe('resources', () => {
  test.each(['json', 'pb'])('of every kind are listed, from %s', async (extension) => {
    const kinds = ['pods', 'replicasets', 'jobs', 'statefulsets', 'leases'] as const;
    const resources = kinds.map((kind) => path.join(KUBERNETES, `all-${kind}.${extension}`));
    const cluster = await open({ resources });
    expect(kinds.map((kind) => cluster.canList(kind))).toEqual([true, true, true, true, true]);
    const carts = await cluster.list('pods', { namespace: 'data' });
    expect(new Set(carts.map((pod) => pod.metadata.namespace))).toEqual(new Set(['data']));
    const ztunnels = await cluster.list('pods', { labelSelector: 'app=ztunnel' });
    expect(ztunnels.map((pod) => pod.spec?.nodeName).sort()).toEqual(['node-a', 'node-b', 'node-c']);
    expect((await cluster.list('statefulsets')).map(({ metadata }) => metadata.name)).toContain('cart');
    expect(cluster.warnings()).toEqual([]);
  });

  test('of a directory: by extension or content, not of directories in it, the rest named once', async () => {
    const place = await mkdtemp(at('resources-'));
    await mkdir(path.join(place, 'deeper'));
    await cp(path.join(KUBERNETES, 'shop-pods.json'), path.join(place, 'deeper', 'pods.json'));
    await cp(path.join(KUBERNETES, 'data-pods.pb'), path.join(place, 'saved'));
    await cp(path.join(KUBERNETES, 'nodes.json'), path.join(place, 'nodes.json'));
    await cp(path.join(KUBERNETES, 'nodes.pb'), path.join(place, 'nodes.pb'));
    await writeFile(path.join(place, 'README'), 'about apples');
    await writeFile(path.join(place, 'photo.png'), Buffer.from('\x89PNG\0apiVersion', 'latin1'));
    await writeFile(path.join(place, 'node-a.config_dump.json'), DUMP);
    await writeFile(
      path.join(place, 'lease.yml'),
      'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: l, namespace: x}\n',
    );
    const cluster = await open({ resources: [place] });
    expect(new Set((await cluster.list('pods')).map((pod) => pod.metadata.namespace))).toEqual(
      new Set(['data']),
    );
    expect((await cluster.list('leases')).map((lease) => lease.metadata.name)).toEqual(['l']);
    expect(cluster.warnings()).toEqual([
      'Left out of --resources, as they are not needed here: node-a.config_dump.json, v1/Node.',
    ]);
  });

  test('with the same uid count once, the fullest wins whatever the order', async () => {
    const bare = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', uid: 'u' } };
    const full = { ...bare, spec: { nodeName: 'node-x' }, status: { phase: 'Running' } };
    const other = { ...bare, metadata: { name: 'p', namespace: 'n', uid: 'v' } };
    await writeFile(at('bare.json'), JSON.stringify(bare));
    await writeFile(
      at('full.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [full, other] }),
    );
    for (const names of [
      ['bare.json', 'full.json'],
      ['full.json', 'bare.json'],
    ]) {
      const pods = await (await open({ resources: names.map((name) => at(name)) })).list('pods');
      expect(pods.map((pod) => [pod.metadata.uid, pod.spec?.nodeName]).sort()).toEqual([
        ['u', 'node-x'],
        ['v', undefined],
      ]);
    }
  });

  test.each([
    ['none', 'does not exist'],
    ['empty.json', 'is empty'],
    ['loop', 'is a link that leads nowhere'],
    ['void', 'is a directory without files'],
    ['cut.json', "can't be used"],
    ['dump.json', "can't be used"],
  ])('that can’t be used are told, with their file: %s', async (name, message) => {
    await mkdir(at('void'), { recursive: true });
    await writeFile(
      at('cut.json'),
      (await readFile(path.join(KUBERNETES, 'shop-pods.json'))).subarray(0, 500),
    );
    await writeFile(at('dump.json'), DUMP);
    const error = await told(open({ resources: [at(name)] }));
    expect(error.message).toContain(at(name));
    expect(error.message).toContain(message);
    expect(isOneSentence(error)).toBe(true);
  });
});

describe('the pod of a dump file', () => {
  const pod = (
    name: string,
    change: { node?: string; phase?: string; deleted?: boolean; app?: string } = {},
  ) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'istio-system',
      uid: name,
      labels: { app: change.app ?? 'ztunnel' },
      ...(change.deleted && { deletionTimestamp: '2026-11-29T22:00:00Z' }),
    },
    spec: { nodeName: change.node ?? 'n1' },
    status: { phase: change.phase ?? 'Running' },
  });

  async function identified(
    pods: readonly object[],
    dumps = ['a.json'],
  ): Promise<{ cluster: Cluster; names: string[] }> {
    const file = at('pods-of-node.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: pods }));
    const cluster = await open({ dumps, resources: [file] });
    const names: string[] = [];
    for (const ztunnel of await find(cluster)) {
      const { namespace, name, node }: Ztunnel = await cluster.identify(ztunnel, 'n1');
      names.push(`${namespace}/${name} ${node}`);
    }
    return { cluster, names };
  }

  test.each([
    ['the Running one on its node', [pod('z1'), pod('z2', { node: 'n2' })], 'istio-system/z1 n1'],
    [
      'not one that waits or has ended',
      [pod('z1', { phase: 'Pending' }), pod('z2', { phase: 'Failed' })],
      'null/a.json n1',
    ],
    ['not one with other labels', [pod('web', { app: 'web' })], 'null/a.json n1'],
    ['the one that stays', [pod('z1', { deleted: true }), pod('z2')], 'istio-system/z2 n1'],
    ['a leaving one, if it is the only one', [pod('z1', { deleted: true })], 'istio-system/z1 n1'],
    ['none of two that stay', [pod('z1'), pod('z2')], 'null/a.json n1'],
  ])('is %s', async (_name, pods, expected) => {
    expect((await identified(pods)).names).toEqual([expected]);
  });

  test('is given to one dump of its node; another keeps its file’s name, and that is said', async () => {
    const { cluster, names } = await identified([pod('z1')], [at('a.json'), at('b.json')]);
    expect(names).toEqual(['istio-system/z1 n1', 'null/b.json n1']);
    expect(cluster.warnings()).toEqual([
      'a.json and b.json are both dumps of node n1; each counts as a ztunnel of its own.',
    ]);
  });

  test('is not looked for while the node is not known', async () => {
    const cluster = await open({ dumps: [at('a.json')] });
    const [ztunnel] = await find(cluster);
    expect(await cluster.identify(ztunnel!, undefined)).toBe(ztunnel);
  });
});
