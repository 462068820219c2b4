// Where the top-level keys of a JSON object and the elements below them begin and end, found as bytes arrive.

import { invalidJson } from './errors.ts';
import { createGuess } from './jsonguess.ts';
import { createNesting, scanNested, scanString } from './jsontoken.ts';
import { createCapture } from './text.ts';

/**
 * `skip`: step over the value. `value`: hand it over whole. `members`: hand over its elements one by one. `places`: tell
 * where it and its elements begin and end, of any size.
 */
export type Interest = 'skip' | 'value' | 'members' | 'places';

/** What the scanner tells as it goes. Texts are JSON, not yet parsed; offsets count bytes from the start. */
export interface ScanHandler {
  /** A top-level key: what is to be done with its value. */
  key(name: string): Interest;
  /** Its value is a list or an object that begins here, and its members follow. */
  open(shape: 'list' | 'object', offset: number): void;
  /** `end` is the byte behind it; `text` is '' where only places are wanted. */
  member(key: string | number, text: string, offset: number, end: number): void;
  /**
   * A member of a list as it probably reaches: taken in if it is JSON, which a text cut elsewhere never is. False,
   * and nothing done, if it is not.
   */
  guessed?(key: number, text: string, offset: number): boolean;
  /** The same for several that follow one another, as a text in brackets; how many were taken in. */
  guessedAll?(text: string, offset: number): number;
  /** Whether a member of a list, `from` to `to` of the chunk, is to be stepped over unread. */
  passOver?(chunk: Buffer, from: number, to: number): boolean;
  /** The value as one text: asked for by `value`, or by `members` and then neither a list nor an object. */
  value(text: string, offset: number): void;
  /** The value is whole (also one that was skipped) and ends before this byte. True stops the scanner for good. */
  close(end: number): boolean;
}

export interface ScanPosition {
  /** Bytes seen so far, or up to where the scanner was stopped. */
  readonly offset: number;
  /** True once the top-level object is closed. */
  readonly closed: boolean;
}

export interface JsonScanner {
  /** True once the handler wants no more. Throws UserError on broken structure, with the byte. */
  write(chunk: Uint8Array): boolean;
  position(): ScanPosition;
}

const QUOTE = 0x22;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const CLOSER = { top: 0x7d, object: 0x7d, list: 0x5d } as const;
const SCALAR_START = new Set(Buffer.from('-0123456789tfn'));
const SCALAR_END = new Set(Buffer.from(' \t\r\n,]}[{":'));

type Expect = 'start' | 'firstKey' | 'key' | 'colon' | 'firstValue' | 'value' | 'comma' | 'end';
type Frame = 'top' | 'list' | 'object';

/**
 * Scans one JSON object as it arrives in chunks of any size. Structure is checked down to the members that were
 * asked for; below them, and in what is skipped, brackets and quotes must balance and nothing else is looked at.
 * Holds one member at a time.
 */
