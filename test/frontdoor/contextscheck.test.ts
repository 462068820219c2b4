import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ACROSS_CODES, type AcrossCode } from '../../src/model/findings/codes.ts';
import { expectGolden } from '../golden.ts';
import { type Authorities, authoritiesAt } from '../mesh/authorities.ts';
import { writeContexts } from '../mesh/contexts.ts';
import { entryBy, withEntries } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a'];
const folder = temporaryDirectory();

const shop = (more: Partial<MeshSpec> = {}) =>
  scenario({ at, nodes, workloads: [deployment('shop/web', { on: nodes })], ...more });

/** The shop, whose certificates are all of one issuer and list these roots. */
async function trusting(
  issuer: keyof Authorities,
  roots: readonly (keyof Authorities)[],
  more: Partial<MeshSpec> = {},
): Promise<Scenario> {
  const authorities = await authoritiesAt(at);
  return withEntries(await shop(more), 'node-a', (identity) =>
    entryBy(identity, at, { issuer: authorities[issuer], roots: roots.map((root) => authorities[root]) }),
  );
}

const open: Mesh[] = [];
/** Those served last, by name. */
const meshes = new Map<string, Mesh>();
afterAll(() => Promise.all(open.map((mesh) => mesh.close())));

/** Serves these by their names; gives the kubeconfig. */
async function serve(scenarios: Readonly<Record<string, Scenario>>): Promise<string> {
  const served = await Promise.all(
    Object.entries(scenarios).map(async ([name, state]) => {
      const mesh = await startMesh(state, { namespace: 'shop' });
      open.push(mesh);
      meshes.set(name, mesh);
      return [name, mesh] as const;
    }),
  );
  return writeContexts(folder, Object.fromEntries(served));
}

const ask = (line: string, KUBECONFIG: string, surroundings: object = {}) =>
  run(line, { clock: new Date(at), env: { KUBECONFIG, NO_COLOR: '1' }, ...surroundings });

interface Item {
  readonly cluster: string | null;
  readonly code: string;
  readonly severity: string;
  readonly objects: readonly { readonly cluster: string; readonly name: string; readonly detail: string }[];
}
async function documentOf(line: string, kubeconfig: string) {
  const outcome = await ask(`${line} -o json`, kubeconfig);
  const document = JSON.parse(outcome.stdout) as {
    readonly items: readonly Item[];
    readonly failures: readonly object[];
    readonly summary: { readonly notEvaluated: readonly object[]; readonly exitCode: number };
  };
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  expect(document.summary.exitCode).toBe(outcome.code);
  return { ...outcome, document };
}

interface Case {
  readonly has: () => Promise<Readonly<Record<string, Scenario>>>;
  readonly lacks: () => Promise<readonly Readonly<Record<string, Scenario>>[]>;
  /** Of each object: its cluster, its name, what is particular about it. */
  readonly tells: readonly (readonly [cluster: string, name: string, detail: RegExp])[];
}

const elsewhere = { trustDomain: 'west.example' };
const CASES: Readonly<Record<AcrossCode, Case>> = {
  'CLUSTER-ROOTS-DISJOINT': {
    has: async () => ({ east: await shop(), west: await trusting('nextIntermediate', ['nextRoot']) }),
    lacks: async () => [
      { east: await shop(), west: await trusting('nextIntermediate', ['root', 'nextRoot']) },
      // Of another trust domain, it has roots of its own.
      { east: await shop(), west: await shop(elsewhere) },
    ],
    tells: [
      ['east', 'east', /^in cluster\.local lists \w{12}; none of them: west \w{12}$/],
      ['west', 'west', /^in cluster\.local lists \w{12}; none of them: east \w{12}$/],
    ],
  },
  'CLUSTER-ROOTS-DIFFER': {
    has: async () => ({ east: await shop(), west: await trusting('intermediate', ['nextRoot', 'root']) }),
    lacks: async () => [
      { east: await shop(), west: await trusting('intermediate', ['root']) },
      { east: await shop(), west: await trusting('nextIntermediate', ['nextRoot']) },
    ],
    tells: [
      ['east', 'east', /^in cluster\.local lists \w{12}; not the same: west \w{12} \w{12}$/],
      ['west', 'west', /^in cluster\.local lists \w{12} \w{12}; not the same: east \w{12}$/],
    ],
  },
  'CLUSTER-DOMAINS-DIFFER': {
    has: async () => ({ east: await shop(), west: await shop(elsewhere) }),
    lacks: async () => [
      { east: await shop(), west: await shop() },
      {
        east: await shop(),
        west: await shop({ ...elsewhere, workloads: [deployment('shop/api', { on: nodes })] }),
      },
      {
        east: await shop(),
        west: await shop({ ...elsewhere, workloads: [deployment('data/web', { on: nodes })] }),
      },
    ],
    tells: [
      ['east', 'web', /^in trust domain cluster\.local$/],
      ['west', 'web', /^in trust domain west\.example$/],
    ],
  },
};

