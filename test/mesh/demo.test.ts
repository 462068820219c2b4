// The demonstration is complete: every STATUS, every kind of owner, and the same mesh at any time.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { STATUSES } from '../../src/model/items.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';
import { demo, NODES } from './demo.ts';
import { type Mesh, startMesh } from './mesh.ts';
import { ztunnelOn } from './scenario.ts';

const AT = '2026-11-29T22:03:42Z';

describe('the demonstration', () => {
  const directory = temporaryDirectory();
  let mesh: Mesh;
  beforeAll(async () => {
    mesh = await startMesh({ ...(await demo(AT)), clock: { at: AT } });
  });
  afterAll(async () => {
    await mesh.close();
  });
  const show = async (line: string) => {
    const env = { KUBECONFIG: mesh.writeKubeconfig(directory) };
    const { code, stdout, stderr } = await run(`${line} -o json`, { env, clock: new Date(AT) });
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  test('has every STATUS', async () => {
    const { items, failures } = await show('certs');
    const statuses = new Set(items.map(({ status }: { status: string }) => status));
    expect([...statuses].sort()).toEqual([...STATUSES].sort());
    expect(failures).toEqual([]);
  });

  test('has every kind of owner, an orphan, and workloads that need no certificate', async () => {
    type Item = { owners: { kind: string }[]; certificate: string };
    const kinds = (items: Item[]) => new Set(items.flatMap(({ owners }) => owners.map(({ kind }) => kind)));
    const certs = (await show('certs')).items as Item[];
    expect([...kinds(certs)].sort()).toEqual([
      'CronJob',
      'DaemonSet',
      'Deployment',
      'Pod',
      'Rollout',
      'StatefulSet',
    ]);
    expect(certs.filter(({ owners }) => owners.length === 0)).toHaveLength(2);
    const workloads = await show('workloads');
    expect(workloads.items.map(({ kind }: { kind: string }) => kind)).toContain('WorkloadEntry');
    expect(workloads.items.map(({ certificate }: Item) => certificate)).toContain('none');
  });

  test('lists its keys in order, as ztunnel does', async () => {
    const shop = await demo(AT);
    const text = String(shop.ztunnels[ztunnelOn(shop, NODES[0])]);
    const check = (value: unknown): void => {
      if (value === null || typeof value !== 'object') return;
      if (!Array.isArray(value)) expect(Object.keys(value)).toEqual(Object.keys(value).sort());
      Object.values(value).forEach(check);
    };
    check(JSON.parse(text));
    expect(text.startsWith('{\n  "certificates": [\n    {\n      "certChain"')).toBe(true);
  });
});
