// The signatures of the executables for macOS, which runs nothing on arm64 that has none or whose pages were changed.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PLATFORMS } from '../../scripts/package/platforms.ts';
import { programOf } from './release.ts';

const MACH_O_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const LC_CODE_SIGNATURE = 0x1d;
const EMBEDDED_SIGNATURE = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const SHA256 = 2;
const ADHOC = 0x2;

interface Signature {
  readonly adhoc: boolean;
  /** How much of the file it covers, from the start; the signature itself comes next. */
  readonly codeLimit: number;
  readonly at: number;
  /** Indexes of pages whose content is not what it says. */
  readonly wrong: readonly number[];
  readonly pages: number;
}

/** Throws where there is no signature. Mach-O is little-endian, a signature big-endian. */
function signatureOf(bytes: Buffer): Signature {
  expect(bytes.readUInt32LE(0)).toBe(MACH_O_64);
  const at = findSignature(bytes);
  expect(bytes.readUInt32BE(at)).toBe(EMBEDDED_SIGNATURE);
  const blobs = Array.from({ length: bytes.readUInt32BE(at + 8) }, (_, index) =>
    bytes.readUInt32BE(at + 12 + 8 * index + 4),
  );
  const directory = blobs
    .map((offset) => at + offset)
    .find((each) => bytes.readUInt32BE(each) === CODE_DIRECTORY)!;
  const hashes = directory + bytes.readUInt32BE(directory + 16);
  const pages = bytes.readUInt32BE(directory + 28);
  const codeLimit = bytes.readUInt32BE(directory + 32);
  const [hashBytes, hashType] = [bytes[directory + 36]!, bytes[directory + 37]!];
  expect([hashBytes, hashType]).toEqual([32, SHA256]);
  const pageBytes = 2 ** bytes[directory + 39]!;
  const wrong = Array.from({ length: pages }, (_, page) => page).filter((page) => {
    const content = bytes.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, codeLimit));
    const said = bytes.subarray(hashes + page * hashBytes, hashes + (page + 1) * hashBytes);
    return !createHash('sha256').update(content).digest().equals(said);
  });
  const adhoc = (bytes.readUInt32BE(directory + 12) & ADHOC) !== 0;
  return { adhoc, codeLimit, at, wrong, pages: Math.ceil(codeLimit / pageBytes) === pages ? pages : -1 };
}

/** The offset in the file. */
function findSignature(bytes: Buffer): number {
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) === LC_CODE_SIGNATURE) return bytes.readUInt32LE(at + 8);
    at += bytes.readUInt32LE(at + 4);
  }
  throw new Error('it is not signed');
}

const darwin = PLATFORMS.filter(({ os }) => os === 'darwin').map((each) => [each.name, programOf(each)]);

describe.each(darwin)('%s', (_, program) => {
  const bytes = readFileSync(program!);

  test('is signed ad hoc, all of it, and every page is what the signature says', () => {
    const { adhoc, codeLimit, at, wrong, pages } = signatureOf(bytes);
    expect([adhoc, codeLimit, wrong]).toEqual([true, at, []]);
    expect(pages).toBeGreaterThan(1000);
  });

  test('would not pass with one byte changed', () => {
    const changed = Buffer.from(bytes);
    const middle = changed.length >> 1;
    changed[middle] = changed[middle]! ^ 1;
    expect(signatureOf(changed).wrong).toHaveLength(1);
  });
});
