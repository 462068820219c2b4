import { afterEach, describe, expect, test } from '@jest/globals';
import { authoritiesAt } from '../mesh/authorities.ts';
import type { Condition } from '../mesh/certificates.ts';
import { passing } from '../mesh/changing.ts';
import { withEntry, withObjects } from '../mesh/edit.ts';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, deployment, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a', 'node-b'];
const folder = temporaryDirectory();

let mesh: Mesh | undefined;
afterEach(() => mesh?.close());

interface Waiting {
  readonly options?: MeshOptions;
  readonly spoil?: (mesh: Mesh) => void;
  readonly signal?: AbortSignal;
  readonly onSleep?: (round: number) => void;
}

/** Waits in a mesh that passes through these states, one for each look. */
async function waitIn(states: readonly Scenario[], line: string, waiting: Waiting = {}) {
  const { scenario, clock, sleep } = passing(at, states, waiting.onSleep);
  mesh = await startMesh(scenario, { namespace: 'shop', ...waiting.options });
  waiting.spoil?.(mesh);
  const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
  const { signal } = waiting;
  const outcome = await run(`wait ${line}`, { clock, sleep, env, ...(signal && { signal }) });
  return { ...outcome, lines: outcome.stdout.trimEnd().split('\n').filter(Boolean) };
}

const shop = (more: Partial<MeshSpec> = {}) =>
  scenario({ at, nodes, workloads: [statefulSet('shop/web', { on: nodes })], ...more });
const ready = (pod: string, node: string) => `pod/${pod}.shop ready: OK on ${node}`;

describe('a pod is ready', () => {
  test('when its identity has a usable certificate on its node', async () => {
    const outcome = await waitIn([await shop()], 'sts/web');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.lines).toEqual([ready('web-0', 'node-a'), ready('web-1', 'node-b')]);
  });

  test.each(['EXPIRING', 'RENEWAL-OVERDUE'] as const)('with %s too', async (status) => {
    const outcome = await waitIn([await shop({ certificates: { 'shop/web': status } })], 'web-0');
    expect(outcome.lines).toEqual([`pod/web-0.shop ready: ${status} on node-a`]);
    expect(outcome.code).toBe(0);
  });

  test('as soon as that is so, each told once', async () => {
    const states = [
      await shop({ certificates: { 'shop/web': 'INITIALIZING' } }),
      await shop({ certificates: { 'shop/web@node-b': 'INITIALIZING' } }),
      await shop({ certificates: { 'shop/web@node-b': 'INITIALIZING' } }),
      await shop(),
    ];
    const outcome = await waitIn(states, 'sts/web');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.lines).toEqual([ready('web-0', 'node-a'), ready('web-1', 'node-b')]);
  });

  test('while it is Pending, as it is when its init containers run', async () => {
    const outcome = await waitIn(
      [await shop({ workloads: [barePod('shop/tool', { on: 'node-a' })] })].map((state) =>
        withObjects(state, 'pods', (pod) =>
          pod.metadata.name === 'tool' ? { ...pod, status: { ...pod.status, phase: 'Pending' } } : pod,
        ),
      ),
      'tool',
    );
    expect(outcome.lines).toEqual([ready('tool', 'node-a')]);
  });
});

/** A reason not to be ready → a mesh in which the only pod that counts has it. */
const lacks: readonly (readonly [
  reason: string,
  make: () => Promise<Scenario>,
  spoil?: (mesh: Mesh) => void,
])[] = [
  ['unscheduled', () => shop({ workloads: [barePod('shop/tool', { on: '', phase: 'Pending' })] })],
  ['not captured', () => shop({ workloads: [barePod('shop/tool', { on: 'node-a', captured: false })] })],
  ['pending', () => shop({ workloads: [barePod('shop/tool', { on: 'node-a', captured: 'pending' })] })],
  ['no ztunnel on node node-z', () => shop({ workloads: [barePod('shop/tool', { on: 'node-z' })] })],
  ['MISSING: its ztunnel does not list service account tool', () => tool('MISSING')],
  ['EXPIRED', () => tool('EXPIRED')],
  ['INITIALIZING', () => tool('INITIALIZING')],
  ['UNAVAILABLE: no CA', () => tool({ state: 'Unavailable: no CA' })],
  [
    'not enrolled: its ztunnel has not taken it over',
    async () => withEntry(await tool('OK'), 'node-a', 'tool', () => undefined),
  ],
  [
    'its proxy is Pending',
    async () => withEntry(await tool('OK'), 'node-a', 'tool', (entry) => ({ ...entry, state: 'Pending' })),
  ],
];

