import { afterEach, describe, expect, test } from '@jest/globals';
import { authoritiesAt } from '../mesh/authorities.ts';
import { passing } from '../mesh/changing.ts';
import { entryBy, withEntries } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a', 'node-b'];
const folder = temporaryDirectory();

let mesh: Mesh | undefined;
afterEach(() => mesh?.close());

const shop = (more: Partial<MeshSpec> = {}) =>
  scenario({
    at,
    nodes,
    workloads: [deployment('shop/web', { on: nodes }), deployment('shop/api', { on: ['node-a'] })],
    certificates: { 'shop/web': { validFrom: -3600, validTo: 82_800 } },
    ...more,
  });
const renewed = (state: Scenario, name: string, from: number, options: object = {}) =>
  withEntries(state, 'node-a', async (identity, entry) =>
    identity.endsWith(`/${name}`) ? entryBy(identity, at, { from, to: from + 86_400, ...options }) : entry,
  );

interface Watching {
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly onSleep?: (round: number) => void;
  readonly env?: Readonly<Record<string, string>>;
}

/** Watches a mesh that passes through these states, one for each look, and interrupts once they are through. */
async function watchIn(states: readonly Scenario[], line: string, watching: Watching = {}) {
  const { terminal, onSleep } = watching;
  const controller = new AbortController();
  const { scenario, clock, sleep } = passing(at, states, (round) => {
    onSleep?.(round);
    if (round === states.length) controller.abort(new Error('interrupted'));
  });
  mesh = await startMesh(scenario, { namespace: 'shop' });
  const env = { KUBECONFIG: mesh.writeKubeconfig(folder), NO_COLOR: '1', ...watching.env };
  const outcome = await run(line, {
    clock,
    sleep,
    env,
    signal: controller.signal,
    ...(terminal && { terminal }),
  });
  return { ...outcome, lines: outcome.stdout.split('\n').filter(Boolean) };
}

describe('certs --watch, piped', () => {
  test('has a line for each change, and a summary at the end', async () => {
    const one = await shop();
    const states = [
      one,
      one,
      await renewed(one, 'web', -1800),
      await shop({ certificates: { 'shop/api': 'EXPIRED' } }),
    ];
    const { lines, stderr, code } = await watchIn([...states.slice(0, 3)], 'certs -w');
    expect(lines).toEqual([
      expect.stringMatching(
        /^2026-11-29T22:04:02Z renewed shop\/web on node-a: serial \w+ → \w+, until 2026-11-30T21:03:42Z → 2026-11-30T21:33:42Z$/,
      ),
    ]);
    expect(stderr).toBe('3 certificates on 2 of 2 ztunnels: 3 OK.\nwatched for 30s: 1 renewed.\n');
    expect(code).toBe(130);
  });

  test('tells each of ten rotations once', async () => {
    let state = await shop();
    const states = [state];
    for (let turn = 1; turn <= 10; turn += 1) {
      state = await renewed(state, 'api', -3000 + turn * 60);
      states.push(state, state);
    }
    const { lines, stderr } = await watchIn(states, 'certs --watch --interval 1m');
    expect(lines.slice(1).every((line) => line.includes(' renewed shop/api on node-a: '))).toBe(true);
    expect(lines).toHaveLength(10);
    expect(new Set(lines).size).toBe(10);
    expect(stderr).toContain('10 renewed');
  });

  test('does not take the silence of a ztunnel for a change', async () => {
    const one = await shop();
    const two = await renewed(one, 'web', -1800);
    const { lines, stderr } = await watchIn([one, one, two], 'certs -w', {
      onSleep: (round) =>
        mesh?.misbehave(ztunnelOn(one, 'node-a'), round === 1 ? { how: 'error-channel' } : undefined),
    });
    expect(lines).toEqual([expect.stringMatching(/^2026-11-29T22:04:02Z renewed shop\/web on node-a/)]);
    expect(stderr.match(/^error: ztunnel/gm)).toHaveLength(1);
  });

  test('goes on when the API server is away for a while', async () => {
    const one = await shop();
    const { stderr, lines } = await watchIn([one, one, await renewed(one, 'web', -1800)], 'certs -w', {
      onSleep: (round) =>
        mesh?.misbehave(
          '/api/v1/pods',
          round === 1 ? { how: 'refuse', status: 500, message: 'restarting' } : undefined,
        ),
    });
    expect(lines).toHaveLength(1);
    expect(stderr).toMatch(/restarting/);
  });

  test('judges each look at its own time', async () => {
    const state = await shop({ certificates: { 'shop/api': { validFrom: -3600, validTo: 15 } } });
    const { lines } = await watchIn([state, state, state], 'certs -w');
    expect(lines).toEqual([
      expect.stringMatching(/^2026-11-29T22:04:02Z status shop\/api on node-a: EXPIRING → EXPIRED$/),
    ]);
  });

  test('shows what enters and leaves its filters, and nothing else', async () => {
    const [good, bad] = [await shop(), await shop({ certificates: { 'shop/api': 'EXPIRED' } })];
    const { lines } = await watchIn([good, bad, good], 'certs -w --problems');
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['status+renewed', 'status+renewed']);
    await mesh?.close();
    expect((await watchIn([good, bad], 'certs -w -n data')).lines).toEqual([]);
  });
});

