// Writes what documentation takes from the program: README's tables of flags, and pictures of its output.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { withFlagTables } from './flagtables.ts';
import { drawPictures } from './pictures.ts';

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withFlagTables(readFileSync(readme, 'utf8')));

const images = new URL('../docs/images/', import.meta.url);
mkdirSync(images, { recursive: true });
for (const [name, svg] of await drawPictures()) writeFileSync(new URL(name, images), svg);
