// What `diff` finds between two states of a mesh, each kind of change by itself, and how it exits.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { expectGolden } from '../golden.ts';
import { authoritiesAt } from '../mesh/authorities.ts';
import { dumpText } from '../mesh/configdump.ts';
import { type EditableDump, entryBy, withDump, withEntries } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b'];
const folder = temporaryDirectory();
const root = path.resolve(import.meta.dirname, '../..');
const id = (name: string) => `spiffe://cluster.local/ns/shop/sa/${name}`;

const shop = (more: Partial<MeshSpec> = {}) =>
  scenario({
    at,
    nodes,
    workloads: [deployment('shop/web', { on: nodes }), deployment('shop/api', { on: ['node-a'] })],
    certificates: { 'shop/web': { validFrom: -3600, validTo: 82_800 } },
    services: [{ name: 'shop/web', vip: '10.96.0.10' }],
    ...more,
  });

let base: Scenario;
let before: string;
const open: Mesh[] = [];
beforeAll(async () => {
  base = await shop();
  before = await save('before', base);
});
afterAll(() => Promise.all(open.map((mesh) => mesh.close())));

/** Serves a mesh; gives its kubeconfig. */
async function serve(state: Scenario, spoil?: (mesh: Mesh) => void): Promise<string> {
  const mesh = await startMesh(state, { namespace: 'shop' });
  open.push(mesh);
  spoil?.(mesh);
  const file = path.join(folder, `kubeconfig-${open.length}`);
  writeFileSync(file, mesh.kubeconfig);
  return file;
}

async function save(name: string, state: Scenario, spoil?: (mesh: Mesh) => void): Promise<string> {
  const file = path.join(folder, `${name}.tar.gz`);
  await run(['snapshot', file, '--kubeconfig', await serve(state, spoil)], { clock });
  return file;
}

/** The first columns of each row: change, kind, name, node, detail. */
async function changes(argv: readonly string[]) {
  const outcome = await run(['diff', ...argv], { clock });
  const rows = outcome.stdout.split('\n').slice(1).filter(Boolean);
  return { ...outcome, rows: rows.map((row) => row.split(/ {2,}/)) };
}

let saved = 0;
async function since(change: (state: Scenario) => Promise<Scenario> | Scenario) {
  saved += 1;
  return changes([before, await save(`after-${saved}`, await change(base))]);
}

const withoutEntry = (name: string) => (state: Scenario) =>
  withDump(state, 'node-a', (dump) => ({
    ...dump,
    certificates: dump.certificates.filter(({ identity }) => identity !== id(name)),
  }));
const withEntry =
  (name: string, from: number, options: object = {}) =>
  (state: Scenario) =>
    withEntries(state, 'node-a', async (identity, entry) =>
      identity === id(name) ? entryBy(identity, at, { from, to: from + 86_400, ...options }) : entry,
    );
const withWorkloads =
  (change: (workloads: EditableDump['workloads']) => EditableDump['workloads']) => (state: Scenario) =>
    nodes.reduce(
      (mesh, node) => withDump(mesh, node, (dump) => ({ ...dump, workloads: change(dump.workloads) })),
      state,
    );