describe('between clusters', () => {
  test.each(ACROSS_CODES)('%s', async (code) => {
    const { has, lacks, tells } = CASES[code];
    const line = `check --contexts east,west --only ${code}`;
    const { document, code: exitCode } = await documentOf(line, await serve(await has()));
    expect(document.items.map((item) => [item.code, item.cluster])).toEqual([[code, null]]);
    expect(document.items[0]?.objects.map(({ cluster, name, detail }) => [cluster, name, detail])).toEqual(
      tells.map(([cluster, name, detail]) => [cluster, name, expect.stringMatching(detail)]),
    );
    expect(document.summary.notEvaluated).toEqual([]);
    expect(exitCode).toBe(document.items[0]?.severity === 'critical' ? 2 : 1);
    for (const near of await lacks()) {
      const kubeconfig = await serve(near);
      expect((await documentOf(line, kubeconfig)).document.items).toEqual([]);
    }
  });

  test('of three clusters, those that agree are not told of each other', async () => {
    const kubeconfig = await serve({
      a: await shop(),
      b: await shop(),
      c: await trusting('nextIntermediate', ['nextRoot']),
    });
    const { document } = await documentOf('check --contexts a,b,c --only CLUSTER-ROOTS-DISJOINT', kubeconfig);
    expect(
      document.items[0]?.objects.map(({ detail }) => detail.replaceAll(/\b[0-9a-f]{12}\b/g, 'ROOT')),
    ).toEqual([
      'in cluster.local lists ROOT; none of them: c ROOT',
      'in cluster.local lists ROOT; none of them: c ROOT',
      'in cluster.local lists ROOT; none of them: a ROOT, b ROOT',
    ]);
  });

  test('-n and --ignore leave them out as any other', async () => {
    const kubeconfig = await serve({ east: await shop(), west: await shop(elsewhere) });
    const line = 'check --contexts east,west --only CLUSTER-DOMAINS-DIFFER';
    expect((await documentOf(`${line} -n data`, kubeconfig)).document.items).toEqual([]);
    expect((await documentOf(`${line} -n shop`, kubeconfig)).document.items).toHaveLength(1);
    const ignoring = await ask('check --contexts east,west --ignore CLUSTER-DOMAINS-DIFFER', kubeconfig);
    expect(ignoring.stderr).toBe(
      'no findings in 2 certificates on 2 of 2 ztunnels in 2 of 2 clusters. Left out: CLUSTER-DOMAINS-DIFFER.\n',
    );
  });

  test('are not looked for in one cluster, nor without --contexts', async () => {
    const kubeconfig = await serve({ east: await shop() });
    const one = await documentOf('check --contexts east', kubeconfig);
    expect(one.document.summary.notEvaluated).toEqual(
      ACROSS_CODES.map((code) => ({ code, why: 'of one cluster alone' })),
    );
    expect(one.code).toBe(0);
    const without = await ask('check --context east -o prometheus', kubeconfig);
    expect(without.stdout).not.toMatch(/CLUSTER-|cluster=/);
    const only = await ask('check --context east --only CLUSTER-ROOTS-DIFFER', kubeconfig);
    expect([only.code, only.stderr]).toEqual([
      3,
      expect.stringMatching(/^error: --only CLUSTER-ROOTS-DIFFER needs --contexts/),
    ]);
  });
});

