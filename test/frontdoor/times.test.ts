// When a live dump is judged: at the API server's time at which its answer began, not at that of the first list.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { scenario } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const kubeconfig = path.join(temporaryDirectory(), 'kubeconfig');
let mesh: Mesh;
beforeAll(async () => {
  const state = await scenario({
    at,
    nodes: ['node-a'],
    workloads: [deployment('shop/web', { on: ['node-a'] })],
    certificates: { 'shop/web': { validFrom: -86_390, validTo: 30 } },
  });
  mesh = await startMesh(state, { namespace: 'shop' });
  writeFileSync(kubeconfig, mesh.kubeconfig);
});
afterAll(() => mesh.close());

/** The local clock goes on by so many milliseconds each time that it is asked. */
async function certs(step: number, more: readonly string[] = []) {
  let now = Date.parse(at);
  const clock = () => {
    now += step;
    return new Date(now);
  };
  const { stdout } = await run(['certs', '-o', 'json', '--kubeconfig', kubeconfig, ...more], { clock });
  const { items, reference } = JSON.parse(stdout);
  return { status: items[0].status, remaining: items[0].remainingSeconds, time: reference.time };
}

test('while no time passes, at the time of the first list', async () => {
  expect(await certs(0)).toEqual({ status: 'EXPIRING', remaining: 30, time: at });
});

test('where much time passes before a ztunnel answers, at the time of its answer', async () => {
  const { status, remaining, time } = await certs(40_000);
  expect([status, time]).toEqual(['EXPIRED', at]);
  expect(remaining).toBeLessThanOrEqual(0);
});

test('with --now, at that time', async () => {
  expect(await certs(20_000, ['--now', at])).toMatchObject({ status: 'EXPIRING', remaining: 30 });
});
