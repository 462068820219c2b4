// What is offered for the word that is being typed.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, listContexts } from '../../bin/reach.ts';
import { complete as completeWords } from '../../src/cli/completion/complete.ts';
import type { Io } from '../../src/cli/io.ts';
import { commands } from '../../src/commands/index.ts';
import { flagsOf } from '../../src/commands/spec/common.ts';
import { writeContexts } from '../mesh/contexts.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario } from '../mesh/scenario.ts';
import { deployment, job, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const folder = temporaryDirectory();
let objects: Scenario;
let mesh: Mesh;
beforeAll(async () => {
  objects = await scenario({
    at,
    nodes: ['node-a', 'node-b'],
    workloads: [
      deployment('shop/web', { on: ['node-a'] }),
      statefulSet('shop/cart', { on: ['node-a', 'node-b'] }),
      statefulSet('data/db', { on: ['node-b'] }),
      job('data/load-1', { on: ['node-b'], cronJob: 'load' }),
    ],
  });
  mesh = await startMesh(objects, { namespace: 'shop' });
});
afterAll(async () => {
  await mesh.close();
});

interface Completed {
  readonly values: readonly string[];
  readonly directive: string;
}

/** The line is what is typed after `kubectl ztunnel `, up to the cursor. */
async function complete(line: string, env: Record<string, string> = {}): Promise<Completed> {
  const { code, stdout, stderr } = await run(['__complete', ...line.split(' ')], { env });
  expect([code, stderr]).toEqual([0, '']);
  return read(stdout);
}

function read(stdout: string): Completed {
  const lines = stdout.split('\n');
  expect(lines.pop()).toBe('');
  const directive = lines.pop() ?? '';
  return { values: lines.map((each) => each.split('\t')[0]!), directive };
}

/** As long as a slow machine takes, or not at all: whoever waits decides. */
async function ask(
  line: string,
  on: Mesh = mesh,
  patience: 'endless' | 'none' = 'endless',
): Promise<Completed> {
  const env = { KUBECONFIG: on.writeKubeconfig(folder) };
  const clock = {
    now: () => new Date(at),
    sleep: () => (patience === 'none' ? Promise.resolve() : new Promise<void>(() => {})),
  };
  const { signal } = new AbortController();
  const io = { env, clock, signal } as unknown as Io;
  const surroundings = {
    connect: (options: Parameters<typeof connect>[0]) => connect(options, io),
    listContexts: (options: Parameters<typeof connect>[0]) => listContexts(options, io),
    clock,
    signal,
  };
  return read(await completeWords(line.split(' '), commands, surroundings));
}

describe('without a cluster', () => {
  const nowhere = { HOME: '/nonexistent' };

  test.each([
    ['wo', ['workloads'], ':4'],
    ['help wo', ['workloads'], ':4'],
    ['certs --gr', ['--group-by'], ':4'],
    ['certs --group-by r', ['root'], ':4'],
    ['certs --group-by=r', ['--group-by=root'], ':4'],
    ['certs -o p', ['pem'], ':4'],
    ['w -o p', [], ':4'],
    ['certs -op', ['-opem'], ':4'],
    ['certs -o=p', ['-o=pem'], ':4'],
    ['certs --output=j', ['--output=json'], ':4'],
    ['certs --status OK,MI', ['OK,MISSING', 'OK,MISMATCH'], ':4'],
    ['certs --no-headers=', ['--no-headers=true', '--no-headers=false'], ':4'],
    ['certs -- --gr', [], ':4'],
    ['certs --fail-on critical --fail', [], ':4'],
    ['certs --node a --nod', ['--node'], ':4'],
    ['certs -f ', [], ':0'],
    ['certs --kubeconfig ', [], ':0'],
    ['certs --resources=', [], ':0'],
    ['certs --node ', [], ':4'],
    ['certs dep', ['deployment/'], ':6'],
    ['certs deployment/web x', [], ':4'],
    ['certs x', [], ':4'],
    ['certs -f dump.json --node ', [], ':4'],
    ['ztunnels x', [], ':4'],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell', 'kubectl'], ':4'],
    ['completion --h', ['--help'], ':4'],
    ['--constructor ', expect.arrayContaining(['certs']) as never, ':4'],
    ['certs --__proto__=', [], ':4'],
    ['nonsense ', [], ':4'],
  ])('%s', async (line, values, directive) => {
    const completed = await complete(line, nowhere);
    expect(completed.values.toSorted()).toEqual(Array.isArray(values) ? values.toSorted() : values);
    expect(completed.directive).toBe(directive);
  });

  test('commands first, then help', async () => {
    const { values } = await complete('', nowhere);
    expect(values).toEqual([...commands.map(({ name }) => name), 'help']);
  });

  test.each(commands.filter((command) => 'views' in command))('every flag of $name', async (command) => {
    const { values } = await complete(`${command.name} --`, nowhere);
    const names = Object.keys(flagsOf(command)).map((flag) => `--${flag}`);
    expect(values.toSorted()).toEqual([...names, '--help'].toSorted());
  });
});

describe('with a cluster', () => {
  const podOf = (name: string) =>
    objects.pods.find(({ metadata }) => metadata.name.startsWith(name))!.metadata.name;

  test.each([
    ['certs --node ', ['node-a', 'node-b']],
    ['certs --node=node-b', ['--node=node-b']],
    ['w --workload-node ', ['node-a', 'node-b']],
    ['certs -n ', ['data', 'istio-system', 'shop']],
    ['certs -ns', ['-nshop']],
    ['services --service-namespace d', ['data']],
    ['certs cart', ['cart-0', 'cart-1']],
    ['certs db', ['db-0.data']],
    ['certs -n data db', ['db-0']],
    ['certs deployment/', ['deployment/web']],
    ['certs deploy/w', ['deploy/web']],
    ['certs sts/', ['sts/cart', 'sts/db.data']],
    ['certs cronjob/', ['cronjob/load.data']],
    ['certs sa/c', ['sa/cart']],
    ['certs node/', ['node/node-a', 'node/node-b']],
    ['certs rollout/', []],
    ['log node/node-a', ['node/node-a']],
    // It has no -f, which is no reason not to ask.
    ['wait deployment/', ['deployment/web']],
  ])('%s', async (line, values) => {
    expect((await ask(line)).values).toEqual(values);
  });

  test('names of pods, those of ztunnels among them', async () => {
    const { values } = await ask('certs ');
    expect(values).toEqual(
      expect.arrayContaining([
        podOf('web-'),
        'cart-0',
        `${podOf('ztunnel-')}.istio-system`,
        'node/',
        'deployment/',
      ]),
    );
  });

  test('asks no ztunnel', () => {
    expect(mesh.forwards).toEqual([]);
  });

  test('gives up on an API server that does not answer', async () => {
    const silent = await startMesh(objects, { namespace: 'shop' });
    try {
      silent.misbehave('/api/v1/pods', { how: 'hang', at: 'handshake' });
      expect(await ask('certs --node ', silent, 'none')).toEqual({ values: [], directive: ':4' });
      expect((await ask('certs nod', silent, 'none')).values).toEqual(['node/']);
    } finally {
      await silent.close();
    }
  });

  test('leaves out names that no Kubernetes object can have', async () => {
    const hostile = ['$(reboot)', '`id`', 'a;b', 'a b', '\u001b[31m', '-rf', "'", '..\\x', 'a\nb\tc', ':0'];
    const [ztunnel] = objects.pods.filter(({ metadata }) => metadata.labels?.app === 'ztunnel');
    const pods = [
      ...objects.pods,
      ...hostile.map((text) => ({
        ...ztunnel!,
        metadata: { ...ztunnel!.metadata, name: text, namespace: text, uid: text },
        spec: { ...ztunnel!.spec, nodeName: text, serviceAccountName: text },
      })),
    ];
    const other = await startMesh({ ...objects, pods }, { namespace: 'shop' });
    try {
      for (const line of ['certs ', 'certs -n ', 'certs node/', 'certs sa/']) {
        const { values } = await ask(line, other);
        expect(values.length).toBeGreaterThan(0);
        expect(values.filter((value) => !/^[a-zA-Z0-9._/-]+$/.test(value))).toEqual([]);
      }
    } finally {
      await other.close();
    }
  });
});

describe('contexts', () => {
  const names = ['east', 'west', 'arn:aws:eks:eu-west-1:1:cluster/a', 'admin@b', '$(reboot)', '-x'];
  test.each([
    ['certs --context ', ['admin@b', 'arn:aws:eks:eu-west-1:1:cluster/a', 'east', 'west']],
    ['certs --context=w', ['--context=west']],
    ['check --contexts e', ['east']],
    ['check --contexts east,w', ['east,west']],
    ['check --contexts east,e', []],
    [
      'diff x --contexts=west,a',
      ['--contexts=west,admin@b', '--contexts=west,arn:aws:eks:eu-west-1:1:cluster/a'],
    ],
    ['diff x --contexts east --contexts ', ['admin@b', 'arn:aws:eks:eu-west-1:1:cluster/a', 'west']],
    ['workloads --contexts ', []],
  ])('%s', async (line, values) => {
    const KUBECONFIG = writeContexts(folder, Object.fromEntries(names.map((name) => [name, mesh])));
    const { requests } = mesh;
    const before = requests.length;
    expect(await complete(line, { KUBECONFIG })).toEqual({ values, directive: ':4' });
    expect(requests).toHaveLength(before);
  });

  test('with --contexts, the mesh is that of the first', async () => {
    const KUBECONFIG = writeContexts(folder, { east: mesh });
    const completed = await complete('certs --contexts east --node ', { KUBECONFIG });
    expect(completed.values).toEqual(['node-a', 'node-b']);
  });
});
