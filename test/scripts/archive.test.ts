// Archives: what tar, unzip and krew find in them, and that the same files make the same bytes.

import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Entry, makeArchive } from '../../scripts/package/archive.ts';
import { newFolder, sh } from './place.ts';

const DATE = new Date('2026-11-29T22:03:42Z');
const entries: readonly Entry[] = [
  { name: 'kubectl-ztunnel', mode: 0o755, content: Buffer.from('\x7fELF'.repeat(1000)) },
  // Exactly one block, after which tar pads nothing.
  { name: 'LICENSE', mode: 0o644, content: Buffer.alloc(512, 'a') },
  { name: 'EMPTY', mode: 0o644, content: Buffer.alloc(0) },
];

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a .tar.gz', () => {
  test('holds the files with their modes and the one date, owned by nobody here', () => {
    writeFileSync(path.join(folder, 'a.tar.gz'), makeArchive['tar.gz'](entries, DATE));
    const listed = sh('tar', ['-tvzf', 'a.tar.gz', '--utc', '--full-time', '--numeric-owner'], {
      cwd: folder,
    });
    expect(listed.replaceAll(/ +/g, ' ')).toBe(
      '-rwxr-xr-x 0/0 4000 2026-11-29 22:03:42 kubectl-ztunnel\n' +
        '-rw-r--r-- 0/0 512 2026-11-29 22:03:42 LICENSE\n' +
        '-rw-r--r-- 0/0 0 2026-11-29 22:03:42 EMPTY\n',
    );
    sh('tar', ['-xzf', 'a.tar.gz'], { cwd: folder });
    expect(sh('cat', ['kubectl-ztunnel'], { cwd: folder })).toBe('\x7fELF'.repeat(1000));
  });

  test('tells neither when nor on which system it was made', () => {
    const bytes = makeArchive['tar.gz'](entries, DATE);
    expect([...bytes.subarray(4, 8), bytes[9]]).toEqual([0, 0, 0, 0, 255]);
  });
});

describe('a .zip', () => {
  test('holds the files with their modes and the one date', () => {
    writeFileSync(path.join(folder, 'a.zip'), makeArchive.zip(entries, DATE));
    const script =
      'import zipfile\nfor i in zipfile.ZipFile("a.zip").infolist(): print(oct(i.external_attr >> 16), i.file_size, i.date_time, i.filename)\nprint(zipfile.ZipFile("a.zip").testzip())';
    expect(sh('python3', ['-c', script], { cwd: folder })).toBe(
      '0o100755 4000 (2026, 11, 29, 22, 3, 42) kubectl-ztunnel\n' +
        '0o100644 512 (2026, 11, 29, 22, 3, 42) LICENSE\n' +
        '0o100644 0 (2026, 11, 29, 22, 3, 42) EMPTY\nNone\n',
    );
  });
});

test.each(['tar.gz', 'zip'] as const)(
  '%s: the same files make the same bytes, other files do not',
  (format) => {
    const make = makeArchive[format];
    expect(make(entries, DATE).equals(make(entries, DATE))).toBe(true);
    expect(make(entries, DATE).equals(make(entries, new Date('2026-11-29T22:03:44Z')))).toBe(false);
  },
);
