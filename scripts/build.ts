// How the program becomes a bundle that needs nothing installed beside it, with caches of its compiled code.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { buildInfo } from './buildinfo.ts';
import { writeCodeCaches } from './codecache.ts';
import { makeParts } from './parts.ts';
import { leaveOutUnused } from './unused.ts';

const FOLDER = 'dist';

/** Chunks: what a command does not need is not run, and where it can be not even read. */
const { metafile, outputFiles } = await build({
  entryPoints: ['bin/main.ts'],
  outdir: FOLDER,
  write: false,
  bundle: true,
  splitting: true,
  platform: 'node',
  // Older syntax than the oldest Node that runs it, so that no newer syntax keeps a version check from speaking.
  target: 'node20',
  format: 'esm',
  // Names stay as they are: the calls that give minified functions their names back take 3 ms at every start.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { BUILD_INFO: JSON.stringify(buildInfo()) },
  plugins: [leaveOutUnused],
  logLevel: 'warning',
  metafile: true,
});
// A clean checkout has no such folder.
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(await makeParts(outputFiles, metafile))) {
  writeFileSync(path.join(FOLDER, name), text);
}
// Packaging reads from it what is inside.
writeFileSync(path.join(FOLDER, 'metafile.json'), JSON.stringify(metafile));
await writeCodeCaches(FOLDER);
