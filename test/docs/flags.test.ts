// What the README says of flags: as the table of commands has them.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withFlagTables } from '../../scripts/flagtables.ts';

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

test("README's tables of flags are what `npm run docs` makes", () => {
  expect(readme).toBe(withFlagTables(readme));
});

test('a README without a place for them is refused', () => {
  expect(() => withFlagTables('# Title\n')).toThrow('needs a line');
});
