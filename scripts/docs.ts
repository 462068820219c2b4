// Writes README's tables of flags from the table of commands.

import { readFileSync, writeFileSync } from 'node:fs';
import { withFlagTables } from './flagtables.ts';

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withFlagTables(readFileSync(readme, 'utf8')));
