// Which npm packages the bundle is made of, with versions, licences and checksums.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json says: an SPDX expression. */
  readonly license: string;
  /** Texts of the licence and notices that it comes with; empty if it comes with none. */
  readonly texts: readonly string[];
  /** SHA-512 of npm's package in hexadecimal digits. */
  readonly sha512: string | undefined;
}

interface Locked {
  readonly integrity?: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** By name, then version, of those that something is left of in the bundle. */
export function bundledPackages({ outputs }: Pick<Metafile, 'outputs'>): readonly BundledPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = new Set(
    inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (packageFolder(path) ?? []) : [])),
  );
  return [...folders]
    .map((folder) => readPackage(folder, packages[folder]))
    .sort((a, b) => order(a.name, b.name) || order(a.version, b.version));
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` → `node_modules/a/node_modules/@b/c` */
function packageFolder(path: string): string | undefined {
  return /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function readPackage(folder: string, locked: Locked | undefined): BundledPackage {
  const path = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const texts = readdirSync(path)
    .filter((file) => /^(licen[cs]e|notice|copying)([.-]|$)/i.test(file))
    .sort(order)
    .map((file) => readFileSync(join(path, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const [algorithm, digest = ''] = locked?.integrity?.split('-') ?? [];
  const sha512 = algorithm === 'sha512' ? Buffer.from(digest, 'base64').toString('hex') : undefined;
  return { name, version, license, texts, sha512 };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