function tool(condition: Condition): Promise<Scenario> {
  return shop({
    workloads: [barePod('shop/tool', { on: 'node-a' })],
    certificates: { 'shop/tool': condition },
  });
}

describe('--timeout 0 looks once', () => {
  test('and says why not', async () => {
    const outcome = await waitIn([await tool('INITIALIZING'), await tool('OK')], 'tool --timeout 0');
    expect(outcome.lines).toEqual(['pod/tool.shop not ready: INITIALIZING']);
    expect(outcome.stderr).toMatch(/^error: looked once: 0 of 1 pod ready\. See more/);
    expect(outcome.code).toBe(1);
  });

  test('and that all is ready', async () => {
    const outcome = await waitIn([await tool('OK')], 'tool --timeout=0s');
    expect([outcome.lines, outcome.code]).toEqual([[ready('tool', 'node-a')], 0]);
  });
});

describe('a pod is not ready', () => {
  test.each(lacks)('%s', async (reason, make) => {
    const outcome = await waitIn([await make()], 'tool --timeout 5s');
    expect(outcome.lines).toEqual([`pod/tool.shop not ready: ${reason}`]);
    expect(outcome.stderr).toMatch(/^error: timed out after 5s: 0 of 1 pod ready\. See more/);
    expect(outcome.code).toBe(1);
  });

  test('unreachable: its ztunnel does not answer', async () => {
    const state = await tool('OK');
    const outcome = await waitIn([state], 'tool --timeout 5s', {
      spoil: (of) => of.misbehave(ztunnelOn(state, 'node-a'), { how: 'error-channel' }),
    });
    expect(outcome.lines[0]).toMatch(/^pod\/tool\.shop not ready: unreachable: ztunnel ztunnel-\w+: /);
    expect(outcome.code).toBe(1);
  });

  test('while one of two ztunnels of its node has no usable certificate, unless that one is being deleted', async () => {
    const state = await shop();
    const key = ztunnelOn(state, 'node-a');
    const second = (deleting: boolean): Scenario => ({
      ...state,
      pods: state.pods.flatMap((pod) => {
        if (`${pod.metadata.namespace}/${pod.metadata.name}` !== key) return [pod];
        const deleted = deleting ? { deletionTimestamp: at } : {};
        return [pod, { ...pod, metadata: { ...pod.metadata, name: 'ztunnel-old', ...deleted } }];
      }),
      ztunnels: {
        ...state.ztunnels,
        'istio-system/ztunnel-old': JSON.stringify({ certificates: [], config: {}, workloads: [] }),
      },
    });
    const both = await waitIn([second(false)], 'web-0 --timeout 3s');
    expect(both.lines.at(-1)).toContain('not ready: MISSING');
    await mesh?.close();
    expect((await waitIn([second(true)], 'web-0 --timeout 3s')).lines).toEqual([ready('web-0', 'node-a')]);
  });
});

