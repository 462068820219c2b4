// A short run of what `npm run fuzz` does for long, and every input that once did harm.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { UserError } from '../../src/base/errors.ts';
import { fuzz, inputOf, type Target, tryInput } from './target.ts';
import { TARGETS } from './targets.ts';

const FOUND = path.join(import.meta.dirname, '../testdata/fuzz');
const SEED = 8;
const COUNT = 500;

describe.each(TARGETS)('$name', (target) => {
  test.each(target.seeds.map((seed, index) => [index, seed] as const))(
    'seed %i does no harm',
    async (_, seed) => {
      expect(await tryInput(target, seed)).toBeUndefined();
    },
  );

  test('mutated seeds do no harm', async () => {
    expect(await fuzz(target, { seed: SEED, count: COUNT })).toEqual([]);
  });

  test('the same number is the same input', () => {
    expect(Buffer.from(inputOf(target, 1, 7)).equals(inputOf(target, 1, 7))).toBe(true);
    expect(Buffer.from(inputOf(target, 1, 7)).equals(inputOf(target, 2, 7))).toBe(false);
  });

  const folder = path.join(FOUND, target.name);
  const found = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of found) {
    test(`${name}, found once, does no harm any more`, async () => {
      expect(await tryInput(target, readFileSync(path.join(folder, name)))).toBeUndefined();
    });
  }
});

describe('what is no good end', () => {
  const of = (read: Target['read']): Target => ({
    name: 'broken',
    seeds: [Buffer.from('seed')],
    pieces: [Buffer.from('x')],
    read,
  });

  test('a crash is, a UserError is not', async () => {
    expect(
      await tryInput(
        of(() => JSON.parse('{')),
        Buffer.from('x'),
      ),
    ).toBeInstanceOf(SyntaxError);
    const refusing = of(() => {
      throw new UserError('no', 'Try another.');
    });
    expect(await tryInput(refusing, Buffer.from('x'))).toBeUndefined();
  });

  test('pollution is', async () => {
    const polluting = of(() => {
      Object.assign(Object.prototype, { polluted: 1 });
    });
    try {
      expect(await tryInput(polluting, Buffer.from('x'))).toEqual(
        new Error('the prototype of all objects has polluted'),
      );
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
  });

  test('is told with its input and number, and there is an end to it', async () => {
    const failures = await fuzz(
      of((input) => {
        if (input.length !== 4) throw new RangeError('length');
      }),
      { seed: 1, count: 1000 },
    );
    expect(failures).toHaveLength(10);
    const [first] = failures;
    expect(
      inputOf(
        of(() => {}),
        1,
        first!.index,
      ),
    ).toEqual(first!.input);
  });
});
