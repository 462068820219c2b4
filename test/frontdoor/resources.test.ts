// What --resources makes of objects that were saved more than once, or without their kind.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const saved = (name: string) => path.join(testdata, 'kubernetes', name);
const nodeB = path.join(testdata, 'dumps', 'node-b.config_dump.json');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kubectl-ztunnel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, objects: readonly object[]): string {
  const where = path.join(folder, name);
  writeFileSync(where, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return where;
}

/** The owner of shop/web on node-b, and what was warned of. */
async function ownerOfWeb(resources: readonly string[]) {
  const args = ['certs', '-f', nodeB, '--now', '2026-11-29T22:03:42Z', '-o', 'json'];
  const { code, stdout, stderr } = await run([
    ...args,
    ...resources.flatMap((each) => ['--resources', each]),
  ]);
  const { items } = JSON.parse(stdout);
  const web = items.find(({ serviceAccount }: { serviceAccount: string }) => serviceAccount === 'web');
  const owners = web.owners.map(({ kind, name }: Record<string, string>) => `${kind}/${name}`);
  return { code, owners, warnings: stderr.split('\n').filter((line) => line.startsWith('warning: ')) };
}

const DEPLOYMENT = { code: 0, owners: ['Deployment/web'], warnings: [] };
const REPLICA_SET = ['ReplicaSet/web-6f7d9c5b8'];

describe('metadata without a kind', () => {
  test.each([
    ['in front of the objects', ['shop-replicasets.partial.json', 'all-pods.json', 'all-replicasets.json']],
    ['behind them', ['all-pods.json', 'all-replicasets.json', 'shop-replicasets.partial.json']],
    ['as protobuf', ['all-replicasets.pb', 'all-pods.pb', 'shop-replicasets.partial.pb']],
    ['alone, named as owner by the pods', ['shop-replicasets.partial.json', 'all-pods.json']],
    ['alone as protobuf', ['all-pods.pb', 'shop-replicasets.partial.pb']],
  ])('%s', async (_, names) => {
    expect(await ownerOfWeb(names.map(saved))).toEqual(DEPLOYMENT);
  });

  test('in a directory of all that was saved, in every encoding', async () => {
    const { owners, warnings } = await ownerOfWeb([path.join(testdata, 'kubernetes')]);
    expect(owners).toEqual(['Deployment/web']);
    expect(warnings).toEqual(['warning: Left out of --resources, as they are not needed here: v1/Node.']);
  });

  test('whose kind nothing tells is left out with one warning', async () => {
    const orphans = ['x', 'y'].map((name) => ({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: { name, namespace: 'shop', uid: name },
    }));
    expect(await ownerOfWeb([saved('all-pods.json'), file('orphans.json', orphans)])).toEqual({
      code: 0,
      owners: REPLICA_SET,
      warnings: [
        'warning: Left out of --resources, as they are not needed here: PartialObjectMetadata that no object names as its owner.',
      ],
    });
  });

  test('of a StatefulSet alone is left out, since replicas are not made up; beside the StatefulSet it is no news', async () => {
    const { items } = JSON.parse(readFileSync(saved('all-statefulsets.json'), 'utf8'));
    const partial = items.map(({ metadata }: { metadata: object }) => ({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata,
    }));
    const given = [nodeB, '--resources', saved('all-pods.json'), '--resources', file('sets.json', partial)];
    const args = ['certs', '--now', '2026-11-29T22:03:42Z', '-f', ...given];
    const alone = await run(args);
    expect(alone.stdout).toMatch(/shop\/cart .* StatefulSet\/cart$/m);
    expect(alone.stderr).toContain('not needed here: PartialObjectMetadata of apps/v1/StatefulSet.');
    const beside = await run([...args, '--resources', saved('all-statefulsets.json')]);
    expect(beside.stdout).toMatch(/shop\/cart .* StatefulSet\/cart 3\/3$/m);
    expect(beside.stderr).not.toContain('warning');
  });
});

test('numbers of YAML are what kubectl takes them for', async () => {
  const where = path.join(folder, 'sets.yaml');
  const sets = readFileSync(saved('all-statefulsets.json'), 'utf8');
  writeFileSync(where, `---\n${sets.replaceAll(/("(?:readyR|r)eplicas"):\s*\d+/g, '$1: 010')}`);
  const dump = path.join(testdata, 'dumps', 'node-a.config_dump.json');
  const resources = [where, saved('all-pods.json')].flatMap((each) => ['--resources', each]);
  const { stdout } = await run(['certs', '-f', dump, '--now', '2026-11-29T22:03:42Z', ...resources]);
  expect(stdout).toMatch(/StatefulSet\/\w+ 8\/8/);
});
