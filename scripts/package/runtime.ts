// How a platform's Node.js is had: this process's own, a given file, or npm's; and whether it is fit to ship.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { MAKERS, type NpmRuntime, type Platform, platformOf } from './platforms.ts';
import { runTool } from './tool.ts';

export interface Runtime {
  readonly path: string;
  /** `24.22.3` */
  readonly version: string;
  /** Node.js's licence and those of what it is made of. */
  readonly license: string;
}

/** Why a platform's archive isn't made. */
export class Unavailable extends Error {}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/kubectl-ztunnel');
const OLDEST = [24, 8, 0] as const;

/** The Node.js that is put into the archive. `given` is the path of one, if the user named it. */
export function runtimeFor(platform: Platform, given: string | undefined): Runtime {
  const here = platformOf(process);
  const path = given ?? (platform === here ? process.execPath : fetchFromNpm(platform));
  const version = checkRuntime(path);
  const maker = makerOf(version);
  return { path, version, license: licenseBeside(maker) };
}

/** The Node.js of that version that runs here. */
export function makerOf(version: string): string {
  if (process.versions.node === version) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const found = MAKERS.find((maker) => maker.package === name && maker.version === version);
  if (found !== undefined) return join(unpacked(found), 'bin', 'node');
  throw new Unavailable(`its blob needs Node.js ${version} for ${process.platform}-${process.arch}`);
}

/** Throws Unavailable for a runtime that a single executable can't be made of. Gives its version. */
function checkRuntime(path: string): string {
  const bytes = readFileSync(path);
  const version = /\/download\/release\/v(\d+\.\d+\.\d+)\//.exec(bytes.toString('latin1'))?.[1];
  if (version === undefined || !bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:0')) {
    throw new Unavailable(`${path} is no self-contained Node.js release`);
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Before 24.8 NODE_OPTIONS can't be kept out; from 25 on Linux builds need libatomic, which Debian lacks.
  if (major !== OLDEST[0] || minor < OLDEST[1]) {
    throw new Unavailable(`Node.js ${version} is not between ${OLDEST.join('.')} and 25`);
  }
  return version;
}

function fetchFromNpm({ runtime, os }: Platform): string {
  if (runtime === undefined) throw new Unavailable('npm carries no Node.js for it that is new enough');
  return join(unpacked(runtime), 'bin', os === 'windows' ? 'node.exe' : 'node');
}

/** The folder of npm's package, downloaded once. */
function unpacked({ package: name, version, integrity }: NpmRuntime): string {
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const temporary = `${folder}.${process.pid}.tmp`;
  mkdirSync(temporary, { recursive: true });
  try {
    runTool('npm', ['pack', `${name}@${version}`, '--pack-destination', temporary]);
    const tarball = join(temporary, readdirSync(temporary)[0] ?? 'nothing');
    const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}@${version} is ${found}, not ${integrity}`);
    runTool('tar', ['-xzf', tarball, '-C', temporary]);
    renameSync(join(temporary, 'package'), folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** Releases of Node.js have it above bin/; on Windows, where there is no bin/, beside node.exe. */
function licenseBeside(node: string): string {
  const found = [join(node, '../../LICENSE'), join(node, '../LICENSE')].find((path) => existsSync(path));
  if (found === undefined) throw new Unavailable(`there is no LICENSE beside ${node}`);
  return readFileSync(found, 'utf8');
}
