// What goes beside the archives of a release: their checksums, and how krew finds them.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderKrewManifest } from './krewmanifest.ts';
import { archiveName, PLATFORMS } from './platforms.ts';

/** Writes SHA256SUMS, krew-manifest.yaml and, as a custom index of krew's wants it, plugins/ztunnel.yaml. */
export function describeRelease(folder: string, version: string, repository: string | undefined): void {
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder));
  const published = PLATFORMS.filter((platform) => existsSync(join(folder, archiveName(platform)))).map(
    (platform) => ({ platform, sha256: sha256Of(join(folder, archiveName(platform))) }),
  );
  const addresses = {
    // Without an address the manifest serves `krew install --archive`, which needs none.
    base: repository === undefined ? '' : `${repository}/releases/download/v${version}/`,
    homepage: repository,
  };
  const manifest = renderKrewManifest(version, published, addresses);
  mkdirSync(join(folder, 'plugins'), { recursive: true });
  writeFileSync(join(folder, 'krew-manifest.yaml'), manifest);
  writeFileSync(join(folder, 'plugins', 'ztunnel.yaml'), manifest);
}

/** As `sha256sum --check` reads them: of all archives and lists of contents. */
function checksums(folder: string): string {
  return readdirSync(folder)
    .filter((name) => /^kubectl-ztunnel-.*\.(tar\.gz|zip|cdx\.json)$/.test(name))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `${sha256Of(join(folder, name))}  ${name}\n`)
    .join('');
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