describe('TARGET', () => {
  test('counts no pods that are deleting or have ended', async () => {
    const gone = { on: ['node-a'], serviceAccount: 'gone' };
    const state = await shop({
      workloads: [
        deployment('shop/api', { on: ['node-a'] }),
        barePod('shop/done', { on: 'node-a', serviceAccount: 'gone', phase: 'Succeeded' }),
        statefulSet('shop/left', { ...gone, deleting: true }),
      ],
      certificates: { 'shop/gone': 'EXPIRED' },
    });
    for (const target of ['done', 'sts/left']) {
      const outcome = await waitIn([state], `${target} --timeout 3s`);
      expect([outcome.stdout, outcome.code]).toEqual(['', 1]);
      expect(outcome.stderr).toContain(
        `timed out after 3s: ${target.replace('sts', 'statefulset')} has no pod yet`,
      );
      await mesh?.close();
    }
  });

  test('whose pods are all on the network of the host is refused as soon as that is seen', async () => {
    const host = await shop({
      workloads: [
        statefulSet('shop/web', { on: nodes }),
        statefulSet('shop/host', { on: nodes, hostNetwork: true }),
      ],
    });
    const said =
      "error: statefulset/host has only pods on the host's network (hostNetwork), which get no certificate. ";
    for (const states of [[host], [await shop(), host]]) {
      let rounds = 0;
      const outcome = await waitIn(states, 'sts/host sts/web', { onSleep: () => (rounds += 1) });
      expect(outcome.stderr).toContain(said);
      expect([outcome.lines.length, outcome.code]).toEqual([2, 1]);
      expect(rounds).toBe(states.length - 1);
      await mesh?.close();
    }
  });

  test('of which a pod is on the network of the host is waited for by its other pods', async () => {
    const state = await shop();
    const states = [await shop({ certificates: { 'shop/web': 'INITIALIZING' } }), state].map((each) =>
      withObjects(each, 'pods', (pod) =>
        pod.metadata.name === 'web-0' ? { ...pod, spec: { ...pod.spec, hostNetwork: true } } : pod,
      ),
    );
    expect((await waitIn(states, 'sts/web')).lines).toEqual([ready('web-1', 'node-b')]);
    await mesh?.close();
    // One that is being deleted makes room for another, which may have a network of its own.
    const leaving = withObjects(state, 'pods', (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: at },
      spec: { ...pod.spec, hostNetwork: true },
    }));
    const { stderr } = await waitIn([leaving], 'sts/web --timeout 3s');
    expect(stderr).toContain('statefulset/web has no pod yet');
  });

  test('that has no pod yet is waited for', async () => {
    const states = [await shop({ workloads: [] }), await shop({ workloads: [] }), await shop()];
    const outcome = await waitIn(states, 'statefulset/web.shop');
    expect(outcome.lines).toEqual([ready('web-0', 'node-a'), ready('web-1', 'node-b')]);
    expect(outcome.code).toBe(0);
  });

  test('may be several', async () => {
    const state = await shop({
      workloads: [statefulSet('shop/web', { on: ['node-a'] }), barePod('shop/tool', { on: 'node-b' })],
    });
    const outcome = await waitIn([state], 'web-0 tool sts/web');
    expect(outcome.lines).toEqual([ready('tool', 'node-b'), ready('web-0', 'node-a')]);
  });

  test('a node means the pods on it that the mesh has or is to have', async () => {
    const state = await shop({
      workloads: [
        statefulSet('shop/web', { on: nodes }),
        barePod('shop/plain', { on: 'node-a', captured: false }),
      ],
    });
    expect((await waitIn([state], 'node/node-a')).lines).toEqual([ready('web-0', 'node-a')]);
  });

  test('an identity has to be listed itself', async () => {
    const state = await shop();
    const same = await waitIn([state], 'spiffe://cluster.local/ns/shop/sa/web');
    expect(same.lines).toHaveLength(2);
    await mesh?.close();
    const other = await waitIn([state], 'spiffe://other.example/ns/shop/sa/web --timeout 3s');
    expect(other.lines).toContain(
      'pod/web-0.shop not ready: MISSING: its ztunnel does not list spiffe://other.example/ns/shop/sa/web',
    );
  });

  test('that is in several namespaces is refused at once', async () => {
    const workloads = ['data', 'infra'].map((name) => statefulSet(`${name}/db`, { on: nodes }));
    const outcome = await waitIn([await shop({ workloads })], 'sts/db');
    expect(outcome.stderr).toContain('statefulset/db is in 2 namespaces: data, infra');
    expect(outcome.code).toBe(1);
  });
});

