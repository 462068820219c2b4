// What `diff --contexts` finds between directories that hold a snapshot or dump for each context, or since one.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { writeContexts } from '../mesh/contexts.ts';
import { entryBy, withEntries } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a'];
const EKS = 'arn:aws:eks:eu-west-1:1:cluster/shop';
const folder = temporaryDirectory();

let eastern: Scenario;
let KUBECONFIG: string;
const open: Mesh[] = [];
afterAll(() => Promise.all(open.map((mesh) => mesh.close())));

const serve = async (state: Scenario) => {
  const mesh = await startMesh(state, { namespace: 'shop' });
  open.push(mesh);
  return mesh;
};
const inFolder = (...names: readonly string[]) => path.join(folder, ...names);
/** DIR stands for the folder in what is asked and in what is said. */
const ask = async (line: string, surroundings: object = {}) => {
  const env = { KUBECONFIG, NO_COLOR: '1' };
  const { code, stdout, stderr } = await run(line.replaceAll('DIR', folder), {
    clock: new Date(at),
    env,
    ...surroundings,
  });
  return { code, stdout, stderr: stderr.replaceAll(folder, 'DIR') };
};
const rowsOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(/ {2,}/));

beforeAll(async () => {
  eastern = await scenario({
    at,
    nodes,
    workloads: [deployment('shop/web', { on: nodes }), deployment('shop/api', { on: nodes })],
    certificates: { 'shop/web': { validFrom: -3600, validTo: 82_800 } },
  });
  const western = await scenario({ at, nodes, workloads: [deployment('shop/web', { on: nodes })] });
  const renewed = await withEntries(eastern, 'node-a', async (identity, entry) =>
    identity.endsWith('/web') ? entryBy(identity, at, { from: -1800, to: 84_600 }) : entry,
  );
  const west = await serve(western);
  KUBECONFIG = writeContexts(folder, { east: await serve(eastern), west, [EKS]: west });
  for (const day of ['monday', 'tuesday', 'twice', 'dumps', 'broken']) mkdirSync(inFolder(day));
  await ask('snapshot DIR/monday/east.tar.gz --context east');
  await ask('snapshot DIR/monday/west --context west');
  await ask(`snapshot DIR/monday/arn_aws_eks_eu-west-1_1_cluster_shop.tar.gz --context ${EKS}`);
  await ask('snapshot DIR/twice/east.tar.gz --context east');
  writeFileSync(inFolder('twice', 'east.json'), '{}');
  writeFileSync(inFolder('broken', 'east.json'), '{');
  writeFileSync(inFolder('dumps', 'east.json'), String(eastern.ztunnels[ztunnelOn(eastern, 'node-a')]));
  // What the mesh has become since.
  KUBECONFIG = writeContexts(folder, { east: await serve(renewed), west, [EKS]: west });
  await ask('snapshot DIR/tuesday/east --context east');
  await ask('snapshot DIR/tuesday/west.tar.gz --context west');
});

describe('each cluster by itself', () => {
  test('since a snapshot of its own, and to another', async () => {
    for (const [line, where] of [
      ['diff DIR/monday --contexts west,east', 'to the live meshes'],
      ['diff DIR/monday DIR/tuesday --contexts west,east', `to DIR/tuesday`],
    ] as const) {
      const { code, stdout, stderr } = await ask(line);
      expect(rowsOf(stdout)).toEqual([
        ['CLUSTER', 'CHANGE', 'KIND', 'NAME', 'NODE', 'DETAIL'],
        ['east', 'renewed', 'Certificate', 'shop/web', 'node-a', expect.stringMatching(/^serial /)],
      ]);
      expect(stderr).toBe(`1 change from DIR/monday ${where} in 2 of 2 clusters: certificates: 1 renewed.\n`);
      expect(code).toBe(1);
    }
  });

  test('none has changed: exit code 0', async () => {
    const { code, stdout, stderr } = await ask('diff DIR/monday DIR/monday --contexts east,west');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^nothing has changed from \S+ to \S+ in 2 of 2 clusters\.\n$/);
    const now = await ask(`diff DIR/monday --contexts west,${EKS}`);
    expect([now.code, now.stderr]).toEqual([0, expect.stringMatching(/^nothing has changed from /)]);
  });

  test('-o json follows the schema, and is the same in YAML', async () => {
    const json = await ask('diff DIR/monday DIR/tuesday --contexts east,west,nowhere -o json');
    const document = JSON.parse(json.stdout) as {
      readonly items: readonly { readonly cluster: string }[];
      readonly clusters: readonly {
        readonly name: string;
        readonly before: { readonly name: string } | null;
      }[];
      readonly failures: readonly object[];
    };
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    expect(document.items.map(({ cluster }) => cluster)).toEqual(['east']);
    expect(document.clusters.map(({ name, before }) => [name, before?.name])).toEqual([
      ['east', inFolder('monday', 'east.tar.gz')],
      ['west', inFolder('monday', 'west')],
      ['nowhere', undefined],
    ]);
    expect(document.failures).toEqual([expect.objectContaining({ cluster: 'nowhere', ztunnel: null })]);
    expect(json.code).toBe(2);
    const yaml = await ask('diff DIR/monday DIR/tuesday --contexts east,west,nowhere -o yaml');
    expect(load(yaml.stdout)).toEqual(document);
  });

  test('--sort-by cluster, and -n', async () => {
    const sorted = await ask('diff DIR/monday DIR/tuesday --contexts east,west --sort-by cluster,name');
    expect(rowsOf(sorted.stdout)[1]?.[0]).toBe('east');
    const elsewhere = await ask('diff DIR/monday DIR/tuesday --contexts east,west -n data');
    expect(elsewhere).toMatchObject({ code: 0, stdout: '' });
    const single = await ask('diff DIR/monday/east.tar.gz DIR/tuesday/east --sort-by cluster');
    expect(single.stderr).toMatch(/knows no column "cluster"/);
  });

  test('a dump, which speaks for its node', async () => {
    const { code, stdout } = await ask('diff DIR/dumps --contexts east');
    expect(rowsOf(stdout)[1]?.slice(0, 4)).toEqual(['east', 'renewed', 'Certificate', 'shop/web']);
    expect(code).toBe(1);
  });
});

