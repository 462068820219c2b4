// Writes docs/findings.md from the table of findings.

import { writeFileSync } from 'node:fs';
import { renderFindingsPage } from './findingspage.ts';

writeFileSync(new URL('../docs/findings.md', import.meta.url), renderFindingsPage());
