// Where the control plane's program is: built once per state of its sources, and kept outside of the checkout.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { writeClockOverlay } from './goclock.ts';

const SOURCE = path.resolve(import.meta.dirname, '../controlplane');
const PREFIX = 'controlplane-';
const VERSION = 'k8s.io/component-base/version.gitVersion=v1.35.4';

export type Binary =
  | { readonly path: string }
  /** Why there is none, as a sentence: there is no Go here, or no such control plane for this system. */
  | { readonly missing: string };

/** Builds it if need be, which takes minutes the first time. Throws when the build fails. */
export async function findBinary(say: (line: string) => void): Promise<Binary> {
  if (process.platform === 'win32') return { missing: 'the control plane runs on Linux and macOS only' };
  const version = await run('go', ['version'], 'ignore');
  if (version === 'absent')
    return { missing: 'Go is not installed, and it is needed to build the control plane' };
  const folder = path.join(cacheFolder(), 'kubectl-ztunnel');
  const wanted = path.join(folder, `${PREFIX}${fingerprint()}`);
  if (statSync(wanted, { throwIfNoEntry: false }) !== undefined) return { path: wanted };
  say('building the control plane; the first time this compiles Kubernetes and takes minutes');
  mkdirSync(folder, { recursive: true });
  const unfinished = `${wanted}.${process.pid}.tmp`;
  const made = mkdtempSync(path.join(tmpdir(), 'ztunnel-goclock-'));
  const flags = [
    'build',
    `-ldflags=-s -w -X ${VERSION}`,
    '-overlay',
    writeClockOverlay(made),
    '-o',
    unfinished,
  ];
  const code = await run('go', [...flags, '.'], 'inherit');
  rmSync(made, { recursive: true, force: true });
  if (code !== 0) {
    rmSync(unfinished, { force: true });
    throw new Error(`the control plane was not built: go build ended with ${code}`);
  }
  renameSync(unfinished, wanted);
  forgetOthers(folder, wanted);
  return { path: wanted };
}

/** The exit code, or `absent` where there is no such program. */
function run(
  command: string,
  argv: readonly string[],
  output: 'inherit' | 'ignore',
): Promise<number | 'absent'> {
  const env = { ...process.env, GOFLAGS: `-p=2 -buildvcs=false ${process.env.GOFLAGS ?? ''}`.trim() };
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, { cwd: SOURCE, env, stdio: ['ignore', output, output] });
    child.on('error', (thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') resolve('absent');
      else reject(thrown);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function cacheFolder(): string {
  const mac = process.platform === 'darwin' ? path.join(homedir(), 'Library', 'Caches') : undefined;
  return process.env.XDG_CACHE_HOME || mac || (homedir() ? path.join(homedir(), '.cache') : tmpdir());
}

/** Of all that decides what the program does. */
function fingerprint(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${VERSION}`);
  const folders = ['', 'movedclock/'];
  const names = folders.flatMap((folder) =>
    readdirSync(path.join(SOURCE, folder)).map((name) => `${folder}${name}`),
  );
  const sources = names.filter((name) => /^go\.(mod|sum)$|\.go$/.test(name) && !name.endsWith('_test.go'));
  for (const name of sources.sort()) {
    hash.update(`\0${name}\0`).update(readFileSync(path.join(SOURCE, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Each is 100 MB, and sources change. */
function forgetOthers(folder: string, kept: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.startsWith(PREFIX) && file !== kept) rmSync(file, { force: true });
  }
}