describe('what can not be compared', () => {
  test.each([
    [
      'nothing of that name',
      'DIR/tuesday',
      EKS,
      /holds no snapshot or dump of it\. .* arn_aws_eks_eu-west-1_1_cluster_shop\.tar\.gz/,
    ],
    ['two of that name', 'DIR/twice', 'east', /east\.tar\.gz and \S+east\.json are both of it\./],
    ['no context of that name', 'DIR/monday', 'gone', /gone: .*holds no snapshot or dump of it/],
  ])('%s: a failure of that cluster', async (_, directory, name, message) => {
    const { code, stdout, stderr } = await ask(`diff ${directory} --contexts ${name}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^nothing could be compared from \S+ to the live meshes in 0 of 1 cluster\.\nerror: /,
    );
    expect(stderr).toMatch(message);
  });

  test('a cluster that does not answer now', async () => {
    const gone = await startMesh(eastern);
    await gone.close();
    const kubeconfig = writeContexts(inFolder('broken'), { east: gone, west: open[0]! });
    const { code, stderr, stdout } = await ask('diff DIR/monday --contexts east,west', {
      env: { KUBECONFIG: kubeconfig, NO_COLOR: '1' },
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^nothing has changed of what could be compared .* in 1 of 2 clusters\.\nerror: east: the API server /,
    );
  });

  test('a file that is no dump is named with its cluster', async () => {
    const { code, stderr } = await ask('diff DIR/broken --contexts east');
    expect(stderr).toMatch(/^error: east: east\.json: .* \(in \S+broken\/east\.json\)/m);
    expect(code).toBe(2);
  });

  test.each([
    ['diff DIR/nowhere --contexts east', /^error: the directory \S+nowhere does not exist/],
    [
      'diff DIR/monday/east.tar.gz --contexts east',
      /^error: \S+east\.tar\.gz is not a directory\. With --contexts, /,
    ],
    ['diff DIR/monday DIR/nowhere --contexts east', /^error: the directory \S+nowhere does not exist/],
    ['diff - --contexts east', /^error: --contexts and standard input exclude each other/],
    ['diff DIR/monday --contexts ..', /^error: the context "\.\." can't be the name of a file/],
    ['diff DIR/monday --contexts a/b,a:b', /^error: "a\/b" and "a:b" would have the same file a_b\.tar\.gz/],
    ['diff DIR/monday --contexts east,east', /^error: --contexts names "east" twice/],
    ['diff DIR/monday --contexts east --context west', /^error: --contexts and --context exclude each other/],
  ])('%s: exit code 2', async (line, message) => {
    const { code, stdout, stderr } = await ask(line);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });

  test('a name that would leave the directory is read within it', async () => {
    const { code, stderr } = await ask('diff DIR/tuesday --contexts ../monday/east');
    expect(stderr).toMatch(
      /error: \.\.\/monday\/east: \S+tuesday holds no snapshot or dump of it\. .* \.\._monday_east\.tar\.gz/,
    );
    expect(code).toBe(2);
  });
});
