// Where a scan of a JSON object stands between two bytes, and what it hands over to its handler.

import { invalidJson } from './errors.ts';
import { createNesting, type Nesting } from './jsontoken.ts';
import { type Capture, createCapture } from './text.ts';

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

/** What may come next, between tokens. */
export type Expect = 'start' | 'firstKey' | 'key' | 'colon' | 'firstValue' | 'value' | 'comma' | 'end';
type Frame = 'top' | 'list' | 'object';
type Token = 'none' | 'key' | 'string' | 'nested' | 'scalar';

/** Changed by every byte, therefore mutable: one object for each scan, which holds one member at a time. */
export interface ScanState {
  readonly handler: ScanHandler;
  readonly nesting: Nesting;
  /** Of the token's text. */
  readonly capture: Capture;
  expect: Expect;
  /** What the keys and members that are read now stand in. */
  frame: Frame;
  /** In the value of the current top-level key. */
  interest: Interest;
  memberKey: string | number;
  stopped: boolean;
  /** Bytes before the current chunk. */
  base: number;
  /** The token that has begun and not ended. */
  token: Token;
  tokenOffset: number;
}

export function createScanState(handler: ScanHandler): ScanState {
  return {
    handler,
    nesting: createNesting(),
    capture: createCapture(),
    expect: 'start',
    frame: 'top',
    interest: 'skip',
    memberKey: 0,
    stopped: false,
    base: 0,
    token: 'none',
    tokenOffset: 0,
  };
}

/** `at` is an index of the current chunk; `kept` says whether the token's text is wanted. */
export function beginToken(state: ScanState, token: Token, at: number, kept: boolean): void {
  state.token = token;
  state.tokenOffset = state.base + at;
  state.capture.start(kept, state.tokenOffset);
}

/** The value of a top-level key is whole; `end` is the offset of the byte behind it. */
export function closeTop(state: ScanState, end: number): void {
  state.frame = 'top';
  state.expect = 'comma';
  state.stopped = state.handler.close(end);
}

/** So many members of a list or object, one after the other, are done with. */
export function membersTaken(state: ScanState, count: number): void {
  if (typeof state.memberKey === 'number') state.memberKey += count;
  state.expect = 'comma';
}

/** The token that had begun is whole. `text` is JSON; `end` is the offset of the byte behind it. */
export function endToken(state: ScanState, text: string, end: number): void {
  const { token, frame, handler, tokenOffset } = state;
  state.token = 'none';
  if (token === 'key') {
    const key = parseKey(text, tokenOffset);
    if (frame === 'top') state.interest = handler.key(key);
    else state.memberKey = key;
    state.expect = 'colon';
  } else if (frame === 'top') {
    if (state.capture.kept()) handler.value(text, tokenOffset);
    closeTop(state, end);
  } else {
    handler.member(state.memberKey, text, tokenOffset, end);
    membersTaken(state, 1);
  }
}

function parseKey(text: string, offset: number): string {
  try {
    return JSON.parse(text) as string;
  } catch (cause) {
    throw invalidJson('an unreadable key', offset, cause);
  }
}
