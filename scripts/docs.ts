// Writes what the repository takes from the program: the tables of docs/commands.md, pictures of its output, krew's manifest.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import about from '../package.json' with { type: 'json' };
import { withCommands } from './commandspage.ts';
import { renderKrewDraft } from './krewdraft.ts';
import { drawPictures } from './pictures.ts';

const page = new URL('../docs/commands.md', import.meta.url);
writeFileSync(page, withCommands(readFileSync(page, 'utf8')));

writeFileSync(new URL('../krew-manifest.yaml', import.meta.url), renderKrewDraft(about.version));

const images = new URL('../docs/images/', import.meta.url);
mkdirSync(images, { recursive: true });
for (const [name, svg] of await drawPictures()) writeFileSync(new URL(name, images), svg);
