// What goes beside the archives, and what a release is made of: checksums, krew's manifest, lists, image, workflow.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import type { BundledPackage } from '../../scripts/package/bundled.ts';
import { type BunPart, LINKED, POLYFILLS, RELINKABLE } from '../../scripts/package/bunparts.ts';
import { renderNotices } from '../../scripts/package/notices.ts';
import { archiveName, BUN_VERSION, PLATFORMS, platformOf } from '../../scripts/package/platforms.ts';
import { describeRelease } from '../../scripts/package/release.ts';
import { renderSbom } from '../../scripts/package/sbom.ts';
import { newFolder, ROOT, sh } from './place.ts';

interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly homepage?: string;
    readonly shortDescription: string;
    readonly description: string;
    readonly caveats: string;
    readonly platforms: readonly { readonly uri: string; readonly sha256: string; readonly bin: string }[];
  };
}
const read = (...names: readonly string[]) => readFileSync(path.join(ROOT, ...names), 'utf8');

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

function manifest(repository: string | undefined): Manifest {
  describeRelease(folder, '1.2.3', repository);
  return load(readFileSync(path.join(folder, 'krew-manifest.yaml'), 'utf8')) as Manifest;
}

describe('what describes a release', () => {
  beforeEach(() => {
    writeFileSync(path.join(folder, 'kubectl-ztunnel-linux-amd64.tar.gz'), 'linux');
    writeFileSync(path.join(folder, 'kubectl-ztunnel-windows-amd64.zip'), 'windows');
    writeFileSync(path.join(folder, 'kubectl-ztunnel-linux-amd64.cdx.json'), '{}');
    writeFileSync(path.join(folder, 'notes.txt'), 'no part of it');
  });

  test('has checksums that sha256sum accepts, of what is published and nothing else', () => {
    manifest(undefined);
    expect(sh('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder })).toBe(
      'kubectl-ztunnel-linux-amd64.cdx.json: OK\nkubectl-ztunnel-linux-amd64.tar.gz: OK\nkubectl-ztunnel-windows-amd64.zip: OK\n',
    );
  });

  test('tells krew of the archives that are there', () => {
    const { metadata, spec } = manifest('https://forge.example/who/what');
    expect([metadata.name, spec.version, spec.homepage]).toEqual([
      'ztunnel',
      'v1.2.3',
      'https://forge.example/who/what',
    ]);
    const at = 'https://forge.example/who/what/releases/download/v1.2.3';
    expect(spec.platforms.map(({ uri, bin }) => [uri, bin])).toEqual([
      [`${at}/kubectl-ztunnel-linux-amd64.tar.gz`, 'kubectl-ztunnel'],
      [`${at}/kubectl-ztunnel-windows-amd64.zip`, 'kubectl-ztunnel.exe'],
    ]);
    expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toContain(
      `${spec.platforms[0]!.sha256}  kubectl-ztunnel-linux-amd64.tar.gz\n`,
    );
  });

  test('is as a custom index of krew wants it, too', () => {
    manifest(undefined);
    const [index, alone] = ['plugins/ztunnel.yaml', 'krew-manifest.yaml'].map((name) =>
      readFileSync(path.join(folder, name), 'utf8'),
    );
    expect(index).toBe(alone);
  });

  test('invents no address', () => {
    const { spec } = manifest(undefined);
    expect([spec.homepage, spec.platforms[0]!.uri]).toEqual([
      undefined,
      'kubectl-ztunnel-linux-amd64.tar.gz',
    ]);
  });

  test('keeps to what the central index wants of texts', () => {
    const { shortDescription, description, caveats } = manifest(undefined).spec;
    expect(shortDescription.length).toBeLessThanOrEqual(50);
    expect(description).not.toMatch(/usage|kubectl ztunnel/i);
    for (const right of [
      'pods',
      'replicasets',
      'statefulsets',
      'jobs',
      'leases',
      'pods/portforward',
      'musl',
    ]) {
      expect(caveats).toContain(right);
    }
  });
});

describe('platforms', () => {
  test('are those that users have', () => {
    expect(PLATFORMS.map(archiveName)).toEqual([
      'kubectl-ztunnel-linux-amd64.tar.gz',
      'kubectl-ztunnel-linux-arm64.tar.gz',
      'kubectl-ztunnel-linux-amd64-musl.tar.gz',
      'kubectl-ztunnel-linux-arm64-musl.tar.gz',
      'kubectl-ztunnel-darwin-amd64.tar.gz',
      'kubectl-ztunnel-darwin-arm64.tar.gz',
      'kubectl-ztunnel-windows-amd64.zip',
      'kubectl-ztunnel-windows-arm64.zip',
    ]);
    expect(platformOf({ platform: 'win32', arch: 'arm64' })?.name).toBe('windows-arm64');
    expect(platformOf({ platform: 'linux', arch: 'riscv64' })).toBeUndefined();
  });

  test('have a runtime of their own, whose content is pinned', () => {
    for (const key of ['name', 'target', 'integrity'] as const) {
      expect(new Set(PLATFORMS.map((platform) => platform[key])).size).toBe(PLATFORMS.length);
    }
    for (const { integrity } of PLATFORMS) expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
  });
});

const packages: readonly BundledPackage[] = [
  { name: '@scope/a', version: '1.0.0', license: 'MIT', texts: ['Copyright A'], sha512: 'ab' },
  { name: 'b', version: '2.0.0', license: '(MIT OR Apache-2.0)', texts: [], sha512: undefined },
];

/** Bun's documentation of that release: a table of what is linked, and one of what it brings for Node.js. */
describe("Bun's own list of licences", () => {
  const package_ = JSON.parse(read('node_modules/bun-types/package.json')) as { version: string };
  const [linked = '', polyfills = ''] = read('node_modules/bun-types/docs/project/license.mdx').split(
    '## Polyfills',
  );
  const rows = (text: string) =>
    [...text.matchAll(/^\| .*?\[`?([^`\]]+)`?\]\(\S+?\).*? \| (.+?) +\|$/gm)].map(([, name, license]) => ({
      name: name!,
      license: license!,
    }));

  /** What ours has for the words of theirs; of a choice, what was chosen. */
  const WORDS: Readonly<Record<string, string>> = {
    'Apache 2.0': 'Apache-2.0',
    'Apache 2.0 licensed': 'Apache-2.0',
    'BSD 2-Clause': 'BSD-2-Clause',
    'BSD 2-Clause (portions derived from libpng, PNG Reference Library License v2)':
      'BSD-2-Clause AND libpng-2.0',
    'BSD 3-Clause': 'BSD-3-Clause',
    'BSD 3-Clause / IJG / zlib': 'BSD-3-Clause AND IJG AND Zlib',
    'LGPL v2.1': 'LGPL-2.1-or-later',
    MIT: 'MIT',
    'MIT (bundled xxhash is BSD 2-Clause)': 'MIT AND BSD-2-Clause',
    'MIT (portions derived from Chromium proto-quic, BSD 3-Clause)': 'MIT AND BSD-3-Clause',
    'MIT licensed': 'MIT',
    'dual-licensed under CC0 1.0 or the BSD 2-Clause License': 'BSD-2-Clause',
    'dual-licensed under the BSD License or GPLv2 license': 'BSD-3-Clause',
    'dual-licensed under the Perl License or the MIT License': 'MIT',
    zlib: 'Zlib',
  };
  /** Named there with an address instead: what is at it. */
  const LINKS: Readonly<Record<string, string>> = {
    boringssl: 'Apache-2.0 AND ISC AND OpenSSL',
    libarchive: 'BSD-2-Clause',
    libicu: 'Unicode-3.0',
    sqlite: 'blessing',
  };
  const OTHER_NAMES: Readonly<Record<string, string>> = {
    libicu: 'ICU',
    libbase64: 'base64',
    libuv: 'libuv (on Windows)',
    picohttp: 'picohttpparser',
    "Tigerbeetle's IO code": "parts of TigerBeetle's input and output",
  };

  test('is that of the release that is inside', () => {
    expect(package_.version).toBe(BUN_VERSION);
    expect(rows(linked).length).toBeGreaterThan(25);
  });

  test.each(rows(linked).map((row) => [row.name, row] as const))(
    '%s is in ours, under that licence',
    (_, row) => {
      const named = (OTHER_NAMES[row.name] ?? row.name).toLowerCase();
      const ours: BunPart | undefined = [...RELINKABLE, ...LINKED].find(
        ({ name }) => name.toLowerCase() === named,
      );
      expect(ours?.license).toBe(LINKS[row.name] ?? WORDS[row.license]);
      expect(ours).toBeDefined();
    },
  );

  test('has the same polyfills', () => {
    expect(POLYFILLS.toSorted()).toEqual(
      rows(polyfills)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(rows(polyfills).filter(({ license }) => license !== 'MIT')).toEqual([]);
  });
});

describe('what is inside', () => {
  const build = { version: '1.2.3', commit: 'c'.repeat(40), date: '2026-11-29T22:03:42Z' };
  const bun = { bun: BUN_VERSION, webkit: 'd6375c72', node: '26.3.0', modules: '137' };
  const sbom = (version = '1.2.3') => renderSbom(PLATFORMS[0]!, { ...build, version }, packages, bun);

  test('is listed: packages, Bun, and what Bun is made of', () => {
    const { components, dependencies, metadata } = JSON.parse(sbom());
    const parts = [...RELINKABLE, ...LINKED].map(({ name }) => `bun:${name}`);
    const polyfills = POLYFILLS.map((name) => `bun:${name}`);
    expect(components.map((each: { 'bom-ref': string }) => each['bom-ref'])).toEqual([
      'bun',
      ...parts,
      ...polyfills,
      'pkg:npm/%40scope/a@1.0.0',
      'pkg:npm/b@2.0.0',
    ]);
    const [own, other] = components.slice(-2);
    expect(own).toMatchObject({ group: '@scope', name: 'a', licenses: [{ license: { id: 'MIT' } }] });
    expect(other.licenses).toEqual([{ expression: '(MIT OR Apache-2.0)' }]);
    expect(components[0]).toMatchObject({
      version: BUN_VERSION,
      purl: `pkg:npm/%40oven/bun-linux-x64@${BUN_VERSION}`,
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
    expect(components[1]).toMatchObject({
      name: 'JavaScriptCore',
      version: 'd6375c72',
      licenses: [{ license: { id: 'LGPL-2.0-or-later' } }],
    });
    expect(dependencies[1]).toEqual({ ref: 'bun', dependsOn: [...parts, ...polyfills] });
    expect(metadata.component.version).toBe('1.2.3');
  });

  test('names no package of npm for a Bun that somebody has built', () => {
    const { components } = JSON.parse(renderSbom(PLATFORMS[0]!, build, packages, bun, true));
    expect([components[0].name, components[0].purl, components[0].hashes]).toEqual([
      'bun',
      undefined,
      undefined,
    ]);
  });

  test('has the same number as long as it is the same', () => {
    const number = (text: string) => JSON.parse(text).serialNumber as string;
    expect(number(sbom())).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(number(sbom())).toBe(number(sbom()));
    expect(number(sbom())).not.toBe(number(sbom('1.2.4')));
  });

  test('is named with its licence', () => {
    expect(renderNotices(packages)).not.toContain('Bun');
    const text = renderNotices(packages, bun);
    for (const part of ['@scope/a 1.0.0 (MIT)', 'Copyright A', 'b 2.0.0 (', `Bun ${BUN_VERSION}`]) {
      expect(text).toContain(part);
    }
    for (const { name, license, from } of [...RELINKABLE, ...LINKED]) {
      expect(text).toContain(`${name} (${license}): ${from}`);
    }
  });

  test('says how the parts under the LGPL can be exchanged, with their texts', () => {
    const text = renderNotices(packages, bun);
    expect(text).toMatch(/at commit\s+d6375c72;/);
    expect(text).toContain('npm run package -- --platform NAME --runtime BUN');
    for (const title of ['GNU LIBRARY GENERAL PUBLIC LICENSE', 'GNU LESSER GENERAL PUBLIC LICENSE']) {
      expect(text.toUpperCase()).toContain(title);
    }
  });
});

describe('the image', () => {
  const lines = read('Dockerfile').split('\n');

  test('is made of what packaging leaves in release/, on glibc, and runs as somebody', () => {
    expect(lines.find((line) => line.startsWith('FROM'))).toBe('FROM debian:12-slim');
    expect(lines).toContain('USER 65532:65532');
    const copied = lines
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied).toEqual(
      ['kubectl-ztunnel', 'LICENSE', 'THIRD-PARTY-NOTICES.txt'].map((name) => `linux-\${TARGETARCH}/${name}`),
    );
  });
});

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        needs?: unknown;
        steps: readonly Step[];
        strategy?: { matrix: { include: readonly { platform: string }[] } };
      }
    >
  >;
}

describe('the release workflow', () => {
  const workflow = load(read('.github/workflows/release.yml')) as Workflow;
  const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

  test('starts each executable on its own system', () => {
    const platforms = workflow.jobs.start!.strategy!.matrix.include.map(({ platform }) => platform);
    expect(platforms).toEqual(PLATFORMS.filter(({ libc }) => libc !== 'musl').map(({ name }) => name));
  });

  test('calls scripts that are there, and takes addresses from the repository that it runs in', () => {
    const scripts = runs.flatMap((run) =>
      [...run.matchAll(/scripts\/[a-z]+\.ts|\.ci\/run/g)].map(([name]) => name),
    );
    expect(scripts).toEqual(['.ci/run']);
    expect(runs.filter((run) => run.includes('npm run package'))).toHaveLength(1);
    expect(scripts.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
    expect(workflow.env.REPOSITORY_URL).toContain('github.repository');
    expect(read('.github/workflows/release.yml')).not.toMatch(/https?:\/\//);
  });

  test('tries what is shipped before it ships anything', () => {
    const tried = workflow.jobs.check!.steps.some(({ run }) => run?.includes('npm run test:package'));
    expect(tried).toBe(true);
    const { archives, npm, start, release } = workflow.jobs;
    expect([archives, npm, start, release].map((job) => job!.needs)).toEqual([
      'check',
      'check',
      'archives',
      ['archives', 'start', 'npm'],
    ]);
  });

  test('has the Node.js that development has', () => {
    const { optionalDependencies } = JSON.parse(read('scripts/runtime/package.json'));
    expect([...new Set(Object.values(optionalDependencies))]).toEqual([workflow.env.NODE_VERSION]);
  });
});