describe('certs --watch --group-by root', () => {
  test('follows a rotation to its end, with counts and when the last is due', async () => {
    const { root, nextRoot, nextIntermediate } = await authoritiesAt(at);
    const next = { issuer: nextIntermediate, roots: [root, nextRoot] };
    const one = await shop({
      nodes: ['node-a'],
      workloads: ['web', 'api', 'tool'].map((name) => barePod(`shop/${name}`, { on: 'node-a' })),
      certificates: {
        'shop/web': { validFrom: -3600, validTo: 82_800 },
        // Renewed before that one.
        'shop/tool': { validFrom: -7200, validTo: 79_200 },
      },
    });
    const two = await renewed(one, 'api', -1800, next);
    const three = await renewed(await renewed(two, 'web', -1700, next), 'tool', -1600, next);
    const { lines, code, stderr } = await watchIn(
      [one, two, three],
      'certs -w --group-by root --until ready',
    );
    expect([lines, code]).toEqual([[], 0]);
    expect(stderr).toContain('all are ready; ');
    await mesh?.close();
    const followed = await watchIn([one, two, three], 'certs -w --group-by root');
    const progress = followed.lines.filter((line) => line.includes('rotation'));
    expect(progress).toEqual([
      expect.stringMatching(
        /^2026-11-29T22:03:52Z rotation to root \w{12}: 1 of 3 certificates, last renewal due in 10h59m \(2026-11-30T09:03:42Z\)$/,
      ),
      expect.stringMatching(/: 3 of 3 certificates, done$/),
    ]);
    await mesh?.close();
    const trusting = await watchIn([one, two, three], 'certs -w --group-by trusts');
    // The first look counts as well; then each root whose counts have changed.
    const counts = trusting.lines.filter((line) => / root \w{12}: /.test(line)).map((line) => line.slice(40));
    expect(counts).toEqual([
      'presented by 3, trusted by 3 of 3 identities',
      'presented by 1, trusted by 1 of 3 identities',
      'presented by 2, trusted by 3 of 3 identities',
      'presented by 3, trusted by 3 of 3 identities',
      'presented by 0, trusted by 3 of 3 identities',
    ]);
    await mesh?.close();
    const { lines: documents } = await watchIn([one, two], 'certs -w --group-by trusts -o json');
    const uses = documents.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'RootUseEvent');
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect([validate(use), validate.errors]).toEqual([true, null]);
  });
});

describe('--until', () => {
  test('ends the watch once all are so', async () => {
    const states = [await shop({ certificates: { 'shop/api': 'INITIALIZING' } }), await shop()];
    const { code, stderr } = await watchIn([...states, ...states], 'certs -w --until ready');
    expect(code).toBe(0);
    expect(stderr).toContain('all are ready; watched for 10s: 2 renewed, 1 with another status.');
  });

  test.each([
    ['certs -w --until ready --fail-on warning', 'EXPIRING', 1],
    ['certs -w --until ready --fail-on critical', 'EXPIRING', 0],
    ['certs -w --until ready --fail-on warning', 'OK', 0],
    ['certs -w -n shop --until status=EXPIRED,OK --fail-on critical', 'EXPIRED', 1],
    ['check -w --only EXPIRED --until status=EXPIRED,OK', 'EXPIRED', 2],
    ['check -w --only EXPIRED --until ready', 'OK', 0],
  ] as const)('ends as the last look alone would: %s with %s', async (line, status, expected) => {
    const other = await shop({ certificates: { 'shop/api': 'INITIALIZING' } });
    const last = await shop({ certificates: { 'shop/api': status } });
    const { code, stderr } = await watchIn([other, last, last], line);
    expect(stderr).toContain('watched for 10s');
    expect(code).toBe(expected);
  });

  test('of one root ends a rotation', async () => {
    const { root, nextRoot, nextIntermediate } = await authoritiesAt(at);
    const print = Buffer.from(await nextRoot.x509.getThumbprint('SHA-256')).toString('hex');
    const one = await shop({ nodes: ['node-a'], workloads: [barePod('shop/web', { on: 'node-a' })] });
    const two = await renewed(one, 'web', -1800, { issuer: nextIntermediate, roots: [root, nextRoot] });
    const { code, stderr } = await watchIn([one, one, two, one], `certs -w --until root=${print}`);
    expect(code).toBe(0);
    expect(stderr).toContain(`all are under root ${print.slice(0, 12)}; watched for 20s: `);
  });
});

