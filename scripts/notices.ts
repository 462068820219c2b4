// Writes dist/THIRD-PARTY-NOTICES.txt for the npm package, in which there is no Node.js.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './package/bundled.ts';
import { renderNotices } from './package/notices.ts';

const DIST = join(import.meta.dirname, '../dist');

writeFileSync(
  join(DIST, 'THIRD-PARTY-NOTICES.txt'),
  renderNotices(bundledPackages(join(DIST, 'metafile.json'))),
);
