// How the bundle and a Bun become one executable.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signAdHoc } from './adhoc.ts';
import type { Platform } from './platforms.ts';
import { bunHere, runtimeFor } from './runtime.ts';
import { runTool } from './tool.ts';

const FLAGS = [
  '--compile',
  // Files that are loaded when they are needed stay files inside of it.
  '--splitting',
  '--format=esm',
  '--minify',
  '--bytecode',
  // Nothing of the directory that the program is started in: bunfig.toml could name code to run.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-tsconfig',
  '--no-compile-autoload-package-json',
];

/**
 * The bytes of the executable: the bundle in that folder, in npm's Bun or in the one at `runtime`. The same bundle makes the
 * same bytes, wherever it lies.
 */
export function makeExecutable(platform: Platform, bundle: string, runtime: string | undefined): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-package-'));
  try {
    cpSync(bundle, join(folder, 'bundle'), { recursive: true });
    const target = [
      '--target',
      `bun-${platform.target}`,
      '--compile-executable-path',
      runtime ?? runtimeFor(platform),
    ];
    // Relative names: the executable holds them, and must not tell where it was built.
    const args = ['build', ...FLAGS, ...target, 'bundle/main.js', '--outfile', platform.program];
    runTool(bunHere(), args, folder);
    const program = readFileSync(join(folder, platform.program));
    // Bun signs those for arm64 only; here its own signature stays, for what the file was before.
    return platform.name === 'darwin-amd64' ? signAdHoc(program, 'kubectl-ztunnel') : program;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
