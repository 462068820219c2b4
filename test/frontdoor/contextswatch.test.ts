import { afterEach, describe, expect, test } from '@jest/globals';
import { passing } from '../mesh/changing.ts';
import { writeContexts } from '../mesh/contexts.ts';
import { entryBy, withEntries } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const anHourLater = '2026-11-29T23:03:42Z';
const folder = temporaryDirectory();

const open: Mesh[] = [];
afterEach(() => Promise.all(open.splice(0).map((mesh) => mesh.close())));

/** The two clusters have nodes and identities of the same names. */
const shop = (more: Partial<MeshSpec> = {}) =>
  scenario({
    at,
    nodes: ['node-a'],
    workloads: [deployment('shop/web', { on: ['node-a'] })],
    certificates: { 'shop/web': { validFrom: -3600, validTo: 82_800 } },
    ...more,
  });
const renewed = (state: Scenario, from: number) =>
  withEntries(state, 'node-a', (identity) => entryBy(identity, at, { from, to: from + 86_400 }));

interface Watching {
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly onSleep?: (round: number, west: Mesh) => void;
}

/** Watches both while they pass through these states; the western clock is an hour ahead. */
async function watchIn(
  east: readonly Scenario[],
  west: readonly Scenario[],
  line: string,
  { terminal, onSleep }: Watching = {},
) {
  const controller = new AbortController();
  const rounds = Math.max(east.length, west.length);
  const western = passing(anHourLater, west);
  const eastern = passing(at, east, (round) => {
    onSleep?.(round, open.at(-1)!);
    if (round === rounds) controller.abort(new Error('interrupted'));
  });
  const meshes = { east: await startMesh(eastern.scenario), west: await startMesh(western.scenario) };
  open.push(meshes.east, meshes.west);
  const KUBECONFIG = writeContexts(folder, meshes);
  const outcome = await run(`${line} --contexts east,west`, {
    clock: eastern.clock,
    sleep: (milliseconds) => {
      western.sleep(milliseconds);
      eastern.sleep(milliseconds);
    },
    env: { KUBECONFIG, NO_COLOR: '1' },
    signal: controller.signal,
    ...(terminal && { terminal }),
  });
  return { ...outcome, lines: outcome.stdout.split('\n').filter(Boolean) };
}

describe('certs --watch', () => {
  test('tells each change once, with its cluster and by its clock', async () => {
    const one = await shop();
    const two = await renewed(one, -1800);
    const { lines, stderr, code } = await watchIn([one, one, two, two], [one, two, two, two], 'certs -w');
    expect(lines).toEqual([
      expect.stringMatching(/^2026-11-29T23:03:52Z renewed shop\/web on node-a in west: serial /),
      expect.stringMatching(/^2026-11-29T22:04:02Z renewed shop\/web on node-a in east: serial /),
    ]);
    expect(stderr).toContain('watched for 40s: 2 renewed.');
    expect(code).toBe(130);
  });

  test('-o json: each line follows the schema and names its cluster', async () => {
    const one = await shop();
    const { lines } = await watchIn([one, await renewed(one, -1800)], [one], 'certs -w -o json');
    const [event] = lines.map((line) => JSON.parse(line) as { change: { cluster: string } });
    expect(validate(event) ? [] : validate.errors).toEqual([]);
    expect([lines.length, event?.change.cluster]).toEqual([1, 'east']);
  });

  test('does not take the silence of a cluster for a change', async () => {
    const one = await shop();
    const two = await renewed(one, -1800);
    const { lines, stderr } = await watchIn([one, one, one, one], [one, one, two, two], 'certs -w', {
      onSleep: (round, west) =>
        west.misbehave(
          '/api/v1/pods',
          round === 1 ? { how: 'refuse', status: 500, message: 'restarting' } : undefined,
        ),
    });
    expect(lines).toEqual([expect.stringMatching(/^2026-11-29T23:04:02Z renewed .* in west: /)]);
    expect(stderr.match(/^error: west: .*restarting/gm)).toHaveLength(1);
  });

  test('on a terminal the table is drawn anew, with CLUSTER before STATUS and CHANGED', async () => {
    const one = await shop();
    const { stdout } = await watchIn([one, await renewed(one, -1800)], [one, one], 'certs -w', {
      terminal: { columns: 100, rows: 30 },
    });
    const last = stdout.slice(stdout.lastIndexOf('CLUSTER')).split('\n');
    expect(last.slice(0, 3).map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['CLUSTER', 'STATUS', 'CHANGED', 'IDENTITY'],
      ['east', 'OK', 'renewed 0s ago', 'shop/web'],
      ['west', 'OK', '-', 'shop/web'],
    ]);
  });

  test('--until waits for all clusters', async () => {
    const one = await shop();
    const two = await renewed(one, -1800);
    const { code, stderr } = await watchIn(
      [one, two, two, two],
      [one, one, two, two],
      'certs -w --until renewed',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('all are renewed; watched for 20s: 2 renewed.');
  });

  test('what none of them can be asked at first ends it', async () => {
    const one = await shop();
    const { code, stdout, stderr } = await watchIn([one], [one], 'certs -w --kubeconfig /nowhere/config');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: east: .*nowhere\/config.*; nor could west be asked\. /);
  });
});

describe('check --watch', () => {
  test('tells which findings come and go, and in which cluster', async () => {
    const [good, bad] = [await shop(), await shop({ certificates: { 'shop/web': 'EXPIRED' } })];
    const line = 'check -w --only EXPIRED -o json';
    const { lines, code } = await watchIn([good, good, good], [good, bad, good], line);
    const events = lines.map((each) => JSON.parse(each) as { time: string; change: string; object: object });
    expect(events.map((event) => (validate(event) ? [] : validate.errors))).toEqual([[], []]);
    expect(events).toEqual([
      expect.objectContaining({ time: '2026-11-29T23:03:52Z', change: 'added' }),
      expect.objectContaining({ time: '2026-11-29T23:04:02Z', change: 'removed' }),
    ]);
    expect(events[0]?.object).toMatchObject({ cluster: 'west', namespace: 'shop', name: 'web' });
    expect(code).toBe(130);
    const told = await watchIn([good, good], [good, bad], 'check -w --only EXPIRED');
    expect(told.lines).toEqual([
      expect.stringMatching(/^2026-11-29T23:03:52Z added EXPIRED shop\/web on node-a in west/),
    ]);
  });

  test('does not take the silence of a cluster for an end of its findings', async () => {
    const bad = await shop({ certificates: { 'shop/web': 'EXPIRED' } });
    const line = 'check -w --only EXPIRED';
    const { lines, stderr } = await watchIn([bad, bad, bad], [bad, bad, bad], line, {
      onSleep: (round, west) =>
        west.misbehave(
          '/api/v1/pods',
          round === 1 ? { how: 'refuse', status: 500, message: 'restarting' } : undefined,
        ),
    });
    expect(lines).toEqual([]);
    expect(stderr.match(/^error: west: .*restarting/gm)).toHaveLength(1);
  });

  test('and what comes to be between them', async () => {
    const [same, other] = [await shop(), await shop({ trustDomain: 'west.example' })];
    const { lines } = await watchIn([same, same], [same, other], 'check -w --only CLUSTERS-APART');
    expect(lines).toEqual([
      expect.stringMatching(
        /added CLUSTERS-APART east: trust domain cluster\.local; not that of west: trust domain west\.example$/,
      ),
      expect.stringMatching(
        /added CLUSTERS-APART west: trust domain west\.example; not that of east: trust domain cluster\.local$/,
      ),
    ]);
  });
});
