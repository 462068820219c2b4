import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ACROSS_CODES, type AcrossCode } from '../../src/model/findings/codes.ts';
import { expectGolden } from '../golden.ts';
import { type Authorities, authoritiesAt } from '../mesh/authorities.ts';
import { writeContexts } from '../mesh/contexts.ts';
import { entryBy, withDump, withEntries } from '../mesh/edit.ts';
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
  readonly tells: readonly (readonly [cluster: string, name: RegExp, detail: RegExp])[];
}

const elsewhere = { trustDomain: 'west.example' };

/** A cluster of this id whose ztunnel is told of a workload of another one, if one is named. */
function ofMesh(mesh: Scenario, clusterId: string, other?: string): Scenario {
  return withDump(mesh, 'node-a', (dump) => {
    const own = dump.workloads.map((each) => ({
      ...each,
      clusterId,
      uid: String(each.uid).replace(/^Kubernetes/, clusterId),
    }));
    const remote = {
      ...own[0],
      clusterId: other ?? '',
      uid: `${other}//Pod/far/away`,
      node: 'far',
      name: 'away',
    };
    return {
      ...dump,
      config: { ...dump.config, clusterId },
      workloads: other === undefined ? own : [...own, remote],
    };
  });
}

const DIRECTIONS = /No connection in either direction: /;
const CASES: Readonly<Record<AcrossCode, Case>> = {
  'TRUST-BROKEN': {
    has: async () => ({
      east: ofMesh(await shop(), 'east'),
      west: ofMesh(await trusting('nextIntermediate', ['nextRoot']), 'west', 'east'),
    }),
    lacks: async () => [
      {
        east: ofMesh(await trusting('intermediate', ['root', 'nextRoot']), 'east', 'west'),
        west: ofMesh(await trusting('nextIntermediate', ['root', 'nextRoot']), 'west', 'east'),
      },
      {
        east: ofMesh(await shop(), 'east'),
        west: ofMesh(await trusting('nextIntermediate', ['nextRoot']), 'west'),
      },
    ],
    tells: [
      ['east', /^root \w{12}$/, DIRECTIONS],
      ['west', /^root \w{12}$/, DIRECTIONS],
    ],
  },
  'CLUSTERS-APART': {
    has: async () => ({
      east: ofMesh(await shop(), 'east'),
      west: ofMesh(await trusting('nextIntermediate', ['nextRoot']), 'west', 'north'),
    }),
    lacks: async () => [
      { east: await shop(), west: await shop() },
      {
        east: ofMesh(await shop(), 'east'),
        west: ofMesh(await trusting('nextIntermediate', ['nextRoot']), 'west', 'east'),
      },
    ],
    tells: [
      ['east', /^east$/, /^root \w{12}; not that of west: root \w{12}$/],
      ['west', /^west$/, /^root \w{12}; not that of east: root \w{12}$/],
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
      tells.map(([cluster, name, detail]) => [
        cluster,
        expect.stringMatching(name),
        expect.stringMatching(detail),
      ]),
    );
    expect(document.summary.notEvaluated).toEqual([]);
    expect(exitCode).toBe(document.items[0]?.severity === 'critical' ? 2 : 0);
    for (const near of await lacks()) {
      const kubeconfig = await serve(near);
      expect((await documentOf(line, kubeconfig)).document.items).toEqual([]);
    }
  });

  test('of three clusters, each pair is told of once', async () => {
    const kubeconfig = await serve({
      a: await shop(),
      b: await shop(),
      c: await trusting('nextIntermediate', ['nextRoot']),
    });
    const { document } = await documentOf('check --contexts a,b,c --only CLUSTERS-APART', kubeconfig);
    expect(
      document.items[0]?.objects.map(
        ({ name, detail }) => `${name}: ${detail.replaceAll(/\b[0-9a-f]{12}\b/g, 'ROOT')}`,
      ),
    ).toEqual([
      'a: root ROOT; not that of c: root ROOT',
      'c: root ROOT; not that of a: root ROOT',
      'b: root ROOT; not that of c: root ROOT',
      'c: root ROOT; not that of b: root ROOT',
    ]);
  });

  test('trust domains that differ are one of the reasons', async () => {
    const kubeconfig = await serve({ east: await shop(), west: await shop(elsewhere) });
    const { document } = await documentOf('check --contexts east,west --only CLUSTERS-APART', kubeconfig);
    expect(document.items[0]?.objects.map(({ detail }) => detail)).toEqual([
      'trust domain cluster.local; not that of west: trust domain west.example',
      'trust domain west.example; not that of east: trust domain cluster.local',
    ]);
    const ignoring = await ask('check --contexts east,west --ignore CLUSTERS-APART', kubeconfig);
    expect(ignoring.stderr).toBe(
      'no findings in 2 certificates on 2 of 2 ztunnels in 2 of 2 clusters. Left out: CLUSTERS-APART.\n',
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
    expect(without.stdout).not.toMatch(/CLUSTERS-|cluster=/);
    expect(without.stdout.match(/ztunnel_findings\{code="TRUST-BROKEN"/g)).toHaveLength(1);
    const only = await ask('check --context east --only CLUSTERS-APART', kubeconfig);
    expect([only.code, only.stderr]).toEqual([
      3,
      expect.stringMatching(/^error: --only CLUSTERS-APART needs --contexts/),
    ]);
  });
});

