// Shows the program at work: runs it against the embedded demonstration mesh, through a real kubeconfig file.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demo } from '../test/mesh/demo.ts';
import { startMesh } from '../test/mesh/mesh.ts';

const PROGRAM = fileURLToPath(new URL('../bin/kubectl-ztunnel', import.meta.url));
/** What is shown when nothing is asked for. */
const TOUR = [['certs'], ['workloads']];

/** Runs one command on this terminal; gives its exit code, as a shell counts it. */
function run(argv: readonly string[], kubeconfig: string): Promise<number> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = spawn(process.execPath, [PROGRAM, ...argv], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** Runs the tour; the demonstration's own findings are no reason to fail it, a crash is. */
async function tour(kubeconfig: string): Promise<number> {
  let worst = 0;
  for (const argv of TOUR) {
    process.stdout.write(`$ kubectl ztunnel ${argv.join(' ')}\n`);
    worst = Math.max(worst, await run(argv, kubeconfig));
    process.stdout.write('\n');
  }
  return worst;
}

async function main(argv: readonly string[]): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
  const mesh = await startMesh(await demo(new Date().toISOString()), { namespace: 'shop' });
  try {
    const kubeconfig = mesh.writeKubeconfig(directory);
    return argv.length === 0 ? await tour(kubeconfig) : await run(argv, kubeconfig);
  } finally {
    await mesh.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

// The terminal sends Ctrl-C to the program too: wait for it to end, then clean up.
process.on('SIGINT', () => {});
process.exitCode = await main(process.argv.slice(2));
