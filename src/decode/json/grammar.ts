// What each byte between two tokens of a JSON object does: which token it begins, and what may follow.

import { invalidJson } from './errors.ts';
import { beginToken, closeTop, type Expect, type ScanState } from './scanstate.ts';

const QUOTE = 0x22;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const CLOSER = { top: 0x7d, object: 0x7d, list: 0x5d } as const;
const SCALAR_START = new Set(Buffer.from('-0123456789tfn'));

/** For a byte that is not white space, at an index of the current chunk. Throws UserError for one that can't stand there. */
export const GRAMMAR = {
  start: (state, byte, at) => {
    if (state.base + at < 3 && byte === BYTE_ORDER_MARK[state.base + at]) return;
    if (byte !== 0x7b) throw unexpected(state, byte, at, 'an opening brace');
    state.expect = 'firstKey';
  },
  firstKey: (state, byte, at) => (byte === 0x7d ? closeFrame(state, at) : beginKey(state, byte, at)),
  key: beginKey,
  colon: (state, byte, at) => {
    if (byte !== 0x3a) throw unexpected(state, byte, at, 'a colon');
    state.expect = 'value';
  },
  firstValue: (state, byte, at) => (byte === 0x5d ? closeFrame(state, at) : beginValue(state, byte, at)),
  value: beginValue,
  comma: (state, byte, at) => {
    if (byte === 0x2c) state.expect = state.frame === 'list' ? 'value' : 'key';
    else if (byte === CLOSER[state.frame]) closeFrame(state, at);
    else throw unexpected(state, byte, at, 'a comma or a closing bracket');
  },
  end: (state, byte, at) => {
    throw unexpected(state, byte, at, 'the end of the dump');
  },
} satisfies Record<Expect, (state: ScanState, byte: number, at: number) => void>;

function beginKey(state: ScanState, byte: number, at: number): void {
  if (byte !== QUOTE) throw unexpected(state, byte, at, 'a key in double quotes');
  beginToken(state, 'key', at, true);
  state.nesting.inString = true;
}

function beginValue(state: ScanState, byte: number, at: number): void {
  const { frame, interest, nesting } = state;
  const opens = byte === 0x7b || byte === 0x5b;
  if (frame === 'top' && opens && (interest === 'members' || interest === 'places')) {
    openFrame(state, byte === 0x7b ? 'object' : 'list', at);
    return;
  }
  const kept = interest !== 'places' && (frame !== 'top' || interest !== 'skip');
  if (opens) {
    beginToken(state, 'nested', at, kept);
    nesting.open(byte, state.tokenOffset);
  } else if (byte === QUOTE) {
    beginToken(state, 'string', at, kept);
    nesting.inString = true;
  } else if (SCALAR_START.has(byte)) beginToken(state, 'scalar', at, kept);
  else throw unexpected(state, byte, at, 'a value');
}

/** The value of a top-level key whose members are handed over. */
function openFrame(state: ScanState, frame: 'list' | 'object', at: number): void {
  state.frame = frame;
  state.expect = frame === 'object' ? 'firstKey' : 'firstValue';
  state.memberKey = 0;
  state.handler.open(frame, state.base + at);
}

function closeFrame(state: ScanState, at: number): void {
  if (state.frame === 'top') state.expect = 'end';
  else closeTop(state, state.base + at + 1);
}

function unexpected({ base }: ScanState, byte: number, at: number, wanted: string) {
  const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
  return invalidJson(`${shown} instead of ${wanted}`, base + at);
}