describe('of each cluster', () => {
  let kubeconfig: string;
  let west: Scenario;
  beforeAll(async () => {
    west = await shop({ ...elsewhere, certificates: { 'shop/web': 'EXPIRING' } });
    kubeconfig = await serve({ east: await shop({ certificates: { 'shop/web': 'EXPIRED' } }), west });
  });

  test('worst first, at 80 columns', async () => {
    const { code, stdout, stderr } = await ask('check --contexts east,west', kubeconfig, {
      terminal: { columns: 80, rows: 60 },
    });
    expectGolden('frontdoor', 'contexts-check', stdout);
    expect(stderr).toContain(
      '5 findings in 2 certificates on 2 of 2 ztunnels in 2 of 2 clusters: 1 critical, 4 warnings.',
    );
    expect(code).toBe(2);
  });

  test('-o wide names the cluster of each object, -o json of each finding', async () => {
    const { stdout } = await ask('check --contexts east,west -o wide', kubeconfig);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['CLUSTER', 'SEVERITY', 'CODE', 'KIND', 'OBJECT'],
      ['east', 'critical', 'EXPIRED', 'Certificate', 'shop/web'],
      ['west', 'warning', 'EXPIRING', 'Certificate', 'shop/web'],
      ['east', 'warning', 'CA-LAST-ISSUED', 'Node', 'node-a'],
      ['west', 'warning', 'CA-LAST-ISSUED', 'Node', 'node-a'],
      ['east', 'warning', 'CLUSTER-DOMAINS-DIFFER', 'Identity', 'shop/web'],
      ['west', 'warning', 'CLUSTER-DOMAINS-DIFFER', 'Identity', 'shop/web'],
      [''],
    ]);
    const { document } = await documentOf('check --contexts east,west', kubeconfig);
    expect(document.items.map(({ cluster, code }) => [cluster, code])).toEqual([
      ['east', 'EXPIRED'],
      ['west', 'EXPIRING'],
      ['east', 'CA-LAST-ISSUED'],
      ['west', 'CA-LAST-ISSUED'],
      [null, 'CLUSTER-DOMAINS-DIFFER'],
    ]);
  });

  test('-o prometheus has a label, -o junit a class, -o html a column', async () => {
    const { stdout } = await ask('check --contexts east,nowhere,west -o prometheus', kubeconfig);
    for (const line of [
      'ztunnel_findings{cluster="east",code="EXPIRED",severity="critical"} 1',
      'ztunnel_findings{cluster="west",code="EXPIRED",severity="critical"} 0',
      'ztunnel_findings{code="CLUSTER-DOMAINS-DIFFER",severity="warning"} 2',
      'ztunnel_finding_evaluated{cluster="west",code="EXPIRED"} 1',
      'ztunnel_finding_evaluated{code="CLUSTER-DOMAINS-DIFFER"} 0',
      'ztunnel_cluster_answered{cluster="nowhere"} 0',
      'ztunnel_cluster_answered{cluster="west"} 1',
      'ztunnel_ztunnels_asked{cluster="east"} 1',
      'ztunnel_check_exit_code 2',
    ]) {
      expect(stdout.split('\n')).toContain(line);
    }
    const junit = await ask('check --contexts east,nowhere,west -o junit', kubeconfig);
    for (const part of [
      '<testcase classname="east.critical" name="EXPIRED: the certificate has expired">',
      '<testcase classname="west.critical" name="EXPIRED: the certificate has expired"/>',
      '<testcase classname="warning" name="CLUSTER-DOMAINS-DIFFER: ',
      '<testcase classname="clusters" name="cluster nowhere">',
    ]) {
      expect(junit.stdout).toContain(part);
    }
    const page = await ask('check --contexts east,west -o html', kubeconfig);
    expect(page.stdout).toMatch(/CLUSTER<\/th>[\s\S]*west\/node-a/);
  });

  test('a cluster that can not be asked makes it incomplete, unless something is critical', async () => {
    const incomplete = await documentOf('check --contexts west,nowhere', kubeconfig);
    expect(incomplete.code).toBe(3);
    expect(incomplete.document.failures).toEqual([
      expect.objectContaining({ cluster: 'nowhere', ztunnel: null }),
    ]);
    expect(incomplete.stderr).toMatch(/^error: nowhere: the kubeconfig has no context "nowhere"/m);
    const partial = await ask('check --contexts west,nowhere --allow-partial', kubeconfig);
    expect(partial.code).toBe(3);
    const critical = await ask('check --contexts east,nowhere,west', kubeconfig);
    expect([critical.code, critical.stderr]).toEqual([
      2,
      expect.stringMatching(/Not evaluated: .*CLUSTER-DOMAINS-DIFFER \(without nowhere\)\./),
    ]);
    const nothing = await ask('check --contexts nowhere', kubeconfig);
    expect([nothing.code, nothing.stderr]).toEqual([
      3,
      expect.stringMatching(/^nothing could be checked: 0 of 1 cluster answered\.\nerror: nowhere: /),
    ]);
  });

  test('a ztunnel that fails is of its cluster', async () => {
    const key = ztunnelOn(west, 'node-a');
    const mesh = meshes.get('west')!;
    mesh.misbehave(key, { how: 'error-channel' });
    const failed = await documentOf('check --contexts east,west', kubeconfig);
    mesh.misbehave(key, undefined);
    expect(failed.document.failures).toEqual([
      expect.objectContaining({ cluster: 'west', ztunnel: expect.objectContaining({ node: 'node-a' }) }),
    ]);
  });

  test('TARGET is looked up in each', async () => {
    const both = await documentOf('check deployment/web --contexts east,west', kubeconfig);
    expect(both.document.items.map(({ cluster }) => cluster)).toEqual(['east', 'west', 'east', 'west', null]);
    const none = await ask('check deployment/nowhere --contexts east,west', kubeconfig);
    expect(none).toMatchObject({ code: 3, stdout: '' });
    expect(none.stderr).toMatch(/^error: there is no pod of deployment\/nowhere/);
  });
});
