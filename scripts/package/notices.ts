// How the licences of what is inside are written down.

import type { BundledPackage } from './bundled.ts';

/** The text of THIRD-PARTY-NOTICES.txt; `node` is Node.js's own licence where it is inside too. */
export function renderNotices(
  packages: readonly BundledPackage[],
  node?: { version: string; license: string },
): string {
  const inside = packages.map(({ name, version, license, texts }) =>
    section(
      `${name} ${version} (${license})`,
      texts.length === 0 ? 'It comes without a text of its licence.' : texts.join('\n\n'),
    ),
  );
  const runtime = node === undefined ? [] : [section(`Node.js ${node.version}`, node.license.trim())];
  return `kubectl ztunnel contains the software below. Each part is under its own licence.\n${[...inside, ...runtime].join('')}`;
}

function section(title: string, text: string): string {
  return `\n${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`;
}
