// How the program becomes one file that needs nothing installed beside it.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { buildInfo } from './buildinfo.ts';

const FOLDER = 'dist';

const { metafile } = await build({
  entryPoints: ['bin/main.ts'],
  outfile: path.join(FOLDER, 'kubectl-ztunnel.mjs'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  // Names stay as they are: a stack that a user sends can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { BUILD_INFO: JSON.stringify(buildInfo()) },
  // CommonJS packages inside ask for Node's modules by this name.
  banner: {
    js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
  metafile: true,
});
// Packaging reads from it what is inside.
writeFileSync(path.join(FOLDER, 'metafile.json'), JSON.stringify(metafile));
