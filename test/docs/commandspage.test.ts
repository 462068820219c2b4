// The generated part of docs/commands.md: as the table of commands has it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withCommands } from '../../scripts/commandspage.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/commands.md'), 'utf8');

test('is what `npm run docs` makes', () => {
  expect(page).toBe(withCommands(page));
});

test('a page without a place for it is refused', () => {
  expect(() => withCommands('# Title\n')).toThrow('needs a line');
});
