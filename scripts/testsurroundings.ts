// Runs the front door's tests in surroundings that other people have: time zones, locales, terminals, users, folders.
//
// node scripts/testsurroundings.ts [--only NAME]… [-- WORDS FOR JEST]

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '..');
const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js');
/** Debian's and most systems' `nobody`. */
const ORDINARY_ID = 65_534;

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly unset?: readonly string[];
  readonly ordinaryUser?: boolean;
}

const folder = mkdtempSync(path.join(tmpdir(), 'ztunnel-surroundings-'));
const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'TZ=Pacific/Apia': { env: { TZ: 'Pacific/Apia' } },
  'LANG=C': { env: { LANG: 'C' }, unset: ['LC_ALL'] },
  'LC_ALL=tr_TR.UTF-8': { env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } },
  'COLUMNS=40': { env: { COLUMNS: '40' } },
  'NO_COLOR=1': { env: { NO_COLOR: '1' } },
  'FORCE_COLOR=1': { env: { FORCE_COLOR: '1' } },
  'HOME unset': { unset: ['HOME'] },
  'TMPDIR with a space': { env: { TMPDIR: path.join(folder, 'a folder') } },
  'an ordinary user': {
    env: { HOME: path.join(folder, 'home'), TMPDIR: path.join(folder, 'home') },
    ordinaryUser: true,
  },
};

function makeFolders(): void {
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'a folder'));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  if (process.getuid?.() === 0) chownSync(home, ORDINARY_ID, ORDINARY_ID);
}

function runJest({ env, unset = [], ordinaryUser }: Surroundings, words: readonly string[]): Promise<number> {
  const given: NodeJS.ProcessEnv = { ...process.env, ...env };
  for (const name of unset) delete given[name];
  const asOther = ordinaryUser && process.getuid?.() === 0;
  const child = spawn(process.execPath, ['--experimental-vm-modules', JEST, 'test/frontdoor', ...words], {
    cwd: ROOT,
    env: given,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(asOther ? { uid: ORDINARY_ID, gid: ORDINARY_ID } : {}),
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { only: { type: 'string', multiple: true } },
  });
  const names = values.only ?? Object.keys(SURROUNDINGS);
  const unknown = names.find((name) => !Object.hasOwn(SURROUNDINGS, name));
  if (unknown !== undefined)
    throw new Error(`there is no ${unknown}: ${Object.keys(SURROUNDINGS).join(', ')}`);
  if (process.platform !== 'win32' && process.getuid?.() === 0 && !mayRead(ORDINARY_ID)) {
    console.error(`test:surroundings: an ordinary user may not read ${ROOT}: that run fails`);
  }
  makeFolders();
  let worst = 0;
  for (const name of names) {
    console.error(`test:surroundings: ${name}`);
    worst = Math.max(worst, await runJest(SURROUNDINGS[name]!, positionals));
  }
  return worst;
}

function mayRead(id: number): boolean {
  const { status } = spawnSync(process.execPath, ['-e', ''], { cwd: ROOT, uid: id, gid: id });
  return status === 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
