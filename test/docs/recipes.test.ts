// The recipes: their commands run with the rights that they grant, and with none of these missing.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { parseArgv } from '../../src/cli/argv/argv.ts';
import { commands } from '../../src/commands/index.ts';
import type { Rule } from '../mesh/access.ts';
import { passing } from '../mesh/changing.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { scenario } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const folder = temporaryDirectory();
const recipes = ['init-container', 'pipeline'] as const;
const read = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, `../../docs/recipes/${name}.md`), 'utf8');
const blocks = (name: string, language: string) =>
  [...read(name).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text!);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly namespace: string };
  readonly rules?: readonly Rule[];
  readonly spec?: {
    readonly template: {
      readonly spec: { readonly initContainers: readonly { readonly command: readonly string[] }[] };
    };
  };
}

const manifests = (name: string) => blocks(name, 'yaml').flatMap((text) => loadAll(text) as Manifest[]);

/** What the Roles grant, one right each. */
function rulesOf(name: string): readonly Rule[] {
  return manifests(name).flatMap(({ kind, metadata, rules = [] }) =>
    kind !== 'Role'
      ? []
      : rules.map(({ verbs, resources }) => ({ verbs, resources, namespaces: [metadata.namespace] })),
  );
}

let mesh: Mesh | undefined;
afterEach(() => mesh?.close());

/** Waits as the recipe says, with these rights. */
async function waitWith(name: string, rules: readonly Rule[]) {
  const workloads = [deployment('shop/web', { on: ['node-a'] })];
  const state = await scenario({ at, nodes: ['node-a'], workloads });
  const { scenario: served, clock, sleep } = passing(at, [state]);
  mesh = await startMesh(served, { rules, namespace: 'shop' });
  const pod = state.pods.find(({ metadata }) => metadata.namespace === 'shop')!.metadata.name;
  const argv = wordsOf(name).map((word) =>
    word.replace('$(POD_NAME)', pod).replace('$(POD_NAMESPACE)', 'shop'),
  );
  return run([...argv, '--kubeconfig', mesh.writeKubeconfig(folder)], { clock, sleep });
}

function wordsOf(name: string): readonly string[] {
  const [deployed] = manifests(name).filter(({ kind }) => kind === 'Deployment');
  if (deployed) return deployed.spec!.template.spec.initContainers[0]!.command.slice(1);
  const line = /^kubectl ztunnel (wait .*)$/m.exec(read(name))![1]!;
  return line.split(' ');
}

describe.each(recipes)('%s', (name) => {
  test('its rights are enough', async () => {
    const { code, stdout, stderr } = await waitWith(name, rulesOf(name));
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toMatch(/^pod\/web-\S+\.shop ready: OK on node-a\n$/);
  });

  test('each of them is needed', async () => {
    const rules = rulesOf(name);
    for (const left of rules) {
      const outcome = await waitWith(
        name,
        rules.filter((rule) => rule !== left),
      );
      expect([left.resources, outcome.code]).toEqual([left.resources, 1]);
      await mesh?.close();
    }
  });

  test('its commands are what the program takes', () => {
    const lines = blocks(name, 'sh').flatMap((text) => text.split('\n'));
    for (const line of lines.filter((each) => each.startsWith('kubectl ztunnel '))) {
      const parsed = parseArgv(line.split(' ').slice(2), commands);
      expect([line, parsed.type]).toEqual([line, 'run']);
    }
  });
});
