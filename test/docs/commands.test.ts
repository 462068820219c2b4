// Every command line that the documentation shows: the program takes it.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseArgv } from '../../src/cli/argv/argv.ts';
import { commands } from '../../src/commands/index.ts';
import { runs } from '../../src/commands/runs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

/** What follows `kubectl ztunnel` on lines of shell, as far as the next program. */
const shown = pages.flatMap((page) =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].flatMap(
    ([, block = '']) =>
      [...block.matchAll(/^(?:.*[;&|] )?kubectl ztunnel ([^#|>&\n]*)/gm)].map(([, words = '']) => [
        page,
        words.trim(),
      ]),
  ),
);

test('every command that reports is done somewhere', () => {
  const names = commands.filter((command) => 'views' in command).map(({ name }) => name);
  expect(Object.keys(runs).toSorted()).toEqual(names.toSorted());
});

test('there are recipes', () => {
  expect(shown.filter(([page]) => page === 'README.md').length).toBeGreaterThan(40);
});

test.each(shown)('%s: kubectl ztunnel %s', (_, line) => {
  const words = line!.split(/ +/).map((word) => word.replaceAll(/^'|'$/g, ''));
  const parsed = parseArgv(words, commands);
  expect(parsed.type === 'error' ? parsed.error.message : '').toBe('');
});
