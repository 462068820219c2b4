// How the list of what an executable is made of is written: CycloneDX 1.6.

import { createHash } from 'node:crypto';
import type { BuildInfo } from '../buildinfo.ts';
import type { BundledPackage } from './bundled.ts';
import { BUN, LINKED, RELINKABLE } from './bunparts.ts';
import type { Platform } from './platforms.ts';

/** The JSON text of a bill of materials. `bun` is the runtime's own `process.versions`. */
export function renderSbom(
  { name, os, arch }: Platform,
  build: BuildInfo,
  packages: readonly BundledPackage[],
  bun: Readonly<Record<string, string | undefined>>,
): string {
  const components = [
    {
      type: 'platform',
      'bom-ref': 'bun',
      name: 'bun',
      version: bun.bun,
      licenses: [{ license: { id: BUN.license } }],
      purl: `pkg:npm/bun@${bun.bun}`,
    },
    ...Object.entries(bun)
      .filter(([part, version]) => part !== 'bun' && !NO_PARTS.has(part) && version)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([part, version]) => ({
        type: 'library',
        'bom-ref': `bun:${part}`,
        name: part,
        version,
        ...licensesOf(part),
      })),
    ...packages.map(packageComponent),
  ];
  const program = {
    type: 'application',
    'bom-ref': 'kubectl-ztunnel',
    name: 'kubectl-ztunnel',
    version: build.version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    properties: [
      { name: 'os', value: os },
      { name: 'arch', value: arch },
      ...(build.commit === null ? [] : [{ name: 'commit', value: build.commit }]),
    ],
  };
  const content = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { ...(build.date === null ? {} : { timestamp: build.date }), component: program },
    components,
    dependencies: [
      { ref: 'kubectl-ztunnel', dependsOn: components.filter(isDirect).map((each) => each['bom-ref']) },
      { ref: 'bun', dependsOn: components.filter((each) => !isDirect(each)).map((each) => each['bom-ref']) },
    ],
  };
  const serialNumber = uuidOf(`${name}\n${JSON.stringify(content)}`);
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`;
}

/** Entries of process.versions that are numbers of interfaces, or what Bun pretends to be. */
const NO_PARTS: ReadonlySet<string> = new Set([
  'modules',
  'napi',
  'node',
  'v8',
  'unicode',
  'openssl',
  'uv',
  'zig',
]);

/** What Bun calls a part, where our list has another name for it. */
const CALLED: Readonly<Record<string, string>> = {
  webkit: 'JavaScriptCore',
  lolhtml: 'lol-html',
  lshpack: 'ls-hpack',
  zlib: 'zlib-ng',
  ares: 'c-ares',
  icu: 'ICU',
};

function licensesOf(part: string): { readonly licenses?: readonly object[] } {
  const name = (CALLED[part] ?? part).toLowerCase();
  const found = [...RELINKABLE, ...LINKED].find((each) => each.name.toLowerCase() === name);
  return found === undefined ? {} : { licenses: [licenseChoice(found.license)] };
}

function licenseChoice(license: string): object {
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } };
}

function isDirect(component: { readonly 'bom-ref': string }): boolean {
  return !component['bom-ref'].startsWith('bun:');
}

function packageComponent({ name, version, license, sha512 }: BundledPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [scope, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope === undefined ? {} : { group: scope }),
    name: short,
    version,
    ...(sha512 === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    licenses: [licenseChoice(license)],
    purl,
  };
}

/** Of the content, so that the same content has the same number. */
function uuidOf(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
