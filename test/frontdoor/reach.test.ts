// `reach` says of each connection that was recorded what became of it, and why.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const TESTDATA = path.resolve(import.meta.dirname, '../testdata');
const TRAFFIC = path.join(TESTDATA, 'traffic');
const AT = '2026-11-30T21:45:00Z';

interface Recorded {
  readonly from: string;
  readonly to: string;
  readonly via: 'pod' | 'service';
  readonly port: number;
  readonly reached: boolean;
}

interface End {
  readonly namespace: string;
  readonly name: string;
}

interface Pair {
  readonly sources: readonly End[];
  readonly outcome: 'reached' | 'refused' | 'unknown';
  readonly decisive: { readonly step: string } | null;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const dumpOf = (scenario: string) => path.join(TRAFFIC, `${scenario}.config_dump.json`);

/** `shop/cart` as DST. */
function writtenAs(to: string, via: string, port: number): string {
  const [namespace, name] = to.split('/');
  return `${via === 'service' ? 'service/' : ''}${name}.${namespace}:${port}`;
}

/** Where connections of a scenario end that do not get through; at the policies if it is not named. */
const STEP: Readonly<Record<string, (from: string) => string>> = {
  'not-enrolled': (from) => (from === 'data/db' ? 'capture' : 'way'),
  'workload-other-account': (from) => (from === 'data/db' ? 'capture' : 'way'),
  'service-without-port': () => 'destination',
};

describe('connections recorded from a real ztunnel', () => {
  const scenarios = readdirSync(TRAFFIC)
    .filter((name) => name.endsWith('.results.json'))
    .map((name) => name.replace('.results.json', ''));

  test('of 20 scenarios', () => {
    expect(scenarios).toHaveLength(20);
  });

  test.each(scenarios)('%s', async (scenario) => {
    const recorded = read(path.join(TRAFFIC, `${scenario}.results.json`)) as readonly Recorded[];
    expect(recorded).toHaveLength(72);
    const groups = Map.groupBy(recorded, ({ to, via, port }) => writtenAs(to, via, port));
    for (const [to, members] of groups) {
      const argv = ['reach', '--to', to, '-f', dumpOf(scenario), '--now', AT, '-o', 'json'];
      const { stdout, code } = await run(argv);
      const document = JSON.parse(stdout) as { readonly items: readonly Pair[] };
      expect(validate(document) ? [] : validate.errors).toEqual([]);
      const said = new Map(
        document.items.flatMap(({ sources, outcome, decisive }) =>
          sources.map(({ namespace, name }) => [
            `${namespace}/${name}`,
            outcome === 'refused' ? `refused at ${decisive?.step}` : outcome,
          ]),
        ),
      );
      const expected = members.map(({ from, reached }) => [
        from,
        reached ? 'reached' : `refused at ${STEP[scenario]?.(from) ?? 'policies'}`,
      ]);
      expect([to, members.map(({ from }) => [from, said.get(from)])]).toEqual([to, expected]);
      expect(code).toBe(document.items.every(({ outcome }) => outcome === 'reached') ? 0 : 1);
    }
  });
});

describe('pairs of a real mesh, with the dumps of both nodes', () => {
  /** Moments whose pods were seconds old are judged ten minutes later. */
  const later = /^(?:enrol|untrusted-account|token)/;
  const moments = readdirSync(path.join(TESTDATA, 'mesh')).flatMap((folder) =>
    readdirSync(path.join(TESTDATA, 'mesh', folder)).map((moment) => `${folder}/${moment}`),
  );

  test('of all moments', () => {
    expect(moments).toHaveLength(11);
  });

  test.each(moments)('%s', async (moment) => {
    const directory = path.join(TESTDATA, 'mesh', moment);
    const { at, reached } = read(path.join(directory, 'observed.json')) as {
      readonly at: string;
      readonly reached: Readonly<Record<string, boolean>>;
    };
    const now = new Date(Date.parse(at) + (later.test(moment) ? 600_000 : 0)).toISOString();
    const files = ['node-a', 'node-b'].flatMap((node) => [
      '-f',
      path.join(directory, `${node}.config_dump.json`),
    ]);
    const pairs = Object.entries(reached);
    expect(pairs).toHaveLength(12);
    for (const [pair, got] of pairs) {
      const [from = '', to = ''] = pair.split(' -> ').map((each) => each.split('/').toReversed().join('.'));
      // What becomes of connections of a ztunnel that has no configuration, no dump can tell.
      const isOpen = moment.startsWith('token') && !got;
      const { code, stderr } = await run(['reach', from, `${to}:8080`, ...files, '--now', now]);
      expect([pair, code, stderr]).toEqual([pair, isOpen ? 2 : got ? 0 : 1, expect.anything()]);
    }
  });
});

describe('what is printed', () => {
  const two = ['-f', dumpOf('two-rules'), '--now', AT];

  test.each([
    ['reach-steps', ['legacy.shop', 'service/db.data', ...two], undefined, 1],
    ['reach-steps-80', ['legacy.shop', 'service/db.data', ...two], 80, 1],
    ['reach-steps-wide', ['web.shop', 'db.data.svc.cluster.local:81', '-o', 'wide', ...two], undefined, 0],
    ['reach-steps-problems', ['admin.ops', 'service/db.data', '--problems', ...two], undefined, 1],
    ['reach-short', ['admin.ops', 'service/db.data', '-o', 'short', ...two], undefined, 1],
    ['reach-from', ['admin.ops', '-A', ...two], undefined, 1],
    ['reach-from-problems-80', ['admin.ops', '-A', '--problems', ...two], 80, 1],
    ['reach-from-wide', ['serviceaccount/admin.ops', '-n', 'data', '-o', 'wide', ...two], undefined, 1],
    ['reach-to', ['--to', 'service/db.data', ...two], undefined, 1],
    ['reach-to-wide', ['--to', 'db.data', '-n', 'shop', '-o', 'wide', ...two], undefined, 1],
    ['reach-kubelet', ['node/node-a', '10.77.0.4:8080', ...two], undefined, 0],
    ['reach-outsider', ['192.0.2.1', 'db.data:8080', ...two], undefined, 1],
  ] as const)('%s', async (name, words, columns, code) => {
    const terminal = columns === undefined ? {} : { terminal: { columns, rows: 50 } };
    const outcome = await run(['reach', ...words], { ...terminal, env: { NO_COLOR: '1' } });
    expectGolden('frontdoor', name, `${outcome.stdout}${outcome.stderr}`);
    expect(outcome.code).toBe(code);
  });

  test('nothing, where --problems leaves nothing', async () => {
    const outcome = await run(['reach', 'web.shop', 'db.data', '--problems', ...two]);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: 'No problems: 2 of 2 ways can be reached.\n' });
  });

