// What the documents refer to exists: pages, headings, pictures, files and npm scripts; and README stays short.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(path.join(root, page), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join('docs', name.replaceAll(path.sep, '/'))),
];

/** As GitHub makes them of headings. */
function anchorsOf(page: string): readonly string[] {
  const headings = [
    ...read(page)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ];
  return headings.map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Linked to before they are there: an entry goes when its page is. */
const EXPECTED: readonly string[] = [];

function isThere(from: string, link: string): boolean {
  const [file, anchor] = link.split('#') as [string, string?];
  const target = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  if (!existsSync(path.join(root, target))) return EXPECTED.includes(target);
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!);
  expect(links.filter((link) => !isThere(page, link))).toEqual([]);
});

test('every page is linked to', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, link]) =>
        path.posix.join(path.posix.dirname(page), link!),
      ),
    ),
  );
  expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
});

test('every file that CONTRIBUTING names exists', () => {
  const names = [...read('CONTRIBUTING.md').matchAll(/`((?:src|bin|scripts|test|proto)\/[\w./-]*)`/g)];
  expect(names.length).toBeGreaterThan(30);
  expect(names.map(([, name]) => name!).filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name!),
  );
  expect([...new Set(named)].filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('README has at most 150 lines, and its topics in their order', () => {
  const lines = read('README.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(150);
  const topics = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  expect(topics).toEqual([
    'The problem',
    'Install',
    'Quick start',
    'Without a cluster',
    'What each STATUS means, and the first step',
    '`check` and its exit codes',
    'Tasks',
    'Rights',
    'Compared with istioctl',
    'Limits and links',
    'Development',
  ]);
});

test('the glossary is in alphabetical order, a line for each term', () => {
  const lines = read('docs/glossary.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const terms = lines.map((line) => /^- \*\*(.+)\*\*: .+\.$/.exec(line)?.[1]?.toLowerCase());
  expect(terms).toEqual(terms.toSorted());
});