describe('of each cluster', () => {
  let kubeconfig: string;
  let west: Scenario;
  beforeAll(async () => {
    // What has expired is not told of as not trusted as well: shop/api is what the other cluster refuses.
    const workloads = [deployment('shop/web', { on: nodes }), deployment('shop/api', { on: nodes })];
    west = await shop({ ...elsewhere, workloads, certificates: { 'shop/web': 'EXPIRING' } });
    kubeconfig = await serve({
      east: await shop({ workloads, certificates: { 'shop/web': 'EXPIRED' } }),
      west,
    });
  });

  test('worst first, at 80 columns', async () => {
    const { code, stdout, stderr } = await ask('check --contexts east,west', kubeconfig, {
      terminal: { columns: 80, rows: 60 },
    });
    expectGolden('frontdoor', 'contexts-check', stdout);
    expect(stderr).toContain(
      '5 findings in 4 certificates on 2 of 2 ztunnels in 2 of 2 clusters: 1 critical, 3 warnings, 1 information.',
    );
    expect(code).toBe(2);
  });

  test('-o wide names the cluster of each object, -o json of each finding', async () => {
    const { stdout } = await ask('check --contexts east,west -o wide', kubeconfig);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['CLUSTER', 'SEVERITY', 'CODE', 'KIND', 'OBJECT'],
      ['east', 'critical', 'EXPIRED', 'Certificate', 'shop/web'],
      ['west', 'warning', 'EXPIRING', 'Certificate', 'shop/web'],
      ['east', 'warning', 'CA-LAST-ISSUED', 'Certificate', 'shop/web'],
      ['west', 'warning', 'CA-LAST-ISSUED', 'Certificate', 'shop/web'],
      ['east', 'information', 'CLUSTERS-APART', 'Cluster', 'east'],
      ['west', 'information', 'CLUSTERS-APART', 'Cluster', 'west'],
      [''],
    ]);
    const { document } = await documentOf('check --contexts east,west', kubeconfig);
    expect(document.items.map(({ cluster, code }) => [cluster, code])).toEqual([
      ['east', 'EXPIRED'],
      ['west', 'EXPIRING'],
      ['east', 'CA-LAST-ISSUED'],
      ['west', 'CA-LAST-ISSUED'],
      [null, 'CLUSTERS-APART'],
    ]);
  });

  test('-o prometheus has a label, -o junit a class, -o html a column', async () => {
    const { stdout } = await ask('check --contexts east,nowhere,west -o prometheus', kubeconfig);
    for (const line of [
      'ztunnel_findings{cluster="east",code="EXPIRED",severity="critical"} 1',
      'ztunnel_findings{cluster="west",code="EXPIRED",severity="critical"} 0',
      'ztunnel_findings{code="CLUSTERS-APART",severity="information"} 2',
      'ztunnel_finding_evaluated{cluster="west",code="EXPIRED"} 1',
      'ztunnel_finding_evaluated{code="CLUSTERS-APART"} 0',
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
      '<testcase classname="information" name="CLUSTERS-APART: ',
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
      expect.stringMatching(/Not evaluated: .*CLUSTERS-APART \(without nowhere\)\./),
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
