// The documentation's pictures: they show what the program prints today, as a terminal would.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { drawPictures, PICTURES } from '../../scripts/pictures.ts';
import { renderTerminal } from '../../scripts/terminalsvg.ts';

const folder = new URL('../../docs/images/', import.meta.url);
const documents = ['../../README.md', ...['statuses', 'targets'].map((name) => `../../docs/${name}.md`)]
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n');

test('`npm run docs` would change none', async () => {
  const drawn = await drawPictures();
  expect(readdirSync(folder).sort()).toEqual([...drawn.keys()].sort());
  for (const [name, svg] of drawn) expect(svg).toBe(readFileSync(new URL(name, folder), 'utf8'));
});

test.each(Object.keys(PICTURES))('a document shows %s', (name) => {
  expect(documents).toContain(`images/${name})`);
});

test('the one at the top of README has eight lines', () => {
  const lines = readFileSync(new URL('problems.svg', folder), 'utf8').matchAll(
    /<text x="[^"]+" y="([^"]+)"/g,
  );
  // The title of the window is one more.
  expect(new Set([...lines].map(([, y]) => y)).size).toBe(9);
});

/** The texts with their place and look. */
function shown(text: string, columns = 40): readonly string[] {
  const svg = renderTerminal('title', text, columns).split('</text>\n').slice(1).join('');
  return [...svg.matchAll(/<text x="([^"]+)" y="([^"]+)"[^>]*?( class="[^"]*")?>([^<]*)/g)].map(
    ([, x, y, look = '', words]) => `${x},${y}${look} ${words}`,
  );
}

test('each part stands in its column, with its look', () => {
  expect(shown('\x1b[31m\x1b[1mBAD\x1b[22m\x1b[39m  x   \x1b[32mOK\x1b[39m\n  two')).toEqual([
    '16,57 class="r b" BAD',
    '58,57 x',
    '91.6,57 class="g" OK',
    '32.8,75 two',
  ]);
});

test('what is too long is wrapped, as a terminal does', () => {
  expect(shown('abcdef', 4)).toEqual(['16,57 abcd', '16,75 ef']);
  expect(shown('abcd', 4)).toEqual(['16,57 abcd']);
});

test('markup in a text is text', () => {
  expect(renderTerminal('<t>', '<a href="x">&', 40)).toContain('&lt;a href=&quot;x&quot;&gt;&amp;');
});

test.each(['\x1b[2J', '\rover', '\x1b[35mmagenta'])('%j is refused: it can not be shown', (text) => {
  expect(() => renderTerminal('title', text, 40)).toThrow("can't show");
});