  test('what another ztunnel has otherwise, as a note', async () => {
    const moment = path.join(TESTDATA, 'mesh/policies');
    const files = ['-f', path.join(moment, '0-none/node-a.config_dump.json')];
    files.push('-f', path.join(moment, '1-allow-web-deny-ops/node-b.config_dump.json'));
    const { stdout, code } = await run([
      'reach',
      'admin.ops',
      'cart.shop:8080',
      ...files,
      '--now',
      '2026-11-30T22:50:00Z',
    ]);
    expect(stdout).toContain('has other policies for shop/cart than');
    expect(code).toBe(1);
  });
});

describe('exits with 2', () => {
  const none = ['-f', dumpOf('none'), '--now', AT];
  test.each([
    ['without words', [], 'reach needs a source, a destination, or both'],
    ['for two destinations', ['web.shop', 'db.data', '--to', 'db.data'], '--to and a second word'],
    ['for a port that is none', ['web.shop', 'db.data:0'], '"0" is no port'],
    ['for a port that is text', ['web.shop', 'db.data:http'], '"http" is no port'],
    ['for an absent source', ['nobody.shop', 'db.data'], 'there is no pod nobody.shop'],
    ['for an absent service', ['web.shop', 'service/dbb.data'], 'Did you mean service/db.data?'],
    ['for a service that is written wrong', ['web.shop', 'service/cartt'], 'Did you mean service/cart.shop?'],
    ['for a service by a name alone', ['web.shop', 'admin.opz'], 'there is no pod admin.opz'],
    ['for a service as the source', ['service/db.data', 'web.shop'], 'service db.data is no source'],
    ['for a node as the destination', ['web.shop', 'node/node-a'], 'which is no destination'],
    ['for a kubelet without a destination', ['node/node-a'], 'Name a destination as well.'],
    ['for a namespace that is none', ['web.shop', '-n', 'dataa'], 'Did you mean data?'],
    ['for no such namespace of sources', ['--to', 'db.data:80', '-n', 'dta'], 'Did you mean data?'],
    ['for no service', ['web.shop', 'service/'], 'names no service'],
  ])('%s', async (_, words, said) => {
    const { code, stdout, stderr } = await run(['reach', ...words, ...none]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  test('where there is no dump of the destination', async () => {
    const file = path.join(TESTDATA, 'mesh/policies/0-none/node-a.config_dump.json');
    const { code, stdout, stderr } = await run([
      'reach',
      'web.shop',
      'db.data:8080',
      '-f',
      file,
      '--now',
      '2026-11-30T22:50:00Z',
    ]);
    expect(stdout).toContain('there is no dump of a ztunnel on node-b');
    expect([code, stderr]).toEqual([2, 'unknown: 1 of 1 way.\n']);
  });
});

describe('of a live mesh of three nodes', () => {
  const nodes = ['node-a', 'node-b', 'node-c'];
  const folder = temporaryDirectory();
  let state: Scenario;
  let mesh: Mesh;
  beforeAll(async () => {
    const at = new Date().toISOString();
    const workloads = [
      deployment('shop/web', { on: ['node-a'] }),
      deployment('shop/api', { on: ['node-b'] }),
      deployment('shop/other', { on: ['node-c'] }),
    ];
    state = await scenario({ at, nodes, workloads });
    mesh = await startMesh(state, { namespace: 'shop' });
    mesh.writeKubeconfig(folder);
  });
  afterAll(() => mesh.close());

  async function ask(...words: readonly string[]) {
    const before = mesh.forwards.length;
    const outcome = await run(['reach', ...words], { env: { KUBECONFIG: path.join(folder, 'kubeconfig') } });
    return { ...outcome, forwards: mesh.forwards.length - before };
  }

  test('the ztunnels of both ends are asked, and no others', async () => {
    const { code, forwards, stdout } = await ask('deployment/web', 'deployment/api:8080');
    expect(stdout).toContain('on node-b accepts shop/web by root');
    expect({ code, forwards }).toEqual({ code: 0, forwards: 2 });
  });

  test('one alone, where both are on its node', async () => {
    expect(await ask('deployment/web', 'deployment/web:8080')).toMatchObject({ code: 0, forwards: 1 });
  });

  test('all of them for every source', async () => {
    expect(await ask('--to', 'deployment/api:8080')).toMatchObject({ code: 0, forwards: 3 });
  });

  test('what depends on a ztunnel that does not answer is unknown', async () => {
    mesh.misbehave(ztunnelOn(state, 'node-b'), { how: 'refuse', status: 500, message: 'no', times: 4 });
    const { code, stdout, stderr } = await ask('deployment/web', 'deployment/api:8080');
    expect(stdout).toContain('did not answer');
    expect(stderr).toContain('unknown: 1 of 1 way.');
    expect(code).toBe(2);
  });
});
