// How the list of what an executable is made of is written: CycloneDX 1.6.

import { createHash } from 'node:crypto';
import type { BuildInfo } from '../buildinfo.ts';
import type { BundledPackage } from './bundled.ts';
import type { Platform } from './platforms.ts';

/** The JSON text of a bill of materials. `embedded` is Node.js's own `process.versions`, if they are known. */
export function renderSbom(
  { name, os, arch }: Platform,
  build: BuildInfo,
  packages: readonly BundledPackage[],
  node: { readonly version: string; readonly embedded: Readonly<Record<string, string | undefined>> },
): string {
  const components = [
    { type: 'platform', 'bom-ref': 'node', name: 'node', version: node.version, cpe: cpe(node.version) },
    ...Object.entries(node.embedded)
      .filter(([part, version]) => part !== 'node' && !NO_PARTS.has(part) && version)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([part, version]) => ({ type: 'library', 'bom-ref': `node:${part}`, name: part, version })),
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
      { ref: 'node', dependsOn: components.filter((each) => !isDirect(each)).map((each) => each['bom-ref']) },
    ],
  };
  const serialNumber = uuidOf(`${name}\n${JSON.stringify(content)}`);
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`;
}

/** Entries of process.versions that are numbers of interfaces, not parts. */
const NO_PARTS: ReadonlySet<string> = new Set(['modules', 'napi', 'cldr', 'unicode', 'tz']);

function isDirect(component: { readonly 'bom-ref': string }): boolean {
  return !component['bom-ref'].startsWith('node:');
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
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}

function cpe(version: string): string {
  return `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`;
}

/** Of the content, so that the same content has the same number. */
function uuidOf(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
