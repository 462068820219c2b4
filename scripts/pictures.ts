// Which pictures of the program's output the documentation shows: real runs against the demonstration mesh.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demo } from '../test/mesh/demo.ts';
import { startMesh } from '../test/mesh/mesh.ts';
import { run } from '../test/program.ts';
import { renderTerminal } from './terminalsvg.ts';

/** Both clocks stand there, so that the same program draws the same pictures. */
const AT = '2026-11-29T22:03:42Z';
const SIZE = { columns: 118, rows: 60 };

/** By file name in docs/images/: what is typed after `kubectl ztunnel`. */
export const PICTURES: Readonly<Record<string, string>> = {
  'problems.svg': 'certs --status EXPIRED,MISSING,EXPIRING',
  'certs.svg': 'certs',
  'check.svg': 'check --min-severity critical',
  'workloads.svg': 'workloads -n shop',
};

/** What is drawn on the way and gone in the end. */
const PROGRESS = /\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)|\r\x1b\[K/g;

/** The SVG of each, by file name. */
export async function drawPictures(): Promise<ReadonlyMap<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
  const mesh = await startMesh({ ...(await demo(AT)), clock: { at: AT } }, { namespace: 'shop' });
  try {
    const env = { KUBECONFIG: mesh.writeKubeconfig(directory) };
    const drawn = new Map<string, string>();
    for (const [name, command] of Object.entries(PICTURES)) {
      const { stdout, stderr } = await run(command, { env, clock: new Date(AT), terminal: SIZE });
      const screen = stdout + stderr.replaceAll(PROGRESS, '');
      drawn.set(name, renderTerminal(`$ kubectl ztunnel ${command}`, screen, SIZE.columns));
    }
    return drawn;
  } finally {
    await mesh.close();
    rmSync(directory, { recursive: true });
  }
}
