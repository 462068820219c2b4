// The text of a token whose bytes may come in several chunks.

import { tooLarge } from './dumperrors.ts';

/**
 * The most that one token may hold, in bytes. The largest known is a service with its endpoints, about 200 bytes
 * each: 64 MiB is room for 300,000 of them and stays far below the longest string that Node can make.
 */
export const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;

export interface Capture {
  /** A token begins; its text is wanted only if `kept`. `offset` is for the error of a token that is too long. */
  start(kept: boolean, offset: number): void;
  kept(): boolean;
  /** Takes what the chunk holds of an unfinished token; copies, since the caller may reuse the chunk's memory. */
  keep(chunk: Buffer, from: number): void;
  /** The whole text, when the token ends in this chunk; '' if it is not kept. Throws UserError when too long. */
  text(chunk: Buffer, from: number, to: number): string;
}

export function createCapture(): Capture {
  let pieces: Buffer[] = [];
  let bytes = 0; // in pieces
  let kept = false;
  let offset = 0;

  function count(more: number): void {
    bytes += more;
    if (bytes > MAX_ELEMENT_BYTES) throw tooLarge(`a value of more than ${MAX_ELEMENT_BYTES} bytes`, offset);
  }

  return {
    start(keptNow, at) {
      if (pieces.length > 0) pieces = [];
      bytes = 0;
      kept = keptNow;
      offset = at;
    },
    kept: () => kept,
    keep(chunk, from) {
      if (!kept) return;
      count(chunk.length - from);
      pieces.push(Buffer.from(chunk.subarray(from)));
    },
    text(chunk, from, to) {
      if (!kept) return '';
      count(to - from);
      if (pieces.length === 0) return chunk.toString('utf8', from, to);
      return Buffer.concat([...pieces, chunk.subarray(from, to)]).toString('utf8');
    },
  };
}
