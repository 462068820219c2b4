// How the program becomes one file that needs nothing installed beside it, with caches of its compiled code.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { buildInfo } from './buildinfo.ts';
import { lazyBuiltins } from './builtins.ts';
import { writeCodeCaches } from './codecache.ts';
import { leaveOutUnused } from './unused.ts';

const BUNDLE = 'dist/kubectl-ztunnel.cjs';

/** CommonJS, because a single executable can only embed that; what a command does not need is not run. */
const { metafile, outputFiles } = await build({
  entryPoints: ['bin/main.ts'],
  outfile: BUNDLE,
  write: false,
  bundle: true,
  platform: 'node',
  // Older syntax than the oldest Node that runs it, so that no newer syntax keeps a version check from speaking.
  target: 'node20',
  format: 'cjs',
  // Names stay as they are: the calls that give minified functions their names back take 3 ms at every start.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { 'import.meta.url': 'importMetaUrl', BUILD_INFO: JSON.stringify(buildInfo()) },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  plugins: [lazyBuiltins, leaveOutUnused],
  logLevel: 'warning',
  metafile: true,
});
// A clean checkout has no such folder.
mkdirSync(path.dirname(BUNDLE), { recursive: true });
writeFileSync(BUNDLE, asAscii(outputFiles[0]?.text ?? ''));
// Packaging reads from it what is inside.
writeFileSync('dist/metafile.json', JSON.stringify(metafile));
await writeCodeCaches(BUNDLE);

/** One character beyond Latin-1 (esbuild leaves them in regular expressions) would make V8 hold the text in twice the memory. */
function asAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
