// `npm run package`: a release's files for every platform, all made on this machine.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type BuildInfo, buildInfo } from './buildinfo.ts';
import { bundleForBun } from './bundle.ts';
import { makeArchive } from './package/archive.ts';
import { type BundledPackage, bundledPackages } from './package/bundled.ts';
import { makeExecutable } from './package/executable.ts';
import { type BunVersions, renderNotices } from './package/notices.ts';
import { archiveName, PLATFORMS, type Platform } from './package/platforms.ts';
import { describeRelease } from './package/release.ts';
import { bunHere } from './package/runtime.ts';
import { renderSbom } from './package/sbom.ts';
import { runTool } from './package/tool.ts';

const ROOT = resolve(import.meta.dirname, '..');
const USAGE = `npm run package -- [--platform NAME]… [--runtime BUN] [--out DIR]

  --platform   only this one: ${PLATFORMS.map(({ name }) => name).join(', ')}
  --runtime    put this Bun of the same release into the one platform that is named (npm's by default)
  --out        where to; release/ by default

REPOSITORY_URL is where releases are downloaded from (else package.json's homepage).
`;

const say = (line: string) => process.stderr.write(`package: ${line}\n`);

interface Wanted {
  readonly platforms: readonly Platform[];
  /** The path of a Bun; undefined for npm's. */
  readonly runtime: string | undefined;
  readonly out: string;
}

function readWanted(argv: readonly string[]): Wanted {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      platform: { ...text, multiple: true },
      runtime: text,
      out: text,
    },
  });
  const names = values.platform ?? [];
  for (const name of names) {
    if (!PLATFORMS.some((platform) => platform.name === name))
      throw new Error(`there is no platform ${name}\n${USAGE}`);
  }
  if (values.runtime !== undefined && names.length !== 1)
    throw new Error(`--runtime needs one --platform\n${USAGE}`);
  return {
    platforms: PLATFORMS.filter(({ name }) => names.length === 0 || names.includes(name)),
    runtime: values.runtime && resolve(values.runtime),
    out: resolve(values.out ?? join(ROOT, 'release')),
  };
}

/** What is the same on every platform. */
interface Contents {
  /** The folder of the bundle. */
  readonly bundle: string;
  readonly build: BuildInfo;
  readonly packages: readonly BundledPackage[];
  readonly bun: BunVersions;
}

/** Makes one platform's folder, archive and list of contents. */
function packagePlatform(platform: Platform, { runtime, out }: Wanted, contents: Contents): void {
  const { bundle, build, packages, bun } = contents;
  const entries = [
    { name: platform.program, mode: 0o755, content: makeExecutable(platform, bundle, runtime) },
    { name: 'LICENSE', mode: 0o644, content: readFileSync(join(ROOT, 'LICENSE')) },
    { name: 'THIRD-PARTY-NOTICES.txt', mode: 0o644, content: Buffer.from(renderNotices(packages, bun)) },
  ] as const;
  const folder = join(out, platform.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, mode, content } of entries) writeFileSync(join(folder, name), content, { mode });
  const archive = makeArchive[platform.format](entries, new Date(build.date ?? '1980-01-01T00:00:00Z'));
  writeFileSync(join(out, archiveName(platform)), archive);
  const sbom = renderSbom(platform, build, packages, bun, runtime !== undefined);
  writeFileSync(join(out, `kubectl-ztunnel-${platform.name}.cdx.json`), sbom);
  say(`${archiveName(platform)}: ${(archive.length / 1e6).toFixed(1)} MB`);
}

async function main(argv: readonly string[]): Promise<void> {
  const wanted = readWanted(argv);
  const build = buildInfo();
  mkdirSync(wanted.out, { recursive: true });
  const bun = JSON.parse(runTool(bunHere(), ['-p', 'JSON.stringify(process.versions)'])) as BunVersions;
  const bundle = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-bundle-'));
  try {
    const packages = bundledPackages(await bundleForBun(bundle));
    const contents = { bundle, build, packages, bun };
    for (const platform of wanted.platforms) packagePlatform(platform, wanted, contents);
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
  const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const repository = (process.env.REPOSITORY_URL || homepage)?.replace(/\/+$/, '');
  describeRelease(wanted.out, build.version, repository);
  if (repository === undefined) say('REPOSITORY_URL is not set: the krew manifest names no address');
}

await main(process.argv.slice(2));
