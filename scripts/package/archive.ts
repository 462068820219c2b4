// How files become a .tar.gz or a .zip whose bytes depend on nothing but names, modes, contents and one date.

import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { Platform } from './platforms.ts';

export interface Entry {
  /** Without a folder. */
  readonly name: string;
  readonly mode: 0o644 | 0o755;
  readonly content: Uint8Array;
}

/** Nine takes twice as long and saves a third of a percent. */
const LEVEL = 6;
const BLOCK = 512;

/** The bytes of an archive; `date` is that of all its entries. */
export const makeArchive = {
  'tar.gz': (entries, date) => {
    const zipped = gzipSync(
      Buffer.concat([...entries.flatMap((e) => tarEntry(e, date)), Buffer.alloc(2 * BLOCK)]),
      {
        level: LEVEL,
      },
    );
    // Byte 9 tells the operating system that zlib was built for: unknown, wherever this runs.
    zipped[9] = 255;
    return zipped;
  },
  zip: (entries, date) => {
    const parts = entries.map((entry) => zipEntry(entry, date));
    const heads: Buffer[] = [];
    let offset = 0;
    for (const { local, central } of parts) {
      central.writeUInt32LE(offset, 42);
      heads.push(central);
      offset += local.length;
    }
    const directory = Buffer.concat(heads);
    return Buffer.concat([
      ...parts.map(({ local }) => local),
      directory,
      zipEnd(parts.length, directory.length, offset),
    ]);
  },
} satisfies Record<Platform['format'], (entries: readonly Entry[], date: Date) => Buffer>;

/** POSIX ustar. */
function tarEntry({ name, mode, content }: Entry, date: Date): readonly Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1');
  header.write(name, 0, 100, 'utf8');
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(Math.floor(date.getTime() / 1000), 136, 12);
  header.fill(' ', 148, 156);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}

const MADE_BY_UNIX = 3;
const DEFLATE = 8;

function zipEntry({ name, mode, content }: Entry, date: Date): { local: Buffer; central: Buffer } {
  const data = deflateRawSync(content, { level: LEVEL });
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt32LE(dosTime(date), 6);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6);
  const maker = Buffer.from([20, MADE_BY_UNIX]);
  return {
    local,
    central: Buffer.concat([Buffer.from('PK\x01\x02'), maker, fields, rest, Buffer.from(name)]),
  };
}

function zipEnd(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** MS-DOS time (two-second steps) below its date. */
function dosTime(date: Date): number {
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return ((day << 16) | time) >>> 0;
}
