// Runs the end-to-end suite: against a real control plane that it starts and stops, or reading any other cluster.

import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { openApi } from '../test/endtoend/api.ts';
import { findBinary } from '../test/endtoend/binary.ts';
import { type ControlPlane, startControlPlane } from '../test/endtoend/controlplane.ts';
import { seededMesh } from '../test/endtoend/mesh.ts';
import { grantRoles } from '../test/endtoend/roles.ts';
import { seed } from '../test/endtoend/seed.ts';
import { type Surroundings, VARIABLE } from '../test/endtoend/surroundings.ts';
import { serveZtunnels } from '../test/endtoend/ztunnels.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js');
const CONFIG = path.join(ROOT, 'test/endtoend/jest.config.js');
/** The only tests that are fit for a cluster that is not ours. */
const READ_ONLY = 'test/endtoend/anycluster';

const say = (line: string) => console.error(`test:cluster: ${line}`);

/** What an interrupt has to end; everything else ends by itself. */
let interrupted = false;

function runJest(surroundings: Surroundings, argv: readonly string[]): Promise<number> {
  const env = { ...process.env, [VARIABLE]: JSON.stringify(surroundings) };
  const child = spawn(process.execPath, ['--experimental-vm-modules', JEST, '-c', CONFIG, ...argv], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = () => child.kill('SIGTERM');
  process.on('SIGINT', end).on('SIGTERM', end);
  if (interrupted) end();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Seeds the control plane and runs the suite. */
async function runSeeded(plane: ControlPlane, binary: string, argv: readonly string[]): Promise<number> {
  const { announcement } = plane;
  say(`the control plane is up (process ${announcement.pid}, log ${announcement.log})`);
  const api = openApi(announcement);
  const at = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const mesh = await seededMesh(at);
  const uids = await seed(api, mesh, announcement.kubeletPort);
  await grantRoles(api);
  api.close();
  const closeZtunnels = await serveZtunnels(mesh, uids, announcement.backends);
  try {
    const controlPlane = { ...announcement, binary, at };
    return await runJest({ kubeconfig: announcement.kubeconfig, context: 'reader', controlPlane }, argv);
  } finally {
    closeZtunnels();
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const kubeconfig = process.env.ZTUNNEL_TEST_KUBECONFIG;
  if (kubeconfig) {
    say(`only reading the cluster of ${kubeconfig}`);
    return runJest({ kubeconfig: path.resolve(kubeconfig) }, [READ_ONLY, ...argv]);
  }
  const binary = await findBinary(say);
  if ('missing' in binary) {
    say(`skipped: ${binary.missing}`);
    return 0;
  }
  const plane = await startControlPlane(binary.path);
  try {
    return interrupted ? 130 : await runSeeded(plane, binary.path, argv);
  } finally {
    await plane.stop();
  }
}

const interrupt = () => {
  interrupted = true;
};
process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
const code = await main(process.argv.slice(2));
process.exitCode = interrupted ? 130 : code;
