// What is said of capture: of moments of real meshes, of dumps alone, and where label, annotation and ztunnel do not agree.

import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { withDump, withEntry, withObjects } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';
import { readMoment } from '../testdata/moments.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const folder = temporaryDirectory();
let mesh: Mesh | undefined;
afterEach(async () => {
  await mesh?.close();
  mesh = undefined;
});

interface Said {
  readonly code: number;
  readonly critical: readonly string[];
  readonly warnings: readonly string[];
}

/** `CODE object` of each object of a finding. */
async function check(commandLine: string): Promise<Said> {
  const { stdout, code } = await run(`check -o json ${commandLine}`);
  const { items } = JSON.parse(stdout) as { items: readonly Finding[] };
  const listed = (wanted: string) =>
    items
      .filter(({ severity }) => severity === wanted)
      .flatMap((item) => item.objects.map(({ namespace, name }) => `${item.code} ${namespace}/${name}`))
      .toSorted();
  return { code, critical: listed('critical'), warnings: listed('warning') };
}

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly objects: readonly { readonly namespace: string | null; readonly name: string }[];
}

/** How certificates and roots are judged is not the matter here. */
const ONLY =
  '--only ZTUNNEL-EMPTY,NOT-ENROLLED,PROXY-PENDING,ENROLLED-OTHERWISE,PROTOCOL-DIFFERS,STALE-CONFIG,MISSING,UNCAPTURED,CAPTURED-UNASKED';

describe('moments of a real mesh', () => {
  const rows: readonly (readonly [moment: string, critical: readonly string[]])[] = [
    ['abrupt/0-before', []],
    ['abrupt/1-node-a-on-b', []],
    ['rotation/1-both-trusted', []],
    ['rotation/2-all-renewed', []],
    ['outage/1-past-half', []],
    ['untrusted-account/1', []],
    ['token/1-node-b-other-audience', ['ZTUNNEL-EMPTY istio-system/ztunnel-node-b']],
    ['enrol/1-never-handed-over', ['NOT-ENROLLED data/db']],
    ['policies/0-none', []],
  ];

  test.each(rows)('%s', async (name, critical) => {
    const { files, later } = readMoment(name);
    expect(await check(`${files} --now ${later} ${ONLY}`)).toEqual({
      code: critical.length > 0 ? 2 : 0,
      critical,
      warnings: [],
    });
  });
});

describe('a dump alone', () => {
  const rows: readonly (readonly [
    dump: string,
    critical: readonly string[],
    warnings?: readonly string[],
  ])[] = [
    ['none', []],
    ['not-enrolled', ['NOT-ENROLLED data/db']],
    ['workload-other-account', ['ENROLLED-OTHERWISE data/db']],
    ['server-said-tcp', [], ['PROTOCOL-DIFFERS data/db']],
    ['workload-selector', []],
  ];

  test.each(rows)('%s', async (dump, critical, warnings = []) => {
    const file = path.join(testdata, 'traffic', `${dump}.config_dump.json`);
    const said = await check(`-f ${file} --now 2026-11-30T21:45:00Z ${ONLY}`);
    expect({ critical: said.critical, warnings: said.warnings }).toEqual({ critical, warnings });
  });
});

const at = '2026-11-29T22:03:42Z';

async function shop(extra: Parameters<typeof scenario>[0]['workloads'] = []): Promise<Scenario> {
  return scenario({
    at,
    nodes: ['node-a', 'node-b'],
    workloads: [deployment('shop/web', { on: ['node-a', 'node-b'] }), ...extra],
  });
}

