// A snapshot read back says what the live mesh said, command by command and byte for byte.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commands } from '../../src/commands/index.ts';
import { formatsOf } from '../../src/printers/formats.ts';
import { demo, NODES } from '../mesh/demo.ts';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { type Scenario, ztunnelOn } from '../mesh/scenario.ts';
import { type Outcome, run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);

/** Commands that read a mesh and end by themselves. */
const NOT_COMPARED = new Set(['snapshot', 'log', 'diff', 'wait', 'decode']);
const COMPARED = commands.flatMap((command) =>
  'views' in command && !NOT_COMPARED.has(command.name)
    ? formatsOf(command.views).map((format) => [command.name, '-o', String(format)])
    : [],
);
/** Flags that read more or less than the defaults do. */
const FURTHER = [
  'certs --no-owners',
  'certs -n shop -o wide',
  'certs --group-by root',
  'certs --warn-within 23h',
  'certs -l app=web -o json',
  'certs statefulset/cart -o json',
  'certs deploy/web.shop',
  'workloads -n data -o json',
  'workloads sts/cart',
  'connections --deep -o json',
  'services --deep',
  'check --deep -o json',
  'check --only MISSING,EXPIRED',
].map((line) => line.split(' '));

const folder = temporaryDirectory();

/** Its API server's clock stands still. */
async function shop(): Promise<Scenario> {
  return { ...(await demo(at)), clock: { at } };
}

interface Place {
  readonly mesh: Mesh;
  readonly live: (argv: readonly string[]) => Promise<Outcome>;
  readonly snapshots: readonly string[];
}

/** Starts a mesh, spoils it, and takes a directory and an archive of it. */
async function take(
  name: string,
  scenario: Scenario,
  options: MeshOptions,
  spoil: (mesh: Mesh) => void,
): Promise<Place> {
  const mesh = await startMesh(scenario, { namespace: 'shop', ...options });
  const kubeconfig = mesh.writeKubeconfig(folder);
  const live = (argv: readonly string[]) => run([...argv, '--kubeconfig', kubeconfig], { clock });
  spoil(mesh);
  const snapshots = [path.join(folder, name), path.join(folder, `${name}.tar.gz`)];
  for (const target of snapshots) await live(['snapshot', target, '--timeout', '20s']);
  return { mesh, live, snapshots };
}

function comparison(name: string, open: () => Promise<Place>): void {
  describe(name, () => {
    let place: Place;
    beforeAll(async () => {
      place = await open();
    });
    afterAll(() => place.mesh.close());

    test.each([...COMPARED, ...FURTHER].map((argv) => [argv.join(' '), argv] as const))(
      '%s',
      async (_, argv) => {
        const expected = await place.live([...argv, '--now', at, '--timeout', '20s']);
        for (const snapshot of place.snapshots) {
          const { stdout, code, stderr } = await run([...argv, '-f', snapshot], { clock: new Date(0) });
          expect(stdout).toBe(expected.stdout);
          expect({ code, stderr }).toEqual({
            code: expected.code,
            stderr: expected.stderr.replaceAll(` ${place.mesh.url}`, ''),
          });
        }
      },
    );
  });
}

test('every command that reads a mesh is compared', () => {
  const names = commands.flatMap((command) => ('views' in command ? [command.name] : []));
  expect(new Set(COMPARED.map(([name]) => name))).toEqual(
    new Set(names.filter((name) => !NOT_COMPARED.has(name))),
  );
});

comparison('a mesh in which every STATUS occurs', async () => take('whole', await shop(), {}, () => {}));

comparison('a mesh of which one ztunnel breaks off and one refuses', async () => {
  const scenario = await shop();
  return take('broken', scenario, {}, (mesh) => {
    mesh.misbehave(ztunnelOn(scenario, NODES[0]), { how: 'cut', after: 30_000, contentLength: true });
    mesh.misbehave(ztunnelOn(scenario, NODES[1]), { how: 'error-channel' });
  });
});
