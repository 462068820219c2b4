// How far a JSON string or bracketed value reaches in a run of bytes: the loops that decide the reading speed.

import { invalidJson, tooLarge } from './errors.ts';

/** How deep brackets may nest below a section. A dump needs about ten levels; JSON bombs have thousands. */
export const MAX_DEPTH = 256;

/** Where a scan stands, so that it can go on in the next chunk. */
export interface Nesting {
  /** Brackets open. */
  depth: number;
  inString: boolean;
  /** The last byte was a backslash inside a string. */
  escaped: boolean;
  /** The closing bracket that each open level waits for. */
  readonly closers: Uint8Array;
  /** Notes an opening bracket; the offset is for the error of too many. */
  open(byte: number, offset: number): void;
  /** Notes a closing bracket, which must be the one that is waited for. */
  close(byte: number, offset: number): void;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes to look through one by one before a native search pays for its call (measured: 32 to 64). */
const NEAR = 48;

export function createNesting(): Nesting {
  return {
    depth: 0,
    inString: false,
    escaped: false,
    closers: new Uint8Array(MAX_DEPTH),
    open(byte, offset) {
      if (this.depth >= MAX_DEPTH) {
        throw tooLarge(`brackets nested deeper than ${MAX_DEPTH} levels`, offset);
      }
      this.closers[this.depth] = byte + 2; // in ASCII, `]` and `}` stand two behind `[` and `{`
      this.depth += 1;
    },
    close(byte, offset) {
      this.depth -= 1;
      if (this.closers[this.depth] === byte) return;
      throw invalidJson('a bracket that closes another than the last one opened', offset);
    },
  };
}

/**
 * From inside a string to the index behind its closing quote; the chunk's length with `inString` still set when
 * the string goes on. Long strings (PEM texts) are searched natively, and only the backslashes before a quote counted.
 */
export function scanString(chunk: Buffer, from: number, nesting: Nesting): number {
  const length = chunk.length;
  let at = from;
  if (nesting.escaped && at < length) {
    nesting.escaped = false;
    at += 1;
  }
  while (at < length) {
    const near = Math.min(length, at + NEAR);
    while (at < near) {
      const byte = chunk[at]!;
      at += 1;
      if (byte === QUOTE) {
        nesting.inString = false;
        return at;
      }
      if (byte === BACKSLASH) {
        nesting.escaped = at === length;
        at += 1;
      }
    }
    if (at >= length) break;
    const quote = chunk.indexOf(QUOTE, at);
    const end = quote < 0 ? length : quote;
    let first = end;
    while (first > at && chunk[first - 1] === BACKSLASH) first -= 1;
    const escaped = (end - first) % 2 === 1;
    if (quote < 0) {
      nesting.escaped = escaped;
      break;
    }
    at = quote + 1;
    if (!escaped) {
      nesting.inString = false;
      return at;
    }
  }
  return length;
}

/** The index behind the closing quote of a string of fewer than NEAR plain bytes, or -1: most strings are such. */
function shortString(chunk: Buffer, from: number): number {
  const near = Math.min(chunk.length, from + NEAR);
  for (let at = from; at < near; at += 1) {
    const byte = chunk[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) return -1;
  }
  return -1;
}

/**
 * From inside a bracketed value to the index behind its last bracket; the chunk's length with `depth` above 0 when
 * it goes on. Throws UserError when brackets do not pair. `base` is the chunk's offset, for errors.
 * Comparisons in the order of how often a dump has the bytes: a table of bytes took 1.5 times as long.
 */
export function scanNested(chunk: Buffer, from: number, nesting: Nesting, base: number): number {
  const length = chunk.length;
  let at = nesting.inString ? scanString(chunk, from, nesting) : from;
  while (at < length) {
    const byte = chunk[at]!;
    at += 1;
    if (byte === SPACE) {
      while (at < length && chunk[at] === SPACE) at += 1;
    } else if (byte === QUOTE) {
      const end = shortString(chunk, at);
      if (end < 0) nesting.inString = true;
      at = end < 0 ? scanString(chunk, at, nesting) : end;
    } else if (byte === 0x7b || byte === 0x5b) {
      nesting.open(byte, base + at - 1);
    } else if (byte === 0x7d || byte === 0x5d) {
      nesting.close(byte, base + at - 1);
      if (nesting.depth === 0) return at;
    }
  }
  return length;
}
