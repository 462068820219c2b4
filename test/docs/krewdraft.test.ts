// The krew manifest in the repository: what `npm run docs` makes of the same parts as a release's.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { renderKrewDraft } from '../../scripts/krewdraft.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(root, 'krew-manifest.yaml'), 'utf8');

test('is up to date', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(text).toBe(renderKrewDraft(version));
});

test('is a plugin of every platform, with a description that fits', () => {
  const manifest = load(text) as { spec: { shortDescription: string; platforms: object[] } };
  expect(manifest.spec.platforms).toHaveLength(6);
  expect(manifest.spec.shortDescription.length).toBeLessThanOrEqual(50);
});
