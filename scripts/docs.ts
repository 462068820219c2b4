// Writes what the repository takes from the program: README's tables of flags, pictures of its output, krew's manifest.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import about from '../package.json' with { type: 'json' };
import { withFlagTables } from './flagtables.ts';
import { renderKrewDraft } from './krewdraft.ts';
import { drawPictures } from './pictures.ts';

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withFlagTables(readFileSync(readme, 'utf8')));

writeFileSync(new URL('../krew-manifest.yaml', import.meta.url), renderKrewDraft(about.version));

const images = new URL('../docs/images/', import.meta.url);
mkdirSync(images, { recursive: true });
for (const [name, svg] of await drawPictures()) writeFileSync(new URL(name, images), svg);
