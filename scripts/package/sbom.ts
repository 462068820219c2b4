// How the list of what an executable is made of is written: CycloneDX 1.6.

import { createHash } from 'node:crypto';
import type { BuildInfo } from '../buildinfo.ts';
import type { BundledPackage } from './bundled.ts';
import { BUN, LINKED, POLYFILLS, RELINKABLE } from './bunparts.ts';
import type { Platform } from './platforms.ts';

/** The JSON text of a bill of materials. `bun` is the runtime's own `process.versions`; `isOwn` if it is another build than npm's. */
export function renderSbom(
  { name, os, arch, target, integrity }: Platform,
  build: BuildInfo,
  packages: readonly BundledPackage[],
  bun: Readonly<Record<string, string | undefined>>,
  isOwn = false,
): string {
  const components = [
    {
      type: 'platform',
      'bom-ref': 'bun',
      name: 'bun',
      version: bun.bun,
      licenses: [{ license: { id: BUN.license } }],
      ...(isOwn
        ? {}
        : {
            purl: `pkg:npm/%40oven/bun-${target}@${bun.bun}`,
            hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }],
          }),
    },
    ...[...RELINKABLE, ...LINKED].map(({ name: part, version, from, license }) => ({
      type: 'library',
      'bom-ref': `bun:${part}`,
      name: part,
      ...(version === undefined ? {} : { version: bun[version] }),
      licenses: [licenseChoice(license)],
      externalReferences: [{ type: 'vcs', url: from }],
    })),
    ...POLYFILLS.map((part) => ({
      type: 'library',
      'bom-ref': `bun:${part}`,
      name: part,
      licenses: [{ license: { id: 'MIT' } }],
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

/** Of `sha512-…`, as lock files have it. */
function hexOf(integrity: string): string {
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
}

/** Of the content, so that the same content has the same number. */
function uuidOf(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
