// What docs/monitoring.md and docs/findings.md promise: that they are up to date, and that what they show works.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { renderFindingsPage } from '../../scripts/findingspage.ts';
import { ALL_CODES } from '../../src/model/findings/codes.ts';
import { startMesh } from '../mesh/mesh.ts';
import { scenario } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');
const monitoring = readFileSync(path.join(docs, 'monitoring.md'), 'utf8');
const at = '2026-11-29T22:03:42Z';

interface Manifest {
  readonly kind?: string;
  readonly rules?: readonly { readonly verbs: readonly string[]; readonly resources: readonly string[] }[];
  readonly groups?: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
const manifests = [...monitoring.matchAll(/```yaml\n(.*?)```/gs)].flatMap(
  ([, text = '']) => loadAll(text) as Manifest[],
);

const folder = temporaryDirectory();

async function ask(commandLine: string) {
  const nodes = ['node-a', 'node-b'];
  const workloads = [deployment('shop/web', { on: nodes })];
  const rules = manifests.find(({ kind }) => kind === 'ClusterRole')!.rules!;
  const mesh = await startMesh(await scenario({ at, nodes, workloads }), { rules });
  try {
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
    return await run(commandLine, { clock: new Date(at), env });
  } finally {
    await mesh.close();
  }
}

test('docs/findings.md is what `npm run findings` makes', () => {
  expect(readFileSync(path.join(docs, 'findings.md'), 'utf8')).toBe(renderFindingsPage());
});

test('every code has a heading of its own', () => {
  const headings = [...renderFindingsPage().matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(headings.toSorted()).toEqual([...ALL_CODES].toSorted());
});

test('the CronJob has what it needs', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'CronJob',
    undefined,
  ]);
});

test.each(['check', 'check --deep'])('its ClusterRole is enough for %s', async (line) => {
  const { code, stderr } = await ask(line);
  expect(stderr).toMatch(/^no findings in 2 certificates/);
  expect(code).toBe(0);
});

test('the three alert rules and the table name metrics that there are', async () => {
  const alerts = manifests.flatMap(({ groups = [] }) => groups.flatMap(({ rules }) => rules));
  expect(alerts).toHaveLength(3);
  const { stdout } = await ask('check --contexts mesh -o prometheus');
  const there = new Set([...stdout.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = [...monitoring.matchAll(/\bztunnel_[a-z_]+/g)].map(([name]) => name);
  expect([...new Set(named)].filter((name) => !there.has(name))).toEqual([]);
  expect([...there].filter((name) => !named.includes(name!))).toEqual([]);
});
