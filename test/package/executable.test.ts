// The packaged executable: the same every time, small enough, on old systems, alone, and quiet.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { archiveName, BUN_VERSION, PLATFORMS } from '../../scripts/package/platforms.ts';
import { runtimeBytes } from '../../scripts/package/runtime.ts';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { has, newFolder, ROOT, sh } from '../scripts/place.ts';
import { AGAIN, ARCHIVE, archiveOf, HERE, PROGRAM, programOf, RELEASE } from './release.ts';
import { run } from './run.ts';

const DUMP = path.join(ROOT, 'test/testdata/dumps/node-a.config_dump.json');
const CERTS = ['certs', '-o', 'short', '-f', DUMP, '--now', '2026-11-29T22:03:42Z'];
const SHORT = readFileSync(path.join(ROOT, 'test/testdata/istioctl/node-a/certs.short'), 'utf8');

let folder: string;
let mesh: Mesh;
beforeAll(async () => {
  folder = newFolder();
  mesh = await startMesh(await demo(new Date().toISOString()));
});
afterAll(async () => {
  await mesh.close();
  rmSync(folder, { recursive: true });
});

describe('the archives', () => {
  test('are the same when they are made again', () => {
    const files = (out: string) => readdirSync(out).filter((name) => name.startsWith('kubectl-ztunnel-'));
    expect(files(RELEASE)).toHaveLength(2 * PLATFORMS.length);
    expect(files(AGAIN)).toEqual(files(RELEASE));
    for (const name of [...files(RELEASE), 'SHA256SUMS', 'krew-manifest.yaml']) {
      const [once, again] = [RELEASE, AGAIN].map((out) => readFileSync(path.join(out, name)));
      expect([name, once!.equals(again!)]).toEqual([name, true]);
    }
  });

  test.each(PLATFORMS.map((platform) => [archiveName(platform), platform] as const))(
    '%s is at most 4 MB larger than its runtime is in npm',
    (_, platform) => {
      expect(statSync(archiveOf(platform)).size).toBeLessThanOrEqual(runtimeBytes(platform) + 4_000_000);
    },
  );

  test('hold three plain files, one of them executable', () => {
    const listed = sh('tar', ['-tvzf', ARCHIVE]).trimEnd().split('\n');
    expect(listed.map((line) => [line.slice(0, 10), line.split(' ').at(-1)])).toEqual([
      ['-rwxr-xr-x', 'kubectl-ztunnel'],
      ['-rw-r--r--', 'LICENSE'],
      ['-rw-r--r--', 'THIRD-PARTY-NOTICES.txt'],
    ]);
  });

  test('name the licence of every package that is listed as being inside', () => {
    const { components } = JSON.parse(
      readFileSync(path.join(RELEASE, `kubectl-ztunnel-${HERE.name}.cdx.json`), 'utf8'),
    ) as { components: readonly { purl?: string; group?: string; name: string; version: string }[] };
    const notices = readFileSync(path.join(RELEASE, HERE.name, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const packages = components.filter(({ purl }) => purl && !purl.includes('/bun'));
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['client-node', 'ws', 'yargs', 'protobufjs']),
    );
    for (const { group, name, version } of packages) {
      expect(notices).toContain(`\n${group ? `${group}/` : ''}${name} ${version} (`);
    }
    expect(notices).toContain(`\nBun ${BUN_VERSION}`);
  });
});

/** Of the symbols that a Linux executable takes from glibc. */
function newestGlibc(program: string): string {
  const symbols = sh('readelf', ['--wide', '--dyn-syms', program]);
  const versions = [...symbols.matchAll(/@GLIBC_([0-9.]+)/g)].map(([, version]) => version!);
  expect(versions.length).toBeGreaterThan(100);
  return versions.reduce((a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b));
}

