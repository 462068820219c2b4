// Bare systems, old and foreign ones too: the packaged executables run there as somebody who may write nothing.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { has, newFolder, ROOT, sh } from '../scripts/place.ts';
import { platform, programOf } from './release.ts';
import { run } from './run.ts';

/** The image's user. */
const USER = '65532:65532';
const able = process.platform === 'linux' && process.getuid?.() === 0 && has('debootstrap') && has('unshare');
const AMD64 = process.arch === 'x64';
/** Debian 10 has left the mirrors: the address of an archive that still has it. */
const { DEBIAN_10_ARCHIVE } = process.env;
const QEMU = '/usr/bin/qemu-aarch64-static';

interface System {
  readonly name: string;
  /** Of a release. */
  readonly program: string;
  /** Makes the root file system in an empty folder. */
  readonly make: (root: string) => void;
  /** Whether this machine has what that takes. */
  readonly possible: boolean;
  /** What runs a program of another processor, within the root. */
  readonly emulator?: string;
}

/** Unpacked is enough: nothing of it needs to be set up. */
function debian(release: string, ...more: readonly string[]) {
  return (root: string) => {
    sh('debootstrap', ['--foreign', '--variant=minbase', ...more, release, root]);
  };
}

const SYSTEMS: readonly System[] = [
  {
    name: 'Debian 10',
    program: 'linux-amd64',
    make: (root) => sh('debootstrap', ['--foreign', '--variant=minbase', 'buster', root, DEBIAN_10_ARCHIVE!]),
    possible: AMD64 && DEBIAN_10_ARCHIVE !== undefined,
  },
  { name: 'Debian 11', program: 'linux-amd64', make: debian('bullseye'), possible: AMD64 },
  { name: 'Debian 12', program: 'linux-amd64', make: debian('bookworm'), possible: AMD64 },
  { name: 'Debian 13', program: 'linux-amd64', make: debian('trixie'), possible: AMD64 },
  {
    name: 'Debian 12 on arm64',
    program: 'linux-arm64',
    make: (root) => {
      debian('bookworm', '--arch=arm64')(root);
      copyFileSync(QEMU, path.join(root, 'qemu'));
    },
    possible: existsSync(QEMU),
    emulator: '/qemu',
  },
  {
    name: 'musl and busybox, with the libstdc++ of Alpine',
    program: 'linux-amd64-musl',
    make: makeMusl,
    possible: AMD64 && has('pip3') && has('unzip'),
  },
];

/** musl and busybox are Debian's; its libstdc++ is none for musl, but Alpine's is in wheels that were built there. */
function makeMusl(root: string): void {
  const folder = newFolder();
  debian('trixie', '--include=musl,busybox-static')(path.join(folder, 'debian'));
  const cache = path.join(folder, 'debian/var/cache/apt/archives');
  for (const name of readdirSync(cache).filter((each) => /^(?:musl|busybox-static)_/.test(each))) {
    sh('dpkg-deb', ['-x', path.join(cache, name), folder]);
  }
  const wheel = ['--no-deps', '--only-binary', ':all:', '--platform', 'musllinux_1_2_x86_64', 'numpy==2.3.4'];
  sh('pip3', ['download', '--quiet', '--python-version', '3.12', '--dest', folder, ...wheel]);
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  sh('unzip', ['-q', '-o', path.join(folder, archive!), 'numpy.libs/*', '-d', folder]);
  for (const name of ['bin', 'lib', 'usr/lib']) mkdirSync(path.join(root, name), { recursive: true });
  copyFileSync(path.join(folder, 'usr/bin/busybox'), path.join(root, 'bin/busybox'));
  const musl = 'ld-musl-x86_64.so.1';
  copyFileSync(path.join(folder, 'usr/lib/x86_64-linux-musl/libc.so'), path.join(root, 'lib', musl));
  symlinkSync(musl, path.join(root, 'lib/libc.musl-x86_64.so.1'));
  for (const name of readdirSync(path.join(folder, 'numpy.libs'))) {
    const as = name.startsWith('libstdc++') ? 'libstdc++.so.6' : name;
    copyFileSync(path.join(folder, 'numpy.libs', name), path.join(root, 'usr/lib', as));
  }
  chmodSync(path.join(root, 'lib', musl), 0o755);
  rmSync(folder, { recursive: true });
}

describe.each(SYSTEMS.map((system) => [system.name, system] as const))('in a bare %s', (_, system) => {
  const tried = able && system.possible ? test : test.skip;
  let root: string;
  let mesh: Mesh | undefined;

  /** With /proc, as everywhere; in a name space of its own, so that nothing stays mounted. */
  function inside(...argv: readonly string[]) {
    const words = [...(system.emulator === undefined ? [] : [system.emulator]), '/kubectl-ztunnel', ...argv];
    const script = `mount -t proc proc "$0/proc" && exec chroot --userspec=${USER} "$0" "$@"`;
    return run('unshare', ['--mount', 'sh', '-c', script, root, ...words], {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      KUBECONFIG: '/kubeconfig',
    });
  }

  beforeAll(async () => {
    if (!able || !system.possible) return;
    root = newFolder();
    system.make(root);
    // debootstrap leaves a link of that name.
    rmSync(path.join(root, 'proc'), { recursive: true, force: true });
    mkdirSync(path.join(root, 'proc'));
    copyFileSync(programOf(platform(system.program)), path.join(root, 'kubectl-ztunnel'));
    copyFileSync(
      path.join(ROOT, 'test/testdata/dumps/node-a.config_dump.json'),
      path.join(root, 'dump.json'),
    );
    mesh = await startMesh(await demo(new Date().toISOString()));
    mesh.writeKubeconfig(root);
    chmodSync(path.join(root, 'kubeconfig'), 0o644);
    chmodSync(root, 0o755);
  });
  afterAll(async () => {
    await mesh?.close();
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
  });

  tried('it judges a saved dump', async () => {
    const argv = ['certs', '-o', 'short', '-f', '/dump.json', '--now', '2026-11-29T22:03:42Z'];
    const { code, stdout, stderr } = await inside(...argv);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(readFileSync(path.join(ROOT, 'test/testdata/istioctl/node-a/certs.short'), 'utf8'));
  });

  tried('it shows a live mesh', async () => {
    const { code, stdout, stderr } = await inside('certs', '-o', 'name');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toContain('spiffe://cluster.local/ns/shop/sa/web');
  });
});
