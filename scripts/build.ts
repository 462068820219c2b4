// How the program becomes one file that needs nothing installed beside it.

import { build } from 'esbuild';

/** CommonJS, because a single executable can only embed that; what a command does not need is not run. */
await build({
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
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
});
