// krew: its own validation of the manifest, and installing, upgrading and uninstalling what was packaged.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeRelease } from '../../scripts/package/release.ts';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { has, newFolder, sh, USER_PATH } from '../scripts/place.ts';
import type { Ended } from '../spawned.ts';
import { ARCHIVE, RELEASE } from './release.ts';
import { run } from './run.ts';

const VERSION = /version: v(\S+)/.exec(readFileSync(path.join(RELEASE, 'krew-manifest.yaml'), 'utf8'))![1]!;
const NEXT = '99.0.0';

let folder: string;
let mesh: Mesh;
let server: Server;
const served: string[] = [];
const release = () => path.join(folder, 'release');
const manifestPath = () => path.join(release(), 'krew-manifest.yaml');
const krewRoot = () => path.join(folder, 'krew');
const plugin = () => path.join(krewRoot(), 'bin/kubectl-ztunnel');

/** As a user of krew has it: its own bin/ on PATH. */
function env() {
  return {
    HOME: folder,
    TMPDIR: folder,
    KREW_ROOT: krewRoot(),
    KREW_NO_UPGRADE_CHECK: '1',
    KUBECONFIG: mesh.writeKubeconfig(folder),
    PATH: [path.join(krewRoot(), 'bin'), path.join(folder, 'gobin'), USER_PATH].join(path.delimiter),
    GIT_AUTHOR_NAME: 'test',
    GIT_AUTHOR_EMAIL: 'test@localhost',
    GIT_COMMITTER_NAME: 'test',
    GIT_COMMITTER_EMAIL: 'test@localhost',
  };
}
const krew = (...argv: readonly string[]) => run(path.join(folder, 'gobin/krew'), argv, env());
const said = ({ code, stderr }: Ended) => [code, code === 0 ? '' : stderr];

const index = () => path.join(folder, 'index');

/** What our index says from now on. */
function publish(manifest: string): void {
  writeFileSync(path.join(index(), 'plugins/ztunnel.yaml'), manifest);
  sh('git', ['add', '.'], { cwd: index(), env: env() });
  sh('git', ['commit', '-qm', 'Release'], { cwd: index(), env: env() });
}

/** Serves the archive under any version's address. */
function startServer(): Promise<Server> {
  const archive = readFileSync(ARCHIVE);
  const http = createServer((request, response) => {
    served.push(request.url ?? '');
    response.end(archive);
  });
  return new Promise((resolve) => http.listen(0, '127.0.0.1', () => resolve(http)));
}

const needsGo = has('go') && has('git') ? describe : describe.skip;

needsGo('krew', () => {
  beforeAll(async () => {
    folder = newFolder();
    mesh = await startMesh(await demo(new Date().toISOString()));
    server = await startServer();
    mkdirSync(release());
    copyFileSync(ARCHIVE, path.join(release(), path.basename(ARCHIVE)));
    const { port } = server.address() as AddressInfo;
    describeRelease(release(), VERSION, `http://127.0.0.1:${port}/somebody/kubectl-ztunnel`);
    const go = { env: { ...process.env, GOBIN: path.join(folder, 'gobin'), GOFLAGS: '-mod=mod' } };
    sh('go', ['install', 'sigs.k8s.io/krew/cmd/krew@v0.4.3'], go);
    sh('go', ['install', 'sigs.k8s.io/krew/cmd/validate-krew-manifest@v0.4.3'], go);
    mkdirSync(path.join(index(), 'plugins'), { recursive: true });
    sh('git', ['init', '-q', index()], { env: env() });
    publish(readFileSync(path.join(release(), 'plugins/ztunnel.yaml'), 'utf8'));
    // Without an index krew uninstalls nothing, not even what no index knows of.
    expect(said(await krew('index', 'add', 'ours', `file://${index()}`))).toEqual([0, '']);
  });
  afterAll(async () => {
    server.close();
    await mesh.close();
    rmSync(folder, { recursive: true });
  });

  test("finds nothing wrong with the manifest, as the central index's check", async () => {
    const validate = path.join(folder, 'gobin/validate-krew-manifest');
    const good = ['-manifest', path.join(release(), 'plugins/ztunnel.yaml'), '-skip-install'];
    expect(said(await run(validate, good, env()))).toEqual([0, '']);
    const bad = path.join(folder, 'ztunnel.yaml');
    writeFileSync(bad, readFileSync(manifestPath(), 'utf8').replace('version: v', 'version: '));
    expect((await run(validate, ['-manifest', bad, '-skip-install'], env())).code).not.toBe(0);
  });

  test('installs it from manifest and archive; then kubectl shows a mesh', async () => {
    expect(said(await krew('install', `--manifest=${manifestPath()}`, `--archive=${ARCHIVE}`))).toEqual([
      0,
      '',
    ]);
    const argv = ['certs', '-o', 'name'];
    const { code, stdout } = has('kubectl')
      ? await run('kubectl', ['ztunnel', ...argv], env())
      : await run(plugin(), argv, env());
    expect(code).toBe(0);
    expect(stdout.split('\n')).toContain('spiffe://cluster.local/ns/shop/sa/web');
    expect(said(await krew('uninstall', 'ztunnel'))).toEqual([0, '']);
    expect(existsSync(plugin())).toBe(false);
  });

  test('refuses an archive that is not the one', async () => {
    const other = path.join(folder, 'other.tar.gz');
    writeFileSync(other, 'something else');
    const { code, stderr } = await krew('install', `--manifest=${manifestPath()}`, `--archive=${other}`);
    expect(code).not.toBe(0);
    expect(stderr).toContain('checksum');
  });

  test('installs from an index of our own, upgrades, uninstalls', async () => {
    const manifest = readFileSync(path.join(release(), 'plugins/ztunnel.yaml'), 'utf8');
    expect(said(await krew('install', 'ours/ztunnel'))).toEqual([0, '']);
    expect(readlinkSync(plugin())).toContain(`v${VERSION}`);
    publish(manifest.replaceAll(`v${VERSION}`, `v${NEXT}`));
    expect(said(await krew('upgrade', 'ztunnel'))).toEqual([0, '']);
    expect(readlinkSync(plugin())).toContain(`v${NEXT}`);
    const address = (version: string) =>
      `/somebody/kubectl-ztunnel/releases/download/v${version}/${path.basename(ARCHIVE)}`;
    expect(served).toEqual([address(VERSION), address(NEXT)]);
    expect((await run(plugin(), ['version'], env())).code).toBe(0);
    expect(said(await krew('uninstall', 'ztunnel'))).toEqual([0, '']);
    expect(readdirSync(path.join(krewRoot(), 'bin'))).toEqual([]);
  });
});
