// `npm run package`: a release's files, for this platform and every other whose Node.js is at hand.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type BuildInfo, buildInfo } from './buildinfo.ts';
import { makeArchive } from './package/archive.ts';
import { bundledPackages } from './package/bundled.ts';
import { makeExecutable } from './package/executable.ts';
import { renderNotices } from './package/notices.ts';
import { archiveName, PLATFORMS, type Platform } from './package/platforms.ts';
import { describeRelease } from './package/release.ts';
import { makerOf, type Runtime, runtimeFor, Unavailable } from './package/runtime.ts';
import { renderSbom } from './package/sbom.ts';
import { runTool } from './package/tool.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist');
const METAFILE = join(ROOT, 'dist/metafile.json');
const USAGE = `npm run package -- [--platform NAME]… [--runtime NAME=NODE]… [--out DIR]
npm run package -- --describe [--out DIR]

  --platform   only this one: ${PLATFORMS.map(({ name }) => name).join(', ')}
  --runtime    the Node.js (24.8 or later, not 25) to put into a platform's archive
  --describe   only write SHA256SUMS and the krew manifests of the archives that are there
  --out        where to; release/ by default

REPOSITORY_URL is where releases are downloaded from (else package.json's homepage).
`;

const say = (line: string) => process.stderr.write(`package: ${line}\n`);

interface Wanted {
  readonly platforms: readonly Platform[];
  /** By platform: the path of a Node.js. */
  readonly runtimes: ReadonlyMap<string, string>;
  /** Platforms that were named must be made; of all, what can be. */
  readonly named: boolean;
  readonly out: string;
  readonly describeOnly: boolean;
}

function readWanted(argv: readonly string[]): Wanted {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      platform: { ...text, multiple: true },
      runtime: { ...text, multiple: true },
      out: text,
      describe: { type: 'boolean' },
    },
  });
  const names = values.platform ?? [];
  const runtimes = new Map((values.runtime ?? []).map((pair) => splitPair(pair)));
  for (const name of [...names, ...runtimes.keys()]) {
    if (!PLATFORMS.some((platform) => platform.name === name))
      throw new Error(`there is no platform ${name}\n${USAGE}`);
  }
  return {
    platforms: PLATFORMS.filter(({ name }) => names.length === 0 || names.includes(name)),
    runtimes,
    named: names.length > 0,
    out: resolve(values.out ?? join(ROOT, 'release')),
    describeOnly: values.describe ?? false,
  };
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`--runtime needs NAME=NODE, not ${pair}\n${USAGE}`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** Makes one platform's folder, archive and list of contents. */
function packagePlatform(platform: Platform, runtime: Runtime, build: BuildInfo, out: string): void {
  const packages = bundledPackages(METAFILE);
  const entries = [
    { name: platform.program, mode: 0o755, content: makeExecutable(platform, runtime, BUILT) },
    { name: 'LICENSE', mode: 0o644, content: readFileSync(join(ROOT, 'LICENSE')) },
    { name: 'THIRD-PARTY-NOTICES.txt', mode: 0o644, content: Buffer.from(renderNotices(packages, runtime)) },
  ] as const;
  const folder = join(out, platform.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, mode, content } of entries) writeFileSync(join(folder, name), content, { mode });
  const archive = makeArchive[platform.format](entries, new Date(build.date ?? '1980-01-01T00:00:00Z'));
  writeFileSync(join(out, archiveName(platform)), archive);
  const embedded = JSON.parse(runTool(makerOf(runtime.version), ['-p', 'JSON.stringify(process.versions)']));
  const sbom = renderSbom(platform, build, packages, { version: runtime.version, embedded });
  writeFileSync(join(out, `kubectl-ztunnel-${platform.name}.cdx.json`), sbom);
  say(`${archiveName(platform)}: ${(archive.length / 1e6).toFixed(1)} MB, Node.js ${runtime.version}`);
}

/** False if it was left out. */
function tryPlatform(platform: Platform, { runtimes, out }: Wanted, build: BuildInfo): boolean {
  try {
    packagePlatform(platform, runtimeFor(platform, runtimes.get(platform.name)), build, out);
    return true;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    say(`${platform.name} is left out: ${error.message}`);
    return false;
  }
}

function main(argv: readonly string[]): number {
  const wanted = readWanted(argv);
  const build = buildInfo();
  mkdirSync(wanted.out, { recursive: true });
  const made = wanted.describeOnly ? [] : wanted.platforms.filter((each) => tryPlatform(each, wanted, build));
  const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const repository = (process.env.REPOSITORY_URL || homepage)?.replace(/\/+$/, '');
  describeRelease(wanted.out, build.version, repository);
  if (repository === undefined) say('REPOSITORY_URL is not set: the krew manifest names no address');
  return wanted.describeOnly || made.length === wanted.platforms.length || (!wanted.named && made.length > 0)
    ? 0
    : 1;
}

process.exitCode = main(process.argv.slice(2));
