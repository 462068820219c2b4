// What is fuzzed: a reader, what it is fed with, and what may come of it.

import { UserError } from '../../src/base/errors.ts';
import { type Material, mutate } from './mutate.ts';
import { createRandom } from './random.ts';

export interface Target extends Material {
  readonly name: string;
  /**
   * Reads the input. A UserError is a good end, and so is a return; whatever else is thrown is a failure: an oracle's
   * word that the result is wrong, too.
   */
  readonly read: (input: Uint8Array) => void | Promise<void>;
}

export interface FuzzFailure {
  readonly index: number;
  readonly input: Uint8Array;
  readonly error: unknown;
}

/** No reader takes nearly as long for inputs of this size, even where the machine is busy. */
const LONGEST_MS = 5000;
/** As many failures say enough. */
const MAX_FAILURES = 10;

/** The input of that number, always the same. */
export function inputOf(target: Target, seed: number, index: number): Uint8Array {
  return mutate(target, createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index, 0x85ebca6b)));
}

/** A wait without end is a failure, too. */
async function within(reading: void | Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${LONGEST_MS} ms`)), LONGEST_MS);
  });
  try {
    await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** undefined, or what is wrong: anything but a UserError, pollution, or too long a time. */
export async function tryInput(target: Target, input: Uint8Array): Promise<unknown> {
  const before = performance.now();
  try {
    await within(target.read(input));
  } catch (thrown) {
    if (!(thrown instanceof UserError)) return thrown;
  }
  const polluted = [...Object.keys(Object.prototype), ...Object.keys(Array.prototype)];
  if (polluted.length > 0) return new Error(`the prototype of all objects has ${polluted}`);
  const took = performance.now() - before;
  return took > LONGEST_MS ? new Error(`it took ${took} ms`) : undefined;
}

/** Tries so many inputs; `onProgress` is told now and then which one is next. */
export async function fuzz(
  target: Target,
  { seed, count, onProgress }: { seed: number; count: number; onProgress?: (index: number) => void },
): Promise<readonly FuzzFailure[]> {
  const failures: FuzzFailure[] = [];
  for (let index = 0; index < count && failures.length < MAX_FAILURES; index += 1) {
    if (index % 100 === 0) onProgress?.(index);
    const input = inputOf(target, seed, index);
    const error = await tryInput(target, input);
    if (error !== undefined) failures.push({ index, input, error });
  }
  return failures;
}
