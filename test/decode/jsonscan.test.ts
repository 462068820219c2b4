// The scanner finds in any JSON object, however it is written and cut into chunks, what JSON.parse finds.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { createJsonScanner } from '../../src/decode/json/jsonscan.ts';
import { MAX_DEPTH } from '../../src/decode/json/jsontoken.ts';
import type { Interest } from '../../src/decode/json/scanstate.ts';

const INTERESTS: readonly Interest[] = ['skip', 'value', 'members'];

interface Found {
  /** What came of each key that was not skipped; the last of equal keys counts. */
  readonly values: Map<string, unknown>;
  readonly keys: string[];
  readonly offset: number;
  readonly closed: boolean;
  readonly stopped: boolean;
  /** Members whose end was told by their layout, rightly and wrongly. */
  readonly guesses: { right: number; wrong: number };
}

/**
 * Scans `text` cut at `cuts`, and puts the values together again. `stopAt` stops when that key is whole. `together`: the
 * handler takes several members at once.
 */
function scan(
  text: string | Uint8Array,
  cuts: readonly number[],
  interestOf: (key: string) => Interest,
  stopAt?: string,
  together = false,
): Found {
  const bytes = Buffer.from(text);
  const values = new Map<string, unknown>();
  const keys: string[] = [];
  let current = '';
  let members: [string | number, unknown][] | undefined;
  let shape = '';
  const guesses = { right: 0, wrong: 0 };
  const at = (offset: number, member: string) => {
    expect(bytes.subarray(offset, offset + Buffer.byteLength(member)).toString()).toBe(member);
    return JSON.parse(member);
  };
  const scanner = createJsonScanner({
    key(name) {
      current = name;
      keys.push(name);
      members = undefined;
      return interestOf(name);
    },
    open(found) {
      shape = found;
      members = [];
    },
    member: (key, member, offset) => void members?.push([key, at(offset, member)]),
    guessed(key, member, offset) {
      try {
        JSON.parse(member);
      } catch {
        guesses.wrong += 1;
        return false;
      }
      guesses.right += 1;
      members?.push([key, at(offset, member)]);
      return true;
    },
    ...(together && {
      guessedAll(list: string, offset: number) {
        try {
          at(offset, list.slice(1, -1));
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
        }
        try {
          const parsed = JSON.parse(list) as readonly unknown[];
          for (const value of parsed) members?.push([members.length, value]);
          guesses.right += parsed.length;
          return parsed.length;
        } catch {
          return 0;
        }
      },
    }),
    value: (value, offset) => void values.set(current, at(offset, value)),
    close() {
      if (members !== undefined) {
        const list = members.map(([, value]) => value);
        values.set(current, shape === 'list' ? list : Object.fromEntries(members));
        if (shape === 'list') expect(members.map(([key]) => key)).toEqual(list.map((_, index) => index));
      }
      return current === stopAt;
    },
  });
  const edges = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  let stopped = false;
  edges.forEach((edge, index) => {
    // a chunk's memory is the caller's again once write() has returned
    const chunk = Buffer.from(bytes.subarray(edge, edges[index + 1] ?? edge));
    stopped = scanner.write(chunk);
    chunk.fill(0x22);
  });
  return { values, keys, stopped, guesses, ...scanner.position() };
}

