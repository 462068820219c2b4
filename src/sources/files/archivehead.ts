// How an archive is known by its first bytes, whatever it is called.

import { constants, gunzipSync } from 'node:zlib';

/** Enough compressed bytes to unpack a tar archive's first header, and so few that they unpack to 4 MiB at the most. */
export const ARCHIVE_HEAD_BYTES = 4096;
/** Where a tar header says what it is. */
const TAR_MAGIC = { text: 'ustar', at: 257 };

/** A gzipped tar archive. A single dump that was compressed is none: who reads it will say so. */
export function isArchive(head: Uint8Array): boolean {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return false;
  try {
    const unpacked = gunzipSync(head.subarray(0, ARCHIVE_HEAD_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return unpacked.toString('latin1', TAR_MAGIC.at, TAR_MAGIC.at + TAR_MAGIC.text.length) === TAR_MAGIC.text;
  } catch {
    return false;
  }
}
