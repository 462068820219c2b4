// How a test compares text with a golden: a file that a person can read, under test/<room>/golden/.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/** `UPDATE_GOLDENS=1` writes goldens instead of comparing them; read the diff before committing it. */
const UPDATE = process.env.UPDATE_GOLDENS === '1';

/** Compares `text` with test/<room>/golden/<name>.txt. Escape characters stand in the file as `␛`. */
export function expectGolden(room: string, name: string, text: string): void {
  const file = new URL(`${name}.txt`, folder(room));
  const readable = text.replaceAll('\x1b', '␛');
  if (UPDATE) {
    mkdirSync(folder(room), { recursive: true });
    writeFileSync(file, readable);
  }
  expect(readable).toBe(readFileSync(file, 'utf8'));
}

/** The names of a room's goldens, sorted: compare them with the cases of the test, so that none is left behind. */
export function listGoldens(room: string): readonly string[] {
  return readdirSync(folder(room))
    .filter((file) => file.endsWith('.txt'))
    .map((file) => file.slice(0, -'.txt'.length))
    .sort((a, b) => (a < b ? -1 : 1));
}

function folder(room: string): URL {
  return new URL(`./${room}/golden/`, import.meta.url);
}