describe('--for', () => {
  const begun = (from: number): Condition => ({ validFrom: from, validTo: from + 86_400 });

  test('renewed: a later certificate, even one that is dated back, but not the one that was there', async () => {
    const old = await tool(begun(-3600));
    const renewed = await tool(begun(-118));
    const outcome = await waitIn([old, old, renewed], 'tool --for=renewed');
    expect(outcome.lines).toEqual(['pod/tool.shop renewed: OK on node-a']);
    await mesh?.close();
    const never = await waitIn([old, old], 'tool --for renewed --timeout 3s');
    expect(never.lines).toEqual(['pod/tool.shop not renewed: not renewed since 2026-11-29T21:03:42Z']);
    expect(never.code).toBe(1);
  });

  test('renewed: one that begins after the wait did', async () => {
    const outcome = await waitIn([await tool(begun(1))], 'tool --for=renewed --timeout 5s');
    expect(outcome.lines).toEqual(['pod/tool.shop renewed: OK on node-a']);
  });

  test('root: the certificate leads to it', async () => {
    const { root, nextRoot } = await authoritiesAt(at);
    const print = async (of: typeof root) =>
      Buffer.from(await of.x509.getThumbprint('SHA-256')).toString('hex');
    const [older, newer] = [await print(root), await print(nextRoot)];
    const states = [await tool('OK'), await tool('ROTATED')];
    const outcome = await waitIn(states, `tool --for=root=${newer}`);
    expect(outcome.lines).toEqual([`pod/tool.shop under root ${newer.slice(0, 12)}: OK on node-a`]);
    await mesh?.close();
    const colons = newer
      .slice(0, 16)
      .toUpperCase()
      .replaceAll(/(..)(?!$)/g, '$1:');
    const short = await waitIn([await tool('OK')], `tool --for=root=${colons} --timeout 3s`);
    expect(short.lines).toEqual([
      `pod/tool.shop not under root ${newer.slice(0, 12)}: under root ${older.slice(0, 12)}`,
    ]);
  });

  test('status: one of those', async () => {
    const outcome = await waitIn(
      [await tool('OK'), await tool('EXPIRED')],
      'tool --for status=expired,missing',
    );
    expect(outcome.lines).toEqual(['pod/tool.shop EXPIRED or MISSING: EXPIRED on node-a']);
  });

  test.each(['reddy', 'root=xyz', 'root=', 'status=FINE', 'ready=1', 'status='])(
    '%s is refused',
    async (text) => {
      const outcome = await run(['wait', 'web', '--for', text]);
      expect(outcome.stderr).toMatch(/^error: --for can't be "/);
      expect(outcome.code).toBe(1);
    },
  );
});

describe('the wait', () => {
  test('ends with the error of a first look that fails', async () => {
    const outcome = await waitIn([await shop()], 'sts/web', { options: { rules: [] } });
    expect(outcome.stderr).toContain('error: ');
    expect(outcome.code).toBe(1);
    expect(mesh?.requests.length).toBeLessThan(10);
  });

  test('goes on while the API server is away later', async () => {
    const states = [await tool('INITIALIZING'), await tool('OK'), await tool('OK')];
    const outcome = await waitIn(states, 'tool', {
      onSleep: (round) =>
        mesh?.misbehave(
          '/api/v1/pods',
          round === 1 ? { how: 'refuse', status: 500, message: 'restarting' } : undefined,
        ),
    });
    expect(outcome.lines).toEqual([ready('tool', 'node-a')]);
    expect(outcome.code).toBe(0);
  });

  test('is ended by Ctrl-C', async () => {
    const controller = new AbortController();
    const outcome = await waitIn([await tool('INITIALIZING')], 'tool', {
      signal: controller.signal,
      onSleep: () => controller.abort(new Error('interrupted')),
    });
    expect(outcome).toMatchObject({ code: 130, stdout: '' });
  });

  test('asks only the ztunnels on the nodes of its pods, and lists no more than it needs', async () => {
    const state = await shop();
    await waitIn([state], 'web-0 -n shop');
    expect(mesh?.forwards.map(({ namespace, pod }) => `${namespace}/${pod}`)).toEqual([
      ztunnelOn(state, 'node-a'),
    ]);
    const paths = mesh?.requests
      .map(({ path: url }) => url.split('?')[0])
      .filter((url) => !url?.endsWith('portforward'));
    expect(new Set(paths)).toEqual(new Set(['/api/v1/namespaces/shop/pods', '/api/v1/pods']));
  });

  test('takes no saved mesh', async () => {
    const { stderr, code } = await run('wait web -f dump.json');
    expect(stderr).toMatch(/^error: /);
    expect(code).toBe(1);
  });
});

test('-o json has an object on each line, by the schema', async () => {
  const states = [await shop({ certificates: { 'shop/web@node-b': 'EXPIRED' } })];
  const outcome = await waitIn(states, 'sts/web --timeout 3s -o json');
  const events = outcome.lines.map((line) => JSON.parse(line) as object);
  for (const event of events) expect(validate(event) ? [] : validate.errors).toEqual([]);
  expect(events).toEqual([
    {
      apiVersion: 'ztunnel.kubectl/v1',
      kind: 'WaitEvent',
      time: at,
      pod: { namespace: 'shop', name: 'web-0', node: 'node-a' },
      condition: 'ready',
      met: true,
      status: 'OK',
      reason: null,
    },
    expect.objectContaining({ met: false, status: 'EXPIRED', reason: 'EXPIRED' }),
  ]);
  expect(outcome.code).toBe(1);
});