export function createJsonScanner(handler: ScanHandler): JsonScanner {
  const nesting = createNesting();
  let expect: Expect = 'start';
  let frame: Frame = 'top';
  let interest: Interest = 'skip';
  let memberKey: string | number = 0;
  let stopped = false;
  let base = 0; // bytes before the current chunk
  let token: 'none' | 'key' | 'string' | 'nested' | 'scalar' = 'none';
  let tokenOffset = 0;
  const capture = createCapture(); // of the token's text
  const guess = createGuess();

  const unexpected = (byte: number, at: number, wanted: string) => {
    const shown =
      byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    return invalidJson(`${shown} instead of ${wanted}`, base + at);
  };

  function begin(kind: typeof token, at: number, kept: boolean): void {
    token = kind;
    tokenOffset = base + at;
    capture.start(kept, tokenOffset);
  }

  function parseKey(text: string): string {
    try {
      return JSON.parse(text) as string;
    } catch (cause) {
      throw invalidJson('an unreadable key', tokenOffset, cause);
    }
  }

  /** The value of a top-level key is whole. */
  function closeTop(end: number): void {
    frame = 'top';
    expect = 'comma';
    stopped = handler.close(end);
  }

  function closeFrame(at: number): void {
    if (frame === 'top') expect = 'end';
    else closeTop(base + at + 1);
  }

  function beginValue(byte: number, at: number): void {
    const opens = byte === 0x7b || byte === 0x5b;
    if (frame === 'top' && opens && (interest === 'members' || interest === 'places')) {
      frame = byte === 0x7b ? 'object' : 'list';
      expect = frame === 'object' ? 'firstKey' : 'firstValue';
      memberKey = 0;
      handler.open(frame, base + at);
      return;
    }
    const kept = interest !== 'places' && (frame !== 'top' || interest !== 'skip');
    if (opens) begin('nested', at, kept);
    else if (byte === QUOTE) begin('string', at, kept);
    else if (SCALAR_START.has(byte)) begin('scalar', at, kept);
    else throw unexpected(byte, at, 'a value');
    if (token === 'string') nesting.inString = true;
    if (token === 'nested') nesting.open(byte, tokenOffset);
  }

  function beginKey(byte: number, at: number): void {
    if (byte !== QUOTE) throw unexpected(byte, at, 'a key in double quotes');
    begin('key', at, true);
    nesting.inString = true;
  }

  /** What each byte that is not white space does between tokens. */
  const grammar = {
    start: (byte, at) => {
      if (base + at < 3 && byte === BYTE_ORDER_MARK[base + at]) return;
      if (byte !== 0x7b) throw unexpected(byte, at, 'an opening brace');
      expect = 'firstKey';
    },
    firstKey: (byte, at) => (byte === 0x7d ? closeFrame(at) : beginKey(byte, at)),
    key: beginKey,
    colon: (byte, at) => {
      if (byte !== 0x3a) throw unexpected(byte, at, 'a colon');
      expect = 'value';
    },
    firstValue: (byte, at) => (byte === 0x5d ? closeFrame(at) : beginValue(byte, at)),
    value: beginValue,
    comma: (byte, at) => {
      if (byte === 0x2c) expect = frame === 'list' ? 'value' : 'key';
      else if (byte === CLOSER[frame]) closeFrame(at);
      else throw unexpected(byte, at, 'a comma or a closing bracket');
    },
    end: (byte, at) => {
      throw unexpected(byte, at, 'the end of the dump');
    },
  } satisfies Record<Expect, (byte: number, at: number) => void>;

  function finish(text: string, end: number): void {
    const was = token;
    token = 'none';
    if (was === 'key') {
      const key = parseKey(text);
      if (frame === 'top') interest = handler.key(key);
      else memberKey = key;
      expect = 'colon';
    } else if (frame === 'top') {
      if (capture.kept()) handler.value(text, tokenOffset);
      closeTop(end);
    } else {
      handler.member(memberKey, text, tokenOffset, end);
      memberTaken();
    }
  }

  function memberTaken(): void {
    if (typeof memberKey === 'number') memberKey += 1;
    expect = 'comma';
  }

  /** Takes in a member of a list whose end its layout tells; gives the index behind it, or -1. */
  function takeGuessed(chunk: Buffer, from: number): number {
    if (frame !== 'list' || interest !== 'members' || handler.guessed === undefined) return -1;
    if (expect !== 'value' && expect !== 'firstValue') return -1;
    const several = takeSeveral(chunk, from);
    if (several > 0) return several;
    const end = guess.endOf(chunk, from);
    if (end < 0) return -1;
    if (!handler.guessed(memberKey as number, chunk.toString('utf8', from, end), base + from)) {
      guess.wrong();
      return -1;
    }
    memberTaken();
    return end;
  }

  /** The same for as many as the chunk holds: JSON.parse takes a quarter less for them together. */
  function takeSeveral(chunk: Buffer, from: number): number {
    const end = handler.guessedAll === undefined ? -1 : guess.endOfLast(chunk, from);
    if (end < 0) return -1;
    const taken = handler.guessedAll?.(`[${chunk.toString('utf8', from, end)}]`, base + from) ?? 0;
    if (taken === 0) {
      guess.wrongOfSeveral(chunk);
      return -1;
    }
    memberKey = (memberKey as number) + taken;
    expect = 'comma';
    return end;
  }

  /** Steps over a member of a list that lies in one chunk and is not wanted. */
  function passedOver(chunk: Buffer, from: number, to: number): boolean {
    if (frame !== 'list' || tokenOffset < base || handler.passOver?.(chunk, from, to) !== true) return false;
    token = 'none';
    memberTaken();
    return true;
  }

  /** Runs the token on from `at`; gives the index behind it, or -1 when the chunk ends inside it. */
  function advance(chunk: Buffer, at: number): number {
    let end = at;
    if (token === 'nested') {
      end = scanNested(chunk, at, nesting, base);
      return nesting.depth === 0 ? end : -1;
    }
    if (token === 'scalar') {
      while (end < chunk.length && !SCALAR_END.has(chunk[end]!)) end += 1;
      return end < chunk.length ? end : -1;
    }
    end = scanString(chunk, at, nesting);
    return nesting.inString ? -1 : end;
  }

  function scan(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !stopped) {
      let start = at; // of the token's part in this chunk
      if (token === 'none') {
        const byte = chunk[at]!;
        at += 1;
        if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
        start = at - 1;
        const taken = byte === 0x7b ? takeGuessed(chunk, start) : -1;
        if (taken > 0) {
          at = taken;
          continue;
        }
        grammar[expect](byte, start);
        if ((token as string) === 'none') continue;
      }
      const end = advance(chunk, at);
      if (end < 0) {
        capture.keep(chunk, start);
        break;
      }
      if (!passedOver(chunk, start, end)) finish(capture.text(chunk, start, end), base + end);
      at = end;
    }
    base += stopped ? at : chunk.length;
  }

  return {
    write(bytes) {
      if (!stopped) scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return stopped;
    },
    position: () => ({ offset: base, closed: expect === 'end' }),
  };
}