describe('two equal states', () => {
  test('have no differences: exit code 0', async () => {
    const outcome = await changes([before, before]);
    expect(outcome).toMatchObject({ code: 0, stdout: '' });
    expect(outcome.stderr).toBe(`nothing has changed from ${before} (${at}) to ${before} (${at}).\n`);
  });

  test('nor has the live mesh that a snapshot was taken of', async () => {
    const outcome = await changes([before, '--kubeconfig', await serve(base)]);
    expect(outcome).toMatchObject({ code: 0, stdout: '' });
    expect(outcome.stderr).toContain('to the live mesh');
  });

  test('nor has a saved dump, compared with itself', async () => {
    const file = path.join(root, 'test/testdata/dumps/node-a.config_dump.json');
    expect(await changes([file, file])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('a certificate', () => {
  test('added, and removed', async () => {
    const other = await save('less', withoutEntry('api')(base));
    const went = await changes([before, other]);
    // Its pod is still there.
    expect(went.rows[0]?.slice(0, 4)).toEqual(['status', 'Certificate', 'shop/api', 'node-a']);
    expect(went.rows[0]?.[4]).toMatch(/^OK → MISSING, root \w{12} → -, serial \w+ → -, until \S+ → -$/);
    const state = await shop({ certificates: { 'shop/extra@node-b': 'OK' } });
    const more = await save('more', state);
    const [came, gone] = [await changes([before, more]), await changes([more, before])];
    const row = (rows: readonly string[][]) => rows.find(([, , name]) => name === 'shop/extra');
    expect(row(came.rows)).toEqual([
      'added',
      'Certificate',
      'shop/extra',
      'node-b',
      expect.stringMatching(/^OK, root /),
    ]);
    expect(row(gone.rows)?.slice(0, 4)).toEqual(['removed', 'Certificate', 'shop/extra', 'node-b']);
  });

  test('was renewed: serial and expiry, old and new', async () => {
    const { rows, code, stderr } = await since(withEntry('web', -1800));
    expect(rows).toEqual([
      [
        'renewed',
        'Certificate',
        'shop/web',
        'node-a',
        expect.stringMatching(/^serial \w+ → \w+, until 2026-11-30T21:03:42Z → 2026-11-30T21:33:42Z$/),
      ],
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^1 change from .* to .*: certificates: 1 renewed\.\n$/);
  });

  test('has another status, though it is the same certificate', async () => {
    const later = await changes([before, before, '--now', '2026-11-30T12:00:00Z']);
    expect(later).toMatchObject({ code: 0, rows: [] });
    const state = { ...base, clock: { at: '2026-11-30T12:00:00Z' } };
    const { rows, code } = await changes([before, await save('later', state)]);
    expect(rows).toContainEqual(['status', 'Certificate', 'shop/web', 'node-a', 'OK → RENEWAL-OVERDUE']);
    expect(code).toBe(1);
  });

  test('leads to another root', async () => {
    const { root: older, nextRoot, nextIntermediate } = await authoritiesAt(at);
    const { rows } = await since(
      withEntry('web', -1800, { issuer: nextIntermediate, roots: [older, nextRoot] }),
    );
    expect(rows).toEqual([
      [
        'root+renewed',
        'Certificate',
        'shop/web',
        'node-a',
        expect.stringMatching(/^root \w{12} → \w{12}, serial /),
      ],
      // The others trust the older root alone.
      [
        'fails',
        'Trust',
        '2 identities (shop/api on node-a, …) ↔ shop/web on node-a',
        '-',
        expect.stringMatching(/^the client refuses: intermediate 1 .* which is not listed$/),
      ],
    ]);
  });

  test('is compared by node, whatever the ztunnel is called', async () => {
    const key = ztunnelOn(base, 'node-a');
    const [namespace, name] = key.split('/');
    const renamed: Scenario = {
      ...base,
      pods: base.pods.map((pod) =>
        pod.metadata.name === name ? { ...pod, metadata: { ...pod.metadata, name: 'ztunnel-new' } } : pod,
      ),
      ztunnels: { ...base.ztunnels, [`${namespace}/ztunnel-new`]: base.ztunnels[key]! },
    };
    expect(await changes([before, await save('renamed', renamed)])).toMatchObject({ code: 0, rows: [] });
  });
});

describe('what ztunnels know', () => {
  const status = (to: string) =>
    withWorkloads((workloads) => workloads.map((each, at) => (at === 0 ? { ...each, status: to } : each)));

  test('workloads added, removed and changed', async () => {
    const gone = withWorkloads((workloads) => workloads.slice(1));
    const went = await since(gone);
    expect(went.rows.map((row) => row.slice(0, 3))).toContainEqual([
      'removed',
      'Workload',
      expect.any(String),
    ]);
    const came = await changes([await save('gone', gone(base)), before]);
    expect(came.rows.map((row) => row.slice(0, 2))).toContainEqual(['added', 'Workload']);
    const changed = await since(status('Unhealthy'));
    expect(changed.rows.map((row) => [row[0], row[1], row[4]])).toEqual([
      ['changed', 'Workload', 'status Healthy → Unhealthy'],
    ]);
  });

  test('services and policies likewise', async () => {
    const policy = (rules: readonly object[]) => ({
      name: 'allow',
      namespace: 'shop',
      action: 'Allow',
      scope: 'Namespace',
      rules,
    });
    const withMesh = (services: readonly object[], policies: readonly object[]) => (state: Scenario) =>
      nodes.reduce(
        (mesh, node) => withDump(mesh, node, (dump) => ({ ...dump, services, policies }) as never),
        state,
      );
    const service = (port: number) => ({
      name: 'cart',
      namespace: 'shop',
      hostname: 'cart.shop.svc.cluster.local',
      vips: ['/10.96.0.11'],
      ports: { [port]: port },
      endpoints: {},
    });
    const one = await save('one', withMesh([service(80)], [policy([])])(base));
    const two = await save('two', withMesh([service(81)], [policy([{ a: 1 }])])(base));
    expect((await changes([before, one])).rows.map((row) => row.slice(0, 3))).toEqual([
      ['added', 'Service', 'shop/cart'],
      ['removed', 'Service', 'shop/web'],
      ['added', 'Policy', 'shop/allow'],
    ]);
    expect((await changes([one, two])).rows.map((row) => [...row.slice(0, 3), row[4]])).toEqual([
      ['changed', 'Service', 'shop/cart', 'ports'],
      ['changed', 'Policy', 'shop/allow', 'rules 0 → 1'],
    ]);
  });

  test('-n leaves those of other namespaces out', async () => {
    const after = await save('named', status('Unhealthy')(base));
    expect((await changes([before, after, '-n', 'istio-system'])).rows).toHaveLength(1);
    expect(await changes([before, after, '-n', 'shop'])).toMatchObject({ code: 0, rows: [] });
  });
});

describe('what can not be compared', () => {
  test('a ztunnel that does not answer: the rest is, and the exit code is 2', async () => {
    const state = withoutEntry('api')(await withEntry('web', -1800)(base));
    const after = await save('broken', state, (mesh) =>
      mesh.misbehave(ztunnelOn(base, 'node-a'), { how: 'error-channel' }),
    );
    const { rows, stderr, code } = await changes([before, after]);
    expect(rows).toEqual([]);
    expect(stderr).toMatch(/^nothing has changed of what could be compared from /);
    expect(stderr).toMatch(/^error: ztunnel .* \(in .*broken\.tar\.gz\)/m);
    expect(code).toBe(2);
  });

  test('nothing, when one of them could not be read', async () => {
    const none = path.join(folder, 'none.json');
    const broken = path.join(folder, 'cut.json');
    writeFileSync(broken, '{');
    for (const argv of [
      [before, none],
      [none, before],
      [broken, before],
    ]) {
      const { stdout, stderr, code } = await changes(argv);
      expect([stdout, code]).toEqual(['', 2]);
      expect(stderr).toMatch(/^nothing could be compared from [\s\S]*^error: (none|cut)\.json: /m);
    }
    const { stdout } = await run(['diff', none, before, '-o', 'json'], { clock });
    const document = JSON.parse(stdout) as { items: object[] };
    expect(validate(document) ? document.items : validate.errors).toEqual([]);
  });

  test('a file that is not there is named once, and nothing else is said of it', async () => {
    const { stderr } = await changes([before, 'nowhere.json']);
    expect(stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^error: nowhere\.json: the file does not exist\. Check the path/),
      '',
    ]);
  });

  test('a directory that is no snapshot: says what to name instead', async () => {
    const { stderr, code } = await changes([folder, before]);
    expect(stderr).toMatch(
      /^error: .*it is a directory, and no snapshot.* Name each dump or snapshot in it; /m,
    );
    expect(code).toBe(2);
  });

  test('nothing, when no ztunnel answered', async () => {
    const silent = await save('silent', base, (mesh) => {
      for (const node of nodes) mesh.misbehave(ztunnelOn(base, node), { how: 'error-channel' });
    });
    for (const argv of [
      [before, silent],
      [silent, silent],
    ]) {
      const { stdout, stderr, code } = await changes(argv);
      expect([stdout, code]).toEqual(['', 2]);
      expect(stderr).toMatch(/^nothing could be compared from /);
      expect(stderr).not.toContain('nothing has changed');
    }
  });

  test('standard input with itself', async () => {
    const { stdout, stderr, code } = await run('diff - -', { stdin: '{' });
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toMatch(/^error: standard input can be read only once/);
  });

  test.each([
    ['--kubeconfig', ['--kubeconfig', 'x']],
    ['--as-group', ['--as-group', 'g']],
    ['--insecure-skip-tls-verify', ['--insecure-skip-tls-verify']],
  ])('two files with %s, which only a live mesh has a use for', async (flag, words) => {
    const { stdout, stderr, code } = await run(['diff', before, before, ...words], { clock });
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toContain(`error: ${before} and ${flag} exclude each other: `);
  });

  test.each([
    ['nothing to compare', ['diff']],
    ['three of them', ['diff', 'a', 'b', 'c']],
    ['a file that is not there', ['diff', 'nowhere.json', 'nowhere.json']],
    ['no API server', ['diff', 'DUMP', '--server', 'http://127.0.0.1:1']],
    ['-f', ['diff', 'a', '-f', 'b']],
  ])('%s: exit code 2', async (_, argv) => {
    const dump = path.join(root, 'test/testdata/dumps/node-a.config_dump.json');
    const { code, stderr } = await run(argv.map((word) => (word === 'DUMP' ? dump : word)));
    expect(stderr).toMatch(/^error: /m);
    expect(code).toBe(2);
  });
});

describe('a dump of one node and a snapshot of two', () => {
  const saveDump = (name: string, state: Scenario) => {
    const file = path.join(folder, name);
    writeFileSync(file, state.ztunnels[ztunnelOn(state, 'node-a')] as string);
    return file;
  };
  test('are compared on that node only, and the others are named once', async () => {
    const same = saveDump('same.json', base);
    for (const argv of [
      [before, same],
      [same, before],
    ]) {
      const { rows, stderr, code } = await changes([...argv, '--now', at]);
      expect([rows, code]).toEqual([[], 0]);
      expect(stderr).toMatch(/^nothing has changed of what could be compared from /);
      expect(stderr.split('\n').filter((line) => line.includes('not compared'))).toEqual([
        `warning: certificates are not compared of node node-b (only in ${before}).`,
      ]);
    }
  });

  test('are compared in nothing but what all ztunnels know, if they are of other nodes', async () => {
    const [a, b] = ['a', 'b'].map((node) =>
      path.join(root, `test/testdata/dumps/node-${node}.config_dump.json`),
    );
    const { rows, stderr, code } = await changes([a!, b!]);
    expect([rows, code]).toEqual([[], 0]);
    const [one, other] = [`node node-a (only in ${a})`, `node node-b (only in ${b})`];
    expect(stderr).toContain(`\nwarning: certificates are not compared of ${one} and ${other}.\n`);
  });

  test('what has changed there is shown: exit code 1', async () => {
    const renewed = saveDump('renewed.json', await withEntry('web', -1800)(base));
    const { rows, code } = await changes([before, renewed, '--now', at]);
    expect(rows.map((row) => row.slice(0, 4))).toEqual([['renewed', 'Certificate', 'shop/web', 'node-a']]);
    expect(code).toBe(1);
  });

  test('a node that a later snapshot has no more is a change', async () => {
    const fewer = await save('fewer', await shop({ nodes: ['node-a'] }));
    const { rows, stderr } = await changes([before, fewer]);
    expect(rows.map((row) => row.slice(0, 4))).toContainEqual([
      'removed',
      'Certificate',
      'shop/web',
      'node-b',
    ]);
    expect(stderr).not.toContain('not compared');
  });
});

describe('formats', () => {
  let after: string;
  beforeAll(async () => {
    const changed = await withEntry('web', -1800)(withoutEntry('api')(base));
    after = await save('formats', changed);
  });

  test('-o json follows the schema, and is the same in YAML', async () => {
    const json = await run(['diff', before, after, '-o', 'json'], { clock });
    const document = JSON.parse(json.stdout) as {
      items: { changes: string[]; before: object; after: object }[];
    };
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    const yaml = await run(['diff', before, after, '-o', 'yaml'], { clock });
    expect(load(yaml.stdout)).toEqual(document);
    expect(document.items.map(({ changes }) => changes)).toEqual([['status'], ['renewed']]);
    expect(document.items[1]?.before).toMatchObject({ status: 'OK', notAfter: '2026-11-30T21:03:42Z' });
    expect(document.items[1]?.after).toMatchObject({ status: 'OK', notAfter: '2026-11-30T21:33:42Z' });
    expect(json.code).toBe(1);
  });

  test('a table on a screen', async () => {
    const outcome = await run(['diff', before, after], {
      clock,
      terminal: { columns: 100, rows: 40 },
      env: { NO_COLOR: '1' },
    });
    const hidden = outcome.stdout
      .replaceAll(/\b[0-9a-f]{12}\b/g, 'ROOT')
      .replaceAll(/\b[0-9A-F]{16,40}\b/g, 'SERIAL');
    expectGolden('frontdoor', 'diff', hidden.replaceAll(/ +\n/g, '\n'));
  });
});

test('a hostile dump reaches no terminal', async () => {
  const file = path.join(folder, 'hostile.json');
  const empty = path.join(folder, 'empty.json');
  const workload = { uid: 'x//Pod/a/\u001b[2J', name: '\u001b[2J', namespace: '__proto__', status: '\u202e' };
  writeFileSync(
    file,
    dumpText({ certificates: [], config: {}, services: [], policies: [], workloads: [workload] }),
  );
  writeFileSync(empty, dumpText({ certificates: [], config: {}, services: [], policies: [], workloads: [] }));
  const { stdout, stderr, code } = await run(['diff', empty, file, '-o', 'wide'], { clock });
  expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u202e]/);
  expect(stdout).toContain('\\x1b[2J');
  expect(code).toBe(1);
});