describe('check --watch', () => {
  test('has a line for each finding that comes and goes', async () => {
    const [good, bad] = [await shop(), await shop({ certificates: { 'shop/api': 'EXPIRED' } })];
    const { lines, code } = await watchIn([good, bad, bad, good], 'check -w --only EXPIRED');
    expect(lines).toEqual([
      expect.stringMatching(/^2026-11-29T22:03:52Z added EXPIRED shop\/api on node-a/),
      expect.stringMatching(/^2026-11-29T22:04:12Z removed EXPIRED shop\/api on node-a/),
    ]);
    expect(code).toBe(130);
  });

  test('does not take the silence of a ztunnel for a finding that is gone', async () => {
    const bad = await shop({ certificates: { 'shop/api': 'EXPIRED' } });
    const { lines } = await watchIn([bad, bad, bad], 'check -w --only EXPIRED', {
      onSleep: (round) =>
        mesh?.misbehave(ztunnelOn(bad, 'node-a'), round === 1 ? { how: 'error-channel' } : undefined),
    });
    expect(lines).toEqual([]);
  });
});

describe('-o json', () => {
  test('has an object on each line, by the schema', async () => {
    const { root, nextRoot, nextIntermediate } = await authoritiesAt(at);
    const one = await shop();
    const two = await renewed(one, 'web', -1800, { issuer: nextIntermediate, roots: [root, nextRoot] });
    const bad = await shop({ certificates: { 'shop/api': 'EXPIRED' } });
    const certs = await watchIn([one, two, bad], 'certs -w --group-by root -o json');
    await mesh?.close();
    const check = await watchIn([one, bad], 'check -w -o json');
    const events = [...certs.lines, ...check.lines].map((line) => JSON.parse(line) as { kind: string });
    for (const event of events) expect(validate(event) ? [] : validate.errors).toEqual([]);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(
      new Set(['ChangeEvent', 'RotationEvent', 'FindingEvent']),
    );
  });
});

describe('on a terminal', () => {
  test('the table is drawn over itself, with changes marked', async () => {
    const one = await shop();
    const { stdout, stderr } = await watchIn([one, await renewed(one, 'web', -1800)], 'certs -w', {
      terminal: { columns: 100, rows: 12 },
    });
    const frames = stdout.split('\x1b[H').slice(1);
    expect(stdout.startsWith('\x1b[2J\x1b[H')).toBe(true);
    expect(frames).toHaveLength(2);
    expect(frames[0]).toMatch(/^STATUS {2}CHANGED {2}IDENTITY/);
    expect(frames[0]).not.toContain('renewed');
    expect(frames[1]).toMatch(/OK {6}renewed 0s ago {2}shop\/web/);
    for (const frame of frames) {
      expect(frame.endsWith('\x1b[J')).toBe(true);
      expect(frame).toContain('3 certificates on 2 of 2 ztunnels: 3 OK.\x1b[K');
    }
    expect(stderr).toMatch(/watched for 20s: 1 renewed\.\n$/);
  });

  test('one that knows no escape sequences is told of each change instead', async () => {
    const one = await shop();
    const { stdout, stderr } = await watchIn([one, await renewed(one, 'web', -1800)], 'certs -w', {
      terminal: { columns: 100, rows: 12 },
      env: { TERM: 'dumb' },
    });
    expect(stdout).toMatch(/renewed/);
    expect(stdout + stderr).not.toContain('\x1b');
  });

  test('no more is drawn than fits', async () => {
    const one = await shop();
    const { stdout } = await watchIn([one], 'certs -w', { terminal: { columns: 100, rows: 4 } });
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stdout).toContain('…');
  });
});

test.each([
  ['certs -w -f dump.json', '--watch and --file'],
  ['certs -w --now 2026-11-29T22:03:42Z', '--watch and --now'],
  ['certs -w -o yaml', '--watch and --output yaml'],
  ['certs -w -o short', '--watch and --output short'],
  ['check -w -o prometheus', '--watch and --output prometheus'],
  ['check -w --output-file x', '--watch and --output-file'],
  ['certs --until ready', '--until needs --watch'],
  ['certs --interval 5s', '--interval needs --watch'],
  ['certs -w --until done', '--until can\'t be "done"'],
])('%s is refused', async (line, sentence) => {
  const { stderr, code } = await run(line);
  expect(stderr).toContain(sentence);
  expect(code).toBe(line.startsWith('check') ? 3 : 1);
});