const needsReadelf = has('readelf') ? describe : describe.skip;
needsReadelf('what the Linux executables need', () => {
  const needed = (program: string) =>
    [...sh('readelf', ['--wide', '--dynamic', program]).matchAll(/NEEDED.*\[(.+)\]/g)].map(
      ([, name]) => name!,
    );
  const linux = PLATFORMS.filter(({ os }) => os === 'linux');

  test.each(linux.filter(({ libc }) => libc === 'glibc').map((each) => [each.name, programOf(each)]))(
    '%s: glibc 2.17 or later, and nothing else',
    (_, program) => {
      expect(newestGlibc(program!)).toBe('2.17');
      expect(
        needed(program!).filter((name) => !/^(?:ld-linux.*|lib(?:c|m|dl|pthread))\.so/.test(name)),
      ).toEqual([]);
    },
  );

  test.each(linux.filter(({ libc }) => libc === 'musl').map((each) => [each.name, programOf(each)]))(
    '%s: musl and libstdc++',
    (_, program) => {
      expect(needed(program!)).toEqual(['libstdc++.so.6', expect.stringMatching(/^libc\.musl-.+\.so\.1$/)]);
    },
  );
});

describe('the executable', () => {
  test('runs without a Node.js or Bun, and says what istioctl says', async () => {
    expect(await run(PROGRAM, CERTS, { PATH: '/nowhere' })).toEqual({ code: 0, stdout: SHORT, stderr: '' });
  });

  test('heeds neither NODE_OPTIONS nor flags of a runtime', async () => {
    const code = path.join(folder, 'injected.cjs');
    writeFileSync(code, "process.stdout.write('injected\\n');");
    const env = { NODE_OPTIONS: `--require ${code}`, NODE_PATH: folder };
    expect(await run(PROGRAM, CERTS, env, folder)).toEqual({ code: 0, stdout: SHORT, stderr: '' });
    for (const flag of ['--version', '--eval=0', '--inspect', '--preload=./injected.cjs']) {
      const { code: status, stdout } = await run(PROGRAM, [flag], {}, folder);
      expect([flag, status, stdout]).toEqual([flag, 1, '']);
    }
    // It is the variable that would have done it.
    expect((await run(process.execPath, ['-e', '0'], env)).stdout).toBe('injected\n');
  });

  test('says that it is this version on this Bun', async () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const { stdout } = await run(PROGRAM, ['version', '-o', 'json'], {});
    expect(JSON.parse(stdout)).toMatchObject({
      version,
      runtime: `Bun ${BUN_VERSION}`,
      platform: `${HERE.os}/${HERE.arch}`,
    });
  });

  test('leaves nothing in TMPDIR, HOME or the working directory', async () => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    const env = { HOME: home, TMPDIR: home, KUBECONFIG: mesh.writeKubeconfig(folder) };
    const { code, stdout } = await run(PROGRAM, ['certs'], env, home);
    expect(code).toBe(0);
    expect(stdout).toContain('StatefulSet/cart 3/3');
    expect(readdirSync(home)).toEqual([]);
  });

  const needsStrace = has('strace') ? test : test.skip;
  needsStrace('connects to the API server only, and opens no file for writing', async () => {
    const log = path.join(folder, 'strace.log');
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder), HOME: folder, PATH: '/usr/bin:/bin' };
    const calls =
      'trace=connect,sendto,sendmsg,open,openat,creat,rename,renameat,renameat2,mkdir,mkdirat,execve';
    const traced = ['-f', '-qq', '-e', calls, '-o', log, PROGRAM, 'certs', '-o', 'name'];
    expect((await run('strace', traced, env)).code).toBe(0);
    const lines = readFileSync(log, 'utf8').split('\n');
    const connected = lines.flatMap((line) => /connect\(\d+, (\{.*\})/.exec(line)?.[1] ?? []);
    const port = new URL(mesh.url).port;
    expect(connected.length).toBeGreaterThan(0);
    expect(connected.filter((to) => !to.includes(`htons(${port})`) || !to.includes('"127.0.0.1"'))).toEqual(
      [],
    );
    const written = lines.filter((line) => /O_WRONLY|O_RDWR|O_CREAT|(creat|rename|mkdir)\w*\(/.test(line));
    expect(written.filter((line) => !/"\/dev\/(null|tty)"/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('execve('))).toHaveLength(1);
  });
});