async function ask(line: string, of: Scenario) {
  mesh = await startMesh(of);
  return run(line, { clock: new Date(at), env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
}

/** CAPTURE by pod. */
async function captureOf(of: Scenario, args = ''): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await ask(`workloads -o json ${args}`, of);
  const { items } = JSON.parse(stdout) as { items: readonly { name: string; capture: string }[] };
  return Object.fromEntries(items.map(({ name, capture }) => [name, capture]));
}

describe('CAPTURE of workloads', () => {
  const tool = barePod('shop/tool', { on: 'node-a' });
  const rows: readonly (readonly [what: string, capture: string, make: () => Promise<Scenario>])[] = [
    ['taken over', 'yes', () => shop([tool])],
    [
      'its proxy does not run',
      'pending',
      async () =>
        withEntry(await shop([tool]), 'node-a', 'tool', (entry) => ({ ...entry, state: 'Pending' })),
    ],
    [
      'annotated pending',
      'pending',
      () => shop([barePod('shop/tool', { on: 'node-a', captured: 'pending' })]),
    ],
    [
      'redirected, and its ztunnel does not have it',
      'not enrolled',
      async () => withEntry(await shop([tool]), 'node-a', 'tool', () => undefined),
    ],
    [
      'the same, seconds old',
      'pending',
      async () =>
        withEntry(
          await shop([barePod('shop/tool', { on: 'node-a', ageSeconds: 5 })]),
          'node-a',
          'tool',
          () => undefined,
        ),
    ],
    ['not redirected', 'no', () => shop([barePod('shop/tool', { on: 'node-a', captured: false })])],
    [
      'on the network of its node',
      'none',
      () => shop([barePod('shop/tool', { on: 'node-a', captured: false, hostNetwork: true })]),
    ],
    [
      'its ztunnel serves one workload, and has no entries',
      '-',
      async () =>
        withDump(await shop([tool]), 'node-a', (dump) => ({
          ...dump,
          config: { ...dump.config, proxyMode: 'Dedicated' },
          workloadState: {},
        })),
    ],
    [
      'on a node whose ztunnel is not there',
      '-',
      async () => {
        const state = await shop([tool]);
        const gone = ztunnelOn(state, 'node-a');
        return {
          ...state,
          pods: state.pods.filter(({ metadata }) => `${metadata.namespace}/${metadata.name}` !== gone),
        };
      },
    ],
  ];

  test.each(rows)('%s: %s', async (_, capture, make) => {
    expect((await captureOf(await make())).tool).toBe(capture);
  });

  test('is a column', async () => {
    const state = withEntry(await shop([tool]), 'node-a', 'tool', () => undefined);
    const { stdout } = await ask('workloads --sort-by capture', state);
    expect(stdout).toMatch(/^NAMESPACE +POD NAME +CERTIFICATE +CAPTURE +NODE/);
    expect(stdout).toMatch(/^shop +tool +OK +not enrolled +node-a/m);
  });

  test('without the right to list pods, the ztunnels’ entries decide', async () => {
    const state = withEntry(await shop([tool]), 'node-a', 'tool', () => undefined);
    mesh = await startMesh(state, {
      rules: [
        { verbs: ['*'], resources: ['pods/portforward'] },
        { verbs: ['list'], resources: ['pods'], namespaces: ['istio-system'] },
      ],
    });
    const { stdout } = await run('workloads -n shop -o json', {
      clock: new Date(at),
      env: { KUBECONFIG: mesh.writeKubeconfig(folder) },
    });
    const { items } = JSON.parse(stdout) as { items: readonly { name: string; capture: string }[] };
    expect(Object.fromEntries(items.map(({ name, capture }) => [name.slice(0, 4), capture]))).toEqual({
      tool: 'not enrolled',
      'web-': 'yes',
    });
  });
});

describe('ztunnels counts the pods of its node', () => {
  async function counts(of: Scenario, args = '') {
    const { stdout } = await ask(`ztunnels -o json ${args}`, of);
    const { items } = JSON.parse(stdout) as { items: readonly Counts[] };
    return items.map(({ node, captured, enrolled, pending }) => [node, captured, enrolled, pending]);
  }

  interface Counts {
    readonly node: string;
    readonly captured: number | null;
    readonly enrolled: number | null;
    readonly pending: number | null;
  }

  const tools = [barePod('shop/tool', { on: 'node-a' }), barePod('shop/lost', { on: 'node-a' })];

  test('captured, enrolled, pending', async () => {
    const lost = withEntry(await shop(tools), 'node-a', 'lost', () => undefined);
    const state = withEntry(lost, 'node-a', 'tool', (entry) => ({ ...entry, state: 'Pending' }));
    expect(await counts(state)).toEqual([
      ['node-a', 3, 1, 1],
      ['node-b', 1, 1, 0],
    ]);
    const { stdout } = await ask('ztunnels', state);
    expect(stdout).toMatch(/ENROLLED +PENDING/);
    expect(stdout).toMatch(/^node-a .* yes +1\/3 +1 +3 OK$/m);
  });

  test('one that does not answer, and --no-owners', async () => {
    const state = await shop(tools);
    mesh = await startMesh(state);
    mesh.misbehave(ztunnelOn(state, 'node-b'), { how: 'error-channel' });
    const asked = await run('ztunnels -o json', {
      clock: new Date(at),
      env: { KUBECONFIG: mesh.writeKubeconfig(folder) },
    });
    expect(JSON.parse(asked.stdout).items[1]).toMatchObject({ captured: 1, enrolled: null, pending: null });
    await mesh.close();
    expect(await counts(state, '--no-owners')).toEqual([
      ['node-a', null, 3, 0],
      ['node-b', null, 1, 0],
    ]);
  });

  test('pods that have ended are none of them', async () => {
    const state = withObjects(await shop(tools), 'pods', (pod) =>
      pod.metadata.name === 'lost' ? { ...pod, status: { ...pod.status, phase: 'Succeeded' } } : pod,
    );
    expect((await counts(state))[0]?.[1]).toBe(2);
  });
});
