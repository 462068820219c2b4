// How the program becomes one file that needs nothing installed beside it.

import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { buildInfo } from './buildinfo.ts';

/** CommonJS, because a single executable can only embed that; what a command does not need is not run. */
const { metafile } = await build({
  entryPoints: ['bin/main.ts'],
  outfile: 'dist/kubectl-ztunnel.cjs',
  bundle: true,
  platform: 'node',
  // Older syntax than the oldest Node that runs it, so that no newer syntax keeps a version check from speaking.
  target: 'node20',
  format: 'cjs',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  define: { 'import.meta.url': 'importMetaUrl', BUILD_INFO: JSON.stringify(buildInfo()) },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
  metafile: true,
});
// Packaging reads from it what is inside.
writeFileSync('dist/metafile.json', JSON.stringify(metafile));
