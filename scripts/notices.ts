// Writes dist/THIRD-PARTY-NOTICES.txt for the npm package, in which there is no runtime.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './package/bundled.ts';
import { renderNotices } from './package/notices.ts';

const DIST = join(import.meta.dirname, '../dist');
const metafile = JSON.parse(readFileSync(join(DIST, 'metafile.json'), 'utf8'));

writeFileSync(join(DIST, 'THIRD-PARTY-NOTICES.txt'), renderNotices(bundledPackages(metafile)));
