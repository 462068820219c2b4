// How Bun is had for a platform: npm's package, downloaded once and refused if its content is another.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { BUN_VERSION, type Platform, platformOf } from './platforms.ts';
import { runTool } from './tool.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/kubectl-ztunnel');

/** The path of the Bun that runs on it. */
export function runtimeFor(platform: Platform): string {
  const program = platform.os === 'windows' ? 'bun.exe' : 'bun';
  return join(unpacked(platform), 'bin', program);
}

/** The Bun that runs here, which makes the executables for all. Throws where there is none. */
export function bunHere(): string {
  const here = platformOf(process);
  if (here === undefined) throw new Error(`there is no Bun for ${process.platform}-${process.arch}`);
  return runtimeFor(here);
}

/** How many bytes npm's package has: what an archive with the program in it is compared with. */
export function runtimeBytes(platform: Platform): number {
  return Number(readFileSync(join(unpacked(platform), SIZE), 'utf8'));
}

/** Beside the runtime. */
const SIZE = 'npm-bytes';

function unpacked({ target, integrity }: Platform): string {
  const name = `@oven/bun-${target}`;
  const folder = join(CACHE, `bun-${target}-${BUN_VERSION}`);
  if (existsSync(folder)) return folder;
  const temporary = `${folder}.${process.pid}.tmp`;
  mkdirSync(temporary, { recursive: true });
  try {
    runTool('npm', ['pack', `${name}@${BUN_VERSION}`, '--pack-destination', temporary]);
    const tarball = join(temporary, readdirSync(temporary)[0] ?? 'nothing');
    const bytes = readFileSync(tarball);
    const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}@${BUN_VERSION} is ${found}, not ${integrity}`);
    runTool('tar', ['-xzf', tarball, '-C', temporary]);
    writeFileSync(join(temporary, 'package', SIZE), String(bytes.length));
    renameSync(join(temporary, 'package'), folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}
