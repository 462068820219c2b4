// A bare Debian 12: the packaged executable runs there as somebody who may write nothing.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { has, newFolder, ROOT, sh } from '../scripts/place.ts';
import { PROGRAM } from './release.ts';
import { run } from './run.ts';

/** The image's user. */
const USER = '65532:65532';
const able = process.platform === 'linux' && process.getuid?.() === 0 && has('debootstrap');

let root: string;
let mesh: Mesh;

function inside(...argv: readonly string[]) {
  return run('chroot', [`--userspec=${USER}`, root, '/kubectl-ztunnel', ...argv], {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    KUBECONFIG: '/kubeconfig',
  });
}

(able ? describe : describe.skip)('in a bare Debian 12', () => {
  beforeAll(async () => {
    root = newFolder();
    // Unpacked is enough: nothing of it needs to be set up.
    sh('debootstrap', ['--foreign', '--variant=minbase', 'bookworm', root]);
    copyFileSync(PROGRAM, path.join(root, 'kubectl-ztunnel'));
    copyFileSync(
      path.join(ROOT, 'test/testdata/dumps/node-a.config_dump.json'),
      path.join(root, 'dump.json'),
    );
    mesh = await startMesh(await demo(new Date().toISOString()));
    mesh.writeKubeconfig(root);
    chmodSync(path.join(root, 'kubeconfig'), 0o644);
    mkdirSync(path.join(root, 'nothing'), { mode: 0o555 });
    chmodSync(root, 0o755);
  });
  afterAll(async () => {
    await mesh?.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('it judges a saved dump', async () => {
    const { code, stdout } = await inside(
      'certs',
      '-o',
      'short',
      '-f',
      '/dump.json',
      '--now',
      '2026-11-29T22:03:42Z',
    );
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(path.join(ROOT, 'test/testdata/istioctl/node-a/certs.short'), 'utf8'));
  });

  test('it shows a live mesh', async () => {
    const { code, stdout, stderr } = await inside('certs', '-o', 'name');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toContain('spiffe://cluster.local/ns/shop/sa/web');
  });
});