/** Writes a value as JSON the way nobody would: white space and \u escapes wherever `dice` says. */
function writeOddly(value: unknown, dice: () => number): string {
  const space = () => ['', '\n', ' ', '\n    ', '\t\r\n  ', '          '][dice() % 6]!;
  const string = (text: string) =>
    `"${Array.from({ length: text.length }, (_, index) => {
      const unit = text.charCodeAt(index);
      const plain = JSON.stringify(text[index]).slice(1, -1);
      const isPair = unit >= 0xd800 && unit <= 0xdfff; // half a pair can only be escaped
      return isPair || dice() % 3 === 0 ? `\\u${unit.toString(16).padStart(4, '0')}` : plain;
    }).join('')}"`;
  const write = (one: unknown): string => {
    if (typeof one === 'string') return string(one);
    if (Array.isArray(one)) return `[${space()}${one.map(write).join(`${space()},${space()}`)}${space()}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const pairs = Object.entries(one).map(
      ([key, item]) => `${string(key)}${space()}:${space()}${write(item)}`,
    );
    return `{${space()}${pairs.join(`${space()},${space()}`)}${space()}}`;
  };
  return `${space()}${write(value)}${space()}`;
}

/** Small numbers that follow from a seed. */
function diceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('\\', '"', '{', ']', ',', ':', 'é', '漢', '😀', '\u0000'),
    maxLength: 90,
  }),
  fc.constantFrom('__proto__', 'constructor', 'toString', ''),
);
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1.5, 1e300),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}));
const anyObject = fc.dictionary(text, anyJson, { maxKeys: 6 });
const cuts = fc.array(fc.nat(4000), { maxLength: 12 });

describe('any JSON object', () => {
  test('is found as JSON.parse finds it', () => {
    fc.assert(
      fc.property(anyObject, fc.integer(), cuts, fc.nat(2), (value, seed, edges, turn) => {
        const written = writeOddly(value, diceOf(seed));
        const parsed = JSON.parse(written) as Record<string, unknown>;
        const interestOf = (key: string) => INTERESTS[(key.length + turn) % 3]!;
        const found = scan(written, edges, interestOf);
        const wanted = Object.entries(parsed).filter(([key]) => interestOf(key) !== 'skip');
        expect(found.values).toEqual(new Map(wanted));
        expect(new Set(found.keys)).toEqual(new Set(Object.keys(parsed)));
        expect(found).toMatchObject({ closed: true, stopped: false, offset: Buffer.byteLength(written) });
      }),
      { seed: 20261129, numRuns: 300 },
    );
  });

  test('is found the same byte by byte', () => {
    fc.assert(
      fc.property(anyObject, fc.integer(), (value, seed) => {
        const written = writeOddly(value, diceOf(seed));
        const every = Array.from({ length: Buffer.byteLength(written) }, (_, index) => index);
        const found = scan(written, every, () => 'members');
        expect(Object.fromEntries(found.values)).toEqual(JSON.parse(written));
      }),
      { seed: 20261129, numRuns: 100 },
    );
  });

  test('is found when it is pretty-printed, by its layout', () => {
    const list = fc.dictionary(text, fc.array(fc.dictionary(text, anyJson, { maxKeys: 5 })), { maxKeys: 4 });
    let right = 0;
    fc.assert(
      fc.property(list, cuts, fc.nat(5), fc.boolean(), (value, edges, indent, together) => {
        const written = JSON.stringify(value, null, indent);
        const found = scan(written, edges, () => 'members', undefined, together);
        expect(found.values).toEqual(new Map(Object.entries(JSON.parse(written))));
        right += found.guesses.right;
      }),
      { seed: 20261129, numRuns: 200 },
    );
    expect(right).toBeGreaterThan(100);
  });

  test('that is cut anywhere is not closed', () => {
    fc.assert(
      fc.property(anyObject, fc.integer(), fc.nat(), cuts, (value, seed, end, edges) => {
        const written = Buffer.from(writeOddly(value, diceOf(seed)).trimEnd());
        const part = written.subarray(0, end % written.length);
        expect(scan(part, edges, () => 'skip').closed).toBe(false);
      }),
      { seed: 20261129, numRuns: 100 },
    );
  });
});

describe('a layout that is not what it seems', () => {
  test('is soon no longer trusted', () => {
    // Each object holds a closing brace that stands below its opening one.
    const member = '\n  {"a": {"b": 1\n  }, "c": 2}';
    const written = `{"list": [${Array.from({ length: 50 }, () => member).join(',')}]}`;
    const found = scan(written, [], () => 'members');
    expect(found.values.get('list')).toEqual(Array.from({ length: 50 }, () => ({ a: { b: 1 }, c: 2 })));
    expect(found.guesses).toEqual({ right: 0, wrong: 8 });
  });

  test.each([
    ['that comes in several chunks', 20],
    ['longer than 8 KiB', 9000],
  ])('a member %s is scanned', (_what, length) => {
    const written = `{"list": [\n  {\n    "a": "${'x'.repeat(length)}"\n  }\n]}`;
    const found = scan(written, length === 20 ? [25] : [], () => 'members');
    expect(found.values.get('list')).toEqual([{ a: 'x'.repeat(length) }]);
    expect(found.guesses.right).toBe(0);
  });
});

describe('details', () => {
  test.each([
    ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['an empty object', ' {\n} ', {}],
    ['equal keys, the last counts', '{"a":1,"b":[2],"a":{"c":3}}', { a: { c: 3 }, b: [2] }],
    ['an escaped key', '{"\\u0061":"\\ud83d\\ude00"}', { a: '😀' }],
    [
      'backslashes at the end of strings',
      '{"a":["\\\\","\\\\\\"","x"],"b":"\\\\"}',
      { a: ['\\', '\\"', 'x'], b: '\\' },
    ],
    [
      'long strings with escapes',
      `{"a":["${'x'.repeat(200)}\\"${'y'.repeat(200)}\\\\"]}`,
      { a: [`${'x'.repeat(200)}"${'y'.repeat(200)}\\`] },
    ],
    ['empty members', '{"a":[ ],"b":{ }}', { a: [], b: {} }],
  ])('%s', (_name, written, value) => {
    const bytes = Buffer.byteLength(written);
    for (const interest of ['members', 'value'] as const) {
      for (let cut = 0; cut <= bytes; cut += 1) {
        expect(Object.fromEntries(scan(written, [cut], () => interest).values)).toEqual(value);
      }
    }
    expect(scan(written, [], () => 'skip').closed).toBe(true);
  });

  test('stops where the handler says so, and looks at nothing behind it', () => {
    const found = scan('{"a":[1],"b":2,"c" !!!', [], () => 'members', 'b');
    expect(found).toMatchObject({ stopped: true, closed: false, offset: '{"a":[1],"b":2'.length + 0 });
    expect([...found.values]).toEqual([
      ['a', [1]],
      ['b', 2],
    ]);
  });

  test('__proto__ is a key like any other', () => {
    const found = scan('{"__proto__":{"polluted":1},"constructor":[2]}', [], () => 'members');
    expect([...found.values]).toEqual([
      ['__proto__', { polluted: 1 }],
      ['constructor', [2]],
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('broken structure is a UserError that names the byte', () => {
  test.each([
    ['["a"]', '"[" instead of an opening brace at byte 0'],
    ['{a:1}', '"a" instead of a key in double quotes at byte 1'],
    ['{"a" 1}', '"1" instead of a colon at byte 5'],
    ['{"a":}', '"}" instead of a value at byte 5'],
    ['{"a":\'x\'}', '"\'" instead of a value at byte 5'],
    ['{"a":1 "b":2}', '""" instead of a comma or a closing bracket at byte 7'],
    ['{"a":1]', '"]" instead of a comma or a closing bracket at byte 6'],
    ['{"a":1,}', '"}" instead of a key in double quotes at byte 7'],
    ['{"a":[1,]}', '"]" instead of a value at byte 8'],
    ['{"a":[1}', '"}" instead of a comma or a closing bracket at byte 7'],
    ['{"a":1}\n{"b":2}', '"{" instead of the end of the dump at byte 8'],
    ['{"a":\u0007}', 'byte 0x7 instead of a value at byte 5'],
    ['{"a":[[{"b":1]]]}', 'a bracket that closes another than the last one opened at byte 13'],
    ['{"a\nb":1}', 'an unreadable key at byte 1'],
  ])('%j', (written, message) => {
    for (const edges of [[], Array.from({ length: written.length }, (_, index) => index)]) {
      const attempt = () => scan(written, edges, () => 'members');
      expect(attempt).toThrow(UserError);
      expect(attempt).toThrow(message);
    }
  });

  test('brackets also pair in what is skipped', () => {
    expect(() => scan('{"a":[{]}}', [], () => 'skip')).toThrow('at byte 7');
  });

  test.each(['skip', 'value', 'members'] as const)('nesting has a bound: %s', (interest) => {
    const nested = (levels: number) => `{"a":[${'['.repeat(levels)}${']'.repeat(levels)}]}`;
    expect(scan(nested(MAX_DEPTH - 1), [], () => interest).closed).toBe(true);
    expect(() => scan(nested(100_000), [], () => interest)).toThrow(
      `nested deeper than ${MAX_DEPTH} levels at byte`,
    );
  });
});
