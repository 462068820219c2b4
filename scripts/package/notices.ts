// How the licences of what is inside are written down.

import { createRequire } from 'node:module';
import type { BundledPackage } from './bundled.ts';
import { BUN, type BunPart, LINKED, POLYFILLS, RELINKABLE } from './bunparts.ts';
import { BUN_VERSION } from './platforms.ts';

/** The commit of Bun's fork of WebKit, and so on, as Bun names them itself: `process.versions`. */
export type BunVersions = Readonly<Record<string, string | undefined>>;

/** The text of THIRD-PARTY-NOTICES.txt; `bun` is there where the runtime is inside too. */
export function renderNotices(packages: readonly BundledPackage[], bun?: BunVersions): string {
  const inside = packages.map(({ name, version, license, texts }) =>
    section(
      `${name} ${version} (${license})`,
      texts.length === 0 ? 'It comes without a text of its licence.' : texts.join('\n\n'),
    ),
  );
  const runtime = bun === undefined ? [] : renderBun(bun);
  return `kubectl ztunnel contains the software below. Each part is under its own licence.\n${[...inside, ...runtime].join('')}`;
}

function renderBun(versions: BunVersions): readonly string[] {
  const parts = [BUN, ...RELINKABLE, ...LINKED];
  const expressions = [...parts.map(({ license }) => license), 'MIT'];
  const names = new Set(
    expressions.flatMap((text) => text.split(/ AND | WITH /)).filter((name) => name !== 'LLVM-exception'),
  );
  return [
    section(
      `Bun ${BUN_VERSION}`,
      `The executable is Bun (${BUN.from}, release ${BUN_VERSION}) with the program in it. Bun is linked with:\n\n${[
        ...RELINKABLE,
        ...LINKED,
      ]
        .map(line)
        .join('\n')}\n\nand brings these packages of npm's, all under MIT:\n\n  ${POLYFILLS.join(', ')}`,
    ),
    section('JavaScriptCore, WebCore and TinyCC: sources, and how to link others', relinking(versions)),
    ...[...names].sort().map((name) => section(`${name}, the text of the licence`, licenseText(name))),
  ];
}

function line({ name, from, license }: BunPart): string {
  return `  ${name} (${license}): ${from}`;
}

/** What the LGPL asks for. */
function relinking({
  webkit = 'see process.versions',
  tinycc = 'see process.versions',
}: BunVersions): string {
  return `These are under the GNU Lesser General Public License. You may change them and use the program with your own:

  1. Sources: JavaScriptCore and WebCore are in https://github.com/oven-sh/WebKit at commit
     ${webkit}; TinyCC is in https://github.com/tinycc/tinycc at commit ${tinycc}.
     Bun's own, which they are linked with, are in ${BUN.from} at tag bun-v${BUN_VERSION}.
  2. Check them out (WebKit as vendor/WebKit of Bun's sources), change them, and build Bun by \`bun run build:local\`.
  3. Put the program into your Bun: in a checkout of kubectl-ztunnel, \`npm ci\`, then
     \`npm run package -- --platform NAME --runtime BUN\`.

The program's own part of the executable is JavaScript under the Apache License 2.0; it puts no bounds on reverse
engineering for debugging such changes.`;
}

function licenseText(name: string): string {
  const { licenseText: text } = createRequire(import.meta.url)(`spdx-license-list/licenses/${name}.json`);
  return text.replaceAll('\r\n', '\n').trim();
}

function section(title: string, text: string): string {
  return `\n${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`;
}
