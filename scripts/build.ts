// How the program becomes one file that needs nothing installed beside it.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleForNode } from './bundle.ts';

const FOLDER = 'dist';

const metafile = await bundleForNode(path.join(FOLDER, 'kubectl-ztunnel.mjs'));
mkdirSync(FOLDER, { recursive: true });
// Packaging reads from it what is inside.
writeFileSync(path.join(FOLDER, 'metafile.json'), JSON.stringify(metafile));
