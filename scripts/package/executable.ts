// How the bundle and a Node.js become one executable.

import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { BUNDLE } from '../codecache.ts';
import { type Platform, platformOf } from './platforms.ts';
import { makerOf, type Runtime, Unavailable } from './runtime.ts';
import { findTool, runTool } from './tool.ts';

const POSTJECT = join(import.meta.dirname, '../../node_modules/postject/dist/cli.js');
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const LAUNCH = join(import.meta.dirname, '../../bin/launch.cjs');

/** The bytes of the executable. `built` is the folder of the bundle. */
export function makeExecutable(platform: Platform, runtime: Runtime, built: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-package-'));
  try {
    const blob = makeBlob(folder, platform, runtime, built);
    const program = join(folder, platform.program);
    copyFileSync(runtime.path, program);
    chmodSync(program, 0o755);
    BEFORE[platform.os]?.(program, platform);
    const macho = platform.os === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
    const args = [POSTJECT, program, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...macho];
    runTool(process.execPath, args);
    if (platform.os === 'darwin') sign(program);
    return readFileSync(program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeBlob(folder: string, platform: Platform, { version }: Runtime, built: string): string {
  // V8 reads a cache only on the kind of system, and of the very version, that made it.
  const cached = platform === platformOf(process) && version === process.versions.node;
  const files = BUNDLE.filter((name) => cached || !name.endsWith('.cache'));
  // Relative names: the blob holds the script's, and must not tell where it was built.
  copyFileSync(LAUNCH, join(folder, 'launch.cjs'));
  const config = {
    main: 'launch.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // launch.cjs, which is all that it would be for, is a few lines; the bundle brings its own.
    useCodeCache: false,
    assets: Object.fromEntries(files.map((file) => [file, join(built, file)])),
    execArgv: [],
    execArgvExtension: 'none',
  };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(config));
  runTool(makerOf(version), ['--experimental-sea-config', 'sea.json'], folder);
  return join(folder, 'blob');
}

const TRIPLE: Readonly<Record<string, string>> = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** What is done to a runtime before the blob is put in. */
const BEFORE: Readonly<Record<string, (program: string, platform: Platform) => void>> = {
  linux: (program, platform) => {
    const own = platform === platformOf(process) ? ['strip'] : [];
    const strip = findTool(...own, `${TRIPLE[platform.arch]}-strip`, 'llvm-strip');
    if (strip === undefined) throw new Unavailable('no strip for it is on PATH (binutils or llvm-strip)');
    runTool(strip, [program]);
  },
  darwin: (program) => {
    if (signingTool() === undefined) throw new Unavailable('it needs a signature: codesign or rcodesign');
    if (findTool('codesign')) runTool('codesign', ['--remove-signature', program]);
  },
};

const SIGN: Readonly<Record<string, readonly string[]>> = {
  codesign: ['--sign', '-'],
  rcodesign: ['sign'],
};

function signingTool(): string | undefined {
  return findTool(...Object.keys(SIGN));
}

/** Ad hoc: macOS runs nothing on arm64 that has no signature at all. */
function sign(program: string): void {
  const tool = signingTool() ?? 'codesign';
  runTool(tool, [...(SIGN[tool] ?? []), program]);
}
