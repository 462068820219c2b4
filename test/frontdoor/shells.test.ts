// Completion as shells do it: bash, zsh and fish as they are installed, with the built program, and kubectl's own.

import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INHERITED } from '../inherited.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { scenario } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { temporaryDirectory } from '../temporary.ts';

const program = path.resolve(import.meta.dirname, '../../bin/kubectl-ztunnel');
const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
/** Tests that need what is not installed are skipped, and say so in their name. */
const needs = (...commands: readonly string[]) => {
  const missing = commands.filter((command) => !has(command));
  return {
    missing,
    suffix: missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not installed)`,
  };
};

const folder = temporaryDirectory();
let mesh: Mesh;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  const nodes = ['node-a', 'worker-b'];
  const objects = await scenario({
    at: '2026-11-29T22:03:42Z',
    nodes,
    workloads: [deployment('shop/web', { on: nodes })],
  });
  mesh = await startMesh(objects, { namespace: 'shop' });
  symlinkSync(program, path.join(folder, 'kubectl-ztunnel'));
  const shim = path.join(folder, 'kubectl_complete-ztunnel');
  writeFileSync(shim, spawnSync(process.execPath, [program, 'completion', 'kubectl']).stdout);
  chmodSync(shim, 0o755);
  writeFileSync(path.join(folder, 'mydump.json'), '');
  env = {
    ...INHERITED,
    HOME: folder,
    TERM: 'dumb',
    PATH: `${folder}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    KUBECONFIG: mesh.writeKubeconfig(folder),
  };
});
afterAll(async () => {
  await mesh.close();
});

/** What is typed, and what stands there after Tab. */
const cases: readonly (readonly [typed: string, becomes: string])[] = [
  ['kubectl ztunnel work', 'kubectl ztunnel workloads '],
  ['kubectl ztunnel certs --gr', 'kubectl ztunnel certs --group-by '],
  ['kubectl ztunnel certs --output=js', 'kubectl ztunnel certs --output=json '],
  ['kubectl ztunnel certs -o wi', 'kubectl ztunnel certs -o wide '],
  ['kubectl ztunnel certs --status OK,MISS', 'kubectl ztunnel certs --status OK,MISSING '],
  ['kubectl ztunnel certs --node wor', 'kubectl ztunnel certs --node worker-b '],
  ['kubectl ztunnel certs deployment/w', 'kubectl ztunnel certs deployment/web '],
  ['kubectl ztunnel certs statef', 'kubectl ztunnel certs statefulset/'],
  ['kubectl ztunnel certs -f myd', 'kubectl ztunnel certs -f mydump.json '],
  ['kubectl-ztunnel certs --gr', 'kubectl-ztunnel certs --group-by '],
  // What completed kubectl before still does.
  ['kubectl get po', 'kubectl get pods '],
];

interface Session {
  /** Types a line and Tab, and gives what then stands there. */
  complete(typed: string): Promise<string>;
  end(): Promise<void>;
}

/** An interactive shell on a terminal, whose line is read back through a key that saves it. */
async function startShell(shell: string, setup: string): Promise<Session> {
  const place = mkdtempSync(path.join(folder, 'shell-'));
  const [saved, ready] = [path.join(place, 'saved'), path.join(place, 'ready')];
  const child = spawn('script', ['-qec', shell, '/dev/null'], { env: { ...env, SAVED: saved }, cwd: folder });
  child.stdin.on('error', () => {});
  child.stdout.resume();
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  child.stdin.write(`${setup}\ntouch "${ready}"\n`);
  await until(() => readFile(ready) !== undefined);
  return {
    async complete(typed) {
      rmSync(saved, { force: true });
      child.stdin.write(`\x15${typed}\t\x18\x18`);
      await until(() => readFile(saved) !== undefined);
      return readFile(saved)!;
    },
    end() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Completion waits a second for the mesh, which a busy machine may not keep: then a person presses Tab again. */
async function tryTo(complete: () => Promise<string>, becomes: string): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) if ((await complete()) === becomes) return becomes;
  return complete();
}

function readFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Bounded, so that a shell that does not do it is a failure. */
async function until(holds: () => boolean): Promise<void> {
  for (let wait = 0; wait < 600; wait++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the shell did not come so far');
}

const bash = needs('bash', 'script');
describe(`bash${bash.suffix}`, () => {
  const setup = [
    '__start_kubectl() { COMPREPLY=(pods); }',
    'complete -F __start_kubectl kubectl',
    'source <(kubectl-ztunnel completion bash)',
    'source <(kubectl-ztunnel completion bash)',
    'save() { printf %s "$READLINE_LINE" >"$SAVED.new"; mv "$SAVED.new" "$SAVED"; }',
    `bind -x '"\\C-x\\C-x": save'`,
  ].join('\n');
  let session: Session | undefined;
  beforeAll(async () => {
    if (bash.missing.length === 0) session = await startShell('bash --norc --noprofile -i', setup);
  }, 60_000);
  afterAll(() => session?.end());

  (bash.missing.length === 0 ? test : test.skip).each(cases)(
    '%s',
    async (typed, becomes) => {
      expect(await tryTo(() => session!.complete(typed), becomes)).toBe(becomes);
    },
    60_000,
  );
});

const zsh = needs('zsh', 'script');
describe(`zsh${zsh.suffix}`, () => {
  const setup = [
    'PS1=',
    'autoload -Uz compinit && compinit -u -D',
    '_fake_kubectl() { compadd pods }; compdef _fake_kubectl kubectl',
    'source <(kubectl-ztunnel completion zsh)',
    'source <(kubectl-ztunnel completion zsh)',
    'save() { print -rn -- "$BUFFER" >"$SAVED.new"; mv "$SAVED.new" "$SAVED" }',
    `zle -N save; bindkey '^X^X' save`,
  ].join('\n');
  let session: Session | undefined;
  beforeAll(async () => {
    if (zsh.missing.length === 0) session = await startShell('zsh -f -i', setup);
  }, 60_000);
  afterAll(() => session?.end());

  (zsh.missing.length === 0 ? test : test.skip).each(cases)(
    '%s',
    async (typed, becomes) => {
      expect(await tryTo(() => session!.complete(typed), becomes)).toBe(becomes);
    },
    60_000,
  );
});

const fish = needs('fish');
describe(`fish${fish.suffix}`, () => {
  (fish.missing.length === 0 ? test : test.skip).each(cases)(
    '%s',
    async (typed, becomes) => {
      const script = `complete -c kubectl -n 'not __kubectl_ztunnel_wanted' -f -a pods; kubectl-ztunnel completion fish | source; complete -C ${JSON.stringify(typed)}`;
      const complete = async () => {
        const argv = ['--no-config', '-c', script];
        const { stdout } = await promisify(execFile)('fish', argv, { env, cwd: folder });
        return stdout.trimEnd().replaceAll(/\t.*$/gm, '');
      };
      const last = becomes.trimEnd().split(' ').at(-1)!;
      expect(await tryTo(complete, last)).toBe(last);
    },
    60_000,
  );
});

const kubectl = needs('kubectl');
describe(`kubectl${kubectl.suffix}`, () => {
  (kubectl.missing.length === 0 ? test : test.skip).each([
    [['work'], ['workloads']],
    [['certs', '--gr'], ['--group-by']],
    [['certs', '--node', 'wor'], ['worker-b']],
    [['certs', 'deployment/w'], ['deployment/web']],
  ])(
    '%j through the shim',
    async (words, values) => {
      const complete = async () => {
        const argv = ['__complete', 'ztunnel', ...words];
        const { stdout } = await promisify(execFile)('kubectl', argv, { env, cwd: folder });
        return stdout.trimEnd().replaceAll(/\t.*$/gm, '');
      };
      const expected = [...values, ':4'].join('\n');
      expect(await tryTo(complete, expected)).toBe(expected);
    },
    60_000,
  );
});
