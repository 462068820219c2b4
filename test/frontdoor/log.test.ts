// `log`: which levels ztunnels have, what is sent to change them, and when a person is asked first.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run, type Surroundings } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a', 'node-b', 'node-c'];
const folder = temporaryDirectory();
let mesh: Mesh;
let objects: Scenario;
beforeAll(async () => {
  objects = await scenario({ at, nodes, workloads: [deployment('shop/web', { on: nodes })] });
});
beforeEach(async () => {
  mesh = await startMesh(objects);
});
afterEach(() => mesh.close());

const ask = (line: string, surroundings: Surroundings = {}) =>
  run(line, { clock: new Date(at), env: { KUBECONFIG: mesh.writeKubeconfig(folder) }, ...surroundings });
const levels = () => nodes.map((node) => mesh.levels.get(ztunnelOn(objects, node)));
const nameOn = (node: string) => ztunnelOn(objects, node).split('/')[1]!;

describe('reading', () => {
  test('shows the level of every ztunnel, and changes none', async () => {
    const { stdout, stderr, code } = await ask('log');
    expect(stdout.split('\n')[0]).toMatch(/^NODE +ZTUNNEL +LEVEL$/);
    const rows = nodes.map((node) => `${node}  istio-system/${nameOn(node)}  info`);
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual(rows);
    expect(stderr).toBe('Asked 3 of 3 ztunnels.\n');
    expect(code).toBe(0);
    expect(mesh.levels.size).toBe(0);
  });

  test('asks the API for ztunnels only', async () => {
    await ask('o -o json');
    const lists = mesh.requests.map((request) => request.path.split('?')[0]);
    expect(lists.filter((each) => !each?.endsWith('/portforward'))).toEqual(['/api/v1/pods']);
  });

  test("in istioctl's format names the pod above its answer", async () => {
    const { stdout } = await ask('log --node node-b -o short');
    expect(stdout).toBe(`${nameOn('node-b')}.istio-system:\ncurrent log level is info\n`);
  });

  test('as a document has the level and the answer as it was sent', async () => {
    const { stdout } = await ask('log --node node-a -o json');
    const { kind, items } = JSON.parse(stdout);
    const ztunnel = { namespace: 'istio-system', name: nameOn('node-a'), node: 'node-a' };
    expect(kind).toBe('LogLevelList');
    expect(items).toEqual([{ node: 'node-a', ztunnel, level: 'info', raw: 'current log level is info\n' }]);
  });

  test('of one that fails is an error of its own', async () => {
    const { stdout, stderr, code } = await ask('log --proxy-admin-port 15999 --node node-a --timeout 5s');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*node-a: .*15999/m);
    expect(code).toBe(1);
  });
});

