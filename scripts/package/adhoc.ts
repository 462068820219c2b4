// How a Mach-O executable is signed ad hoc: a hash of each page, and nobody's name.

import { createHash } from 'node:crypto';

const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const HEADER_BYTES = 32;

/** Of what a signature says and a system checks, Apple's `cs_blobs.h`. */
const EMBEDDED_SIGNATURE = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** The last one with what is in the text segment, and without hashes of files besides. */
const VERSION = 0x20400;
const ADHOC = 0x2;
const SHA256 = 2;
const HASH_BYTES = 32;
const PAGE_BITS = 12;
const MAIN_BINARY = 1n;
const SUPERBLOB_BYTES = 20;
const DIRECTORY_BYTES = 88;

/** How far apart segments lie in memory: at least this. */
const SEGMENT_BYTES = 0x4000;

/**
 * The same executable, whose signature (whatever it was) now fits. Throws where there is no place for one: room for more
 * load commands is not made.
 */
export function signAdHoc(program: Buffer, identifier: string): Buffer {
  const commands = loadCommands(program);
  const signature = commands.find(({ command }) => command === LC_CODE_SIGNATURE);
  const [text, links] = ['__TEXT', '__LINKEDIT'].map((name) =>
    commands.find(({ command, at }) => command === LC_SEGMENT_64 && segmentName(program, at) === name),
  );
  if (!signature || !text || !links) throw new Error('the executable has no place for a signature');
  const codeLimit = program.readUInt32LE(signature.at + 8);
  const name = Buffer.from(`${identifier}\0`);
  const pages = Math.ceil(codeLimit / 2 ** PAGE_BITS);
  const directoryBytes = DIRECTORY_BYTES + name.length + pages * HASH_BYTES;
  const size = Math.ceil((SUPERBLOB_BYTES + directoryBytes) / 16) * 16;

  const signed = Buffer.alloc(codeLimit + size);
  program.copy(signed, 0, 0, codeLimit);
  signed.writeUInt32LE(size, signature.at + 12);
  // The last segment holds the signature.
  const linked = codeLimit + size - Number(program.readBigUInt64LE(links.at + 40));
  signed.writeBigUInt64LE(BigInt(Math.ceil(linked / SEGMENT_BYTES) * SEGMENT_BYTES), links.at + 32);
  signed.writeBigUInt64LE(BigInt(linked), links.at + 48);

  const blob = signed.subarray(codeLimit);
  writeNumbers(blob, [EMBEDDED_SIGNATURE, SUPERBLOB_BYTES + directoryBytes, 1, 0, SUPERBLOB_BYTES]);
  const directory = blob.subarray(SUPERBLOB_BYTES);
  const hashes = DIRECTORY_BYTES + name.length;
  const lengths = [hashes, DIRECTORY_BYTES, 0, pages, codeLimit];
  writeNumbers(directory, [CODE_DIRECTORY, directoryBytes, VERSION, ADHOC, ...lengths]);
  directory.set([HASH_BYTES, SHA256, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(program.readBigUInt64LE(text.at + 40), 64);
  directory.writeBigUInt64BE(program.readBigUInt64LE(text.at + 48), 72);
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  name.copy(directory, DIRECTORY_BYTES);
  for (let page = 0; page < pages; page += 1) {
    const end = Math.min((page + 1) * 2 ** PAGE_BITS, codeLimit);
    const content = signed.subarray(page * 2 ** PAGE_BITS, end);
    createHash('sha256')
      .update(content)
      .digest()
      .copy(directory, hashes + page * HASH_BYTES);
  }
  return signed;
}

interface LoadCommand {
  readonly command: number;
  readonly at: number;
}

function loadCommands(program: Buffer): readonly LoadCommand[] {
  const commands: LoadCommand[] = [];
  let at = HEADER_BYTES;
  for (let left = program.readUInt32LE(16); left > 0; left -= 1) {
    commands.push({ command: program.readUInt32LE(at), at });
    at += program.readUInt32LE(at + 4);
  }
  return commands;
}

function segmentName(program: Buffer, at: number): string {
  return program.toString('latin1', at + 8, at + 24).replace(/\0+$/, '');
}

function writeNumbers(into: Buffer, numbers: readonly number[]): void {
  for (const [index, number] of numbers.entries()) into.writeUInt32BE(number, 4 * index);
}
