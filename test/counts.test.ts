// The counts that speed rests on: bytes read, requests made, forwards opened.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { growDump } from '../scripts/bench/inputs.ts';
import { largeMesh } from '../scripts/bench/largemesh.ts';
import { type Mesh, startMesh } from './mesh/mesh.ts';
import { run } from './program.ts';
import { temporaryDirectory } from './temporary.ts';

const AT = '2026-11-29T22:03:42Z';

const directory = temporaryDirectory();
let mesh: Mesh;
/** `namespace/name` of the ztunnels' pods. */
let ztunnels: readonly string[];
beforeAll(async () => {
  const scenario = await largeMesh(ZTUNNELS, new Date().toISOString());
  ztunnels = Object.keys(scenario.ztunnels);
  mesh = await startMesh(scenario);
  mesh.writeKubeconfig(directory);
});
afterAll(async () => {
  await mesh.close();
});

const ZTUNNELS = 3;

describe('bytes read', () => {
  const CHUNK = 4096;
  const WORKLOADS = 2000;

  /** How far a command reads of a dump that comes in small chunks; in bytes, a chunk more at most. */
  async function readBy(commandLine: string, dump: string): Promise<number> {
    const bytes = Buffer.from(dump);
    let read = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += CHUNK) {
        read = Math.min(bytes.length, at + CHUNK);
        yield bytes.subarray(at, at + CHUNK);
      }
    }
    const { code } = await run(`${commandLine} -f -`, { stdin: chunks(), clock: new Date(AT) });
    expect(code).toBe(0);
    return read;
  }

  test.each([
    ['certs -o short', '\n  "config": '],
    ['certs -o name', '\n  "config": '],
    ['certs -o pem', '\n  "config": '],
    ['certs --no-owners', '\n  "policies": '],
  ])('%s reads up to the end of its sections', async (commandLine, next) => {
    const dump = await growDump({ workloads: WORKLOADS, perNode: 10, identities: 10 }, AT);
    const read = await readBy(commandLine, dump);
    expect(read).toBeLessThanOrEqual(dump.indexOf(next) + CHUNK);
    expect(read).toBeLessThan(dump.length / 10);
  });

  test('in memory that is used again, and still each byte where it belongs', async () => {
    const dump = await growDump({ workloads: WORKLOADS, perNode: 100, identities: 20 }, AT);
    const file = path.join(directory, 'stdin');
    writeFileSync(file, dump);
    for (const line of ['workloads -o wide', 'workloads -o json', 'certs -o short']) {
      const [named, piped] = await Promise.all([
        run(`${line} --now ${AT} -f ${file}`),
        run(`${line} --now ${AT} -f -`, { stdin: dump }),
      ]);
      expect(named).toEqual(piped);
      expect(named.code).toBe(0);
    }
  });

  test('owners and MISSING need all of it', async () => {
    const dump = await growDump({ workloads: WORKLOADS, perNode: 10, identities: 10 }, AT);
    expect(await readBy('certs', dump)).toBeGreaterThan(dump.length - CHUNK);
  });
});

describe('of a mesh', () => {
  /** What the mesh sees of a command. */
  async function seenOf(commandLine: string) {
    const [requests, forwards] = [mesh.requests.length, mesh.forwards.length];
    const { code } = await run(commandLine, { env: { KUBECONFIG: path.join(directory, 'kubeconfig') } });
    expect(code).toBe(0);
    const lists = mesh.requests
      .slice(requests)
      .filter(({ path: asked }) => !asked.endsWith('/portforward'))
      .map(({ path: asked, query }) => `${asked}${query.labelSelector ? `?${query.labelSelector}` : ''}`);
    return { lists: lists.toSorted(), forwards: mesh.forwards.slice(forwards) };
  }

  test('certs asks for each list once, and closes each forward early', async () => {
    const dumpBytes = 7_000_000;
    // Slowly, so that no buffer on the way takes all of it.
    for (const pod of ztunnels) mesh.misbehave(pod, { how: 'drip', bytes: 16_384, everyMs: 5, times: 1 });
    const { lists, forwards } = await seenOf('certs');
    expect(lists).toEqual([
      '/api/v1/pods',
      '/api/v1/pods?app=ztunnel',
      '/apis/apps/v1/replicasets',
      '/apis/apps/v1/statefulsets',
      '/apis/batch/v1/jobs',
    ]);
    expect(forwards).toHaveLength(ZTUNNELS);
    for (const forward of forwards) {
      await until(() => forward.closedEarly);
      expect(forward.bytesSent).toBeLessThan(dumpBytes * 0.05);
    }
  });

  test.each(['certs --no-owners', 'certs -o short', 'certs -o name'])(
    '%s asks for ztunnels only',
    async (words) => {
      const { lists, forwards } = await seenOf(words);
      expect(lists).toEqual(['/api/v1/pods?app=ztunnel']);
      expect(forwards).toHaveLength(ZTUNNELS);
    },
  );

  test('a ztunnel that the API server holds back is asked once more', async () => {
    const [first = ''] = ztunnels;
    mesh.misbehave(first, { how: 'refuse', status: 429, message: 'too many requests', times: 1 });
    const before = mesh.requests.length;
    const { forwards } = await seenOf('certs -o name');
    expect(forwards).toHaveLength(ZTUNNELS);
    const upgrades = mesh.requests.slice(before).filter(({ path: asked }) => asked.endsWith('/portforward'));
    expect(upgrades.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([101, 101, 101, 429]);
  });

  test.each(['workloads -o short', 'workloads -o name'])('%s asks one ztunnel', async (words) => {
    const { lists, forwards } = await seenOf(words);
    expect(lists).toEqual(['/api/v1/pods?app=ztunnel']);
    expect(forwards).toHaveLength(1);
  });
});

/** The other end hears of it a moment later. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries === 500) throw new Error('it never came to hold');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