describe('--level', () => {
  test.each([
    ['trace', 'trace'],
    ['debug', 'debug'],
    ['info', 'info'],
    ['warning', 'warn'],
    ['warn', 'warn'],
    ['error', 'error'],
    ['critical', 'error'],
    ['off', 'off'],
    ['DEBUG', 'debug'],
    ['ztunnel::proxy:debug', 'ztunnel::proxy=debug'],
    ['ztunnel::proxy=debug', 'ztunnel::proxy=debug'],
    ['access:warning,ztunnel=critical,info', 'access=warn,ztunnel=error,info'],
  ])('%s is sent as %s', async (given, sent) => {
    const { stdout, stderr, code } = await ask(`log --node node-b --level ${given}`);
    expect(levels()).toEqual([undefined, sent, undefined]);
    expect(stdout).toContain(sent);
    expect(stderr).toBe('Changed 1 of 1 ztunnel.\n');
    expect(code).toBe(0);
  });

  test.each([
    'loud',
    'a:b',
    'ztunnel::proxy',
    'debug,',
    ':debug',
    'a b=debug',
    'x&reset=debug',
    'debug&reset',
  ])('%j is a usage error, and nothing is sent', async (given) => {
    const { stderr, code } = await run(['log', '--yes', `--level=${given}`], {
      env: { KUBECONFIG: mesh.writeKubeconfig(folder) },
    });
    expect(stderr).toMatch(/^error: --level has no (level|logger's name) in "/);
    expect(code).toBe(1);
    expect(mesh.requests).toEqual([]);
  });
});

describe('--reset', () => {
  test.each(['--reset', '-r'])('%s goes back', async (flag) => {
    await ask('log --node node-b --level debug');
    await ask(`log --node node-b ${flag}`);
    expect(mesh.levels.size).toBe(0);
  });

  test('with --level resets first', async () => {
    await ask('log --node node-b --level debug');
    const { stdout } = await ask('log --node node-b --level trace --reset');
    expect(levels()[1]).toBe('trace');
    expect(stdout).toContain('trace');
  });
});

describe('several ztunnels', () => {
  const person: Surroundings = { stdinIsTerminal: true, terminal: { columns: 80, rows: 24 } };

  test('without a terminal need --yes', async () => {
    for (const line of ['log --level debug', 'log --reset']) {
      const { stdout, stderr, code } = await ask(line, { stdin: 'y\n' });
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^error: log would .* of 3 ztunnels, which needs --yes\. Add --yes/);
      expect(code).toBe(1);
    }
    expect(mesh.levels.size).toBe(0);
  });

  test.each(['--yes', '-y'])('with %s are all changed without a question', async (yes) => {
    const { stderr, code } = await ask(`log --level debug ${yes}`);
    expect(levels()).toEqual(['debug', 'debug', 'debug']);
    expect(stderr).toBe('Changed 3 of 3 ztunnels.\n');
    expect(code).toBe(0);
  });

  test.each([
    ['y\n', true],
    ['YES\n', true],
    ['\n', false],
    ['n\n', false],
    ['yesterday\n', false],
    ['', false],
  ])('on a terminal, the answer %j changes them: %s', async (stdin, changed) => {
    const { stderr, code } = await ask('log --level debug', { ...person, stdin });
    expect(stderr).toContain('Do you want to set the log level debug of 3 ztunnels? [y/N] ');
    expect(levels()).toEqual(Array(3).fill(changed ? 'debug' : undefined));
    expect(code).toBe(changed ? 0 : 1);
    if (!changed) expect(stderr).toContain('error: nothing was changed');
  });

  test('where questions can be answered but not seen, --yes is needed', async () => {
    const { stderr } = await ask('log --level debug', { stdinIsTerminal: true, stdin: 'y\n' });
    expect(stderr).toContain('needs --yes');
    expect(mesh.levels.size).toBe(0);
  });

  test('one that is named, or only reading, needs no yes', async () => {
    expect((await ask('log --level debug --node node-a')).code).toBe(0);
    expect((await ask('log')).code).toBe(0);
  });

  test('an interrupt ends the question, and nothing is changed', async () => {
    const controller = new AbortController();
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const asking = ask('log --level debug', { ...person, stdin: silent, signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    expect((await asking).code).toBe(130);
    expect(mesh.levels.size).toBe(0);
  });
});

describe('what makes no sense', () => {
  test('a saved dump has no log levels', async () => {
    const { stderr, code } = await run('log -f dump.json');
    expect(stderr).toMatch(/^error: log has no flag -f\. See --help/);
    expect(code).toBe(1);
  });

  test('one ztunnel that fails leaves the others changed, and is named', async () => {
    const refusing = await startMesh(objects);
    refusing.misbehave(ztunnelOn(objects, 'node-a'), { how: 'error-channel' });
    const env = { KUBECONFIG: refusing.writeKubeconfig(folder) };
    const { stdout, stderr, code } = await run('log --level debug --yes', { env, clock: new Date(at) });
    await refusing.close();
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toMatch(/^error: .*node-a: .*connection refused/m);
    expect(code).toBe(1);
  });

  test('the words of a refusal are those of ztunnel, and reach no terminal unescaped', async () => {
    mesh.misbehave(ztunnelOn(objects, 'node-a'), {
      how: 'reply',
      status: 400,
      body: 'invalid level \x1b[31m\nmore',
    });
    const { stderr } = await ask('log --node node-a --level debug');
    expect(stderr).toContain('HTTP status 400: invalid level \\x1b[31m.');
    expect(stderr).not.toContain('more');
  });
});
