// The krew manifest as it stands in the repository: a release's, before its archives and their checksums are known.

import { renderKrewManifest } from './package/krewmanifest.ts';
import { PLATFORMS } from './package/platforms.ts';

const HEADER = `\
# How krew installs the plugin. \`npm run package\` writes one like it into release/, with the addresses and the
# checksums of the archives that it has made; here they stand open.
`;
const UNKNOWN = '0'.repeat(64);

/** The YAML text, for a version such as 0.1.0. */
export function renderKrewDraft(version: string): string {
  const published = PLATFORMS.map((platform) => ({ platform, sha256: UNKNOWN }));
  return (
    HEADER + renderKrewManifest(version, published, { base: 'https://example.com/', homepage: undefined })
  );
}
