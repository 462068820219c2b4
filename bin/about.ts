// What the build wrote down about itself, and what it runs on.

import type { About } from '../src/commands/spec/command.ts';

/** Put in by scripts/build.ts; not there where the program runs from its sources. */
declare const BUILD_INFO: { version: string; commit: string | null; date: string | null } | undefined;

const build =
  typeof BUILD_INFO === 'undefined' ? { version: '0.0.0-source', commit: null, date: null } : BUILD_INFO;
const OS: Readonly<Record<string, string>> = { win32: 'windows' };
const ARCH: Readonly<Record<string, string>> = { x64: 'amd64' };

export const about: About = {
  version: build.version,
  commit: build.commit,
  buildDate: build.date,
  runtime:
    process.versions.bun === undefined ? `Node.js ${process.versions.node}` : `Bun ${process.versions.bun}`,
  platform: `${OS[process.platform] ?? process.platform}/${ARCH[process.arch] ?? process.arch}`,
};
