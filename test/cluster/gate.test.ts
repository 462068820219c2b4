// Fewer connections at once when the API server pushes back, more again when it does not.

import { describe, expect, jest, test } from '@jest/globals';
import { UserError } from '../../src/base/errors.ts';
import { createGate, PushBack, retryAfterOf, throughGate } from '../../src/sources/kubernetes/gate.ts';

const { signal: never } = new AbortController();
const busy = (waitMs: number) => new PushBack(new UserError('too many requests'), waitMs);

/** Lets everything run that is ready to. */
const settle = () => jest.advanceTimersByTimeAsync(0);

/** Asks so many times to enter; `entered` counts who is in, and `leave` lets one out. */
function crowd(gate: ReturnType<typeof createGate>, size: number) {
  const inside: (() => void)[] = [];
  for (let count = 0; count < size; count += 1) void gate.enter(never).then((leave) => inside.push(leave));
  return { inside, leave: () => inside.shift()?.() };
}

describe('the gate', () => {
  test('lets everybody in until there is a push-back', async () => {
    const { inside } = crowd(createGate(), 100);
    await Promise.resolve();
    expect(inside).toHaveLength(100);
  });

  test('then half as many, and nobody before the time is up', async () => {
    jest.useFakeTimers();
    try {
      const gate = createGate();
      const first = crowd(gate, 8);
      await settle();
      gate.pushedBack(3000);
      const second = crowd(gate, 8);
      for (let count = 0; count < 8; count += 1) first.leave();
      await jest.advanceTimersByTimeAsync(2999);
      expect(second.inside).toHaveLength(0);
      await jest.advanceTimersByTimeAsync(1);
      // Half of eight, and one or two more for the eight that went well.
      expect(second.inside.length).toBeGreaterThanOrEqual(4);
      expect(second.inside.length).toBeLessThan(8);
      for (let count = 0; count < 8; count += 1) {
        second.leave();
        await settle();
      }
      expect(second.inside).toHaveLength(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('does not keep one who gives up', async () => {
    const gate = createGate();
    const controller = new AbortController();
    gate.pushedBack(100);
    const entered = gate.enter(controller.signal);
    controller.abort(new Error('interrupted'));
    await expect(entered).rejects.toThrow('interrupted');
  });
});

describe('an attempt', () => {
  async function* attempts(outcomes: (Error | string)[]): AsyncGenerator<string> {
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    yield outcome ?? '';
  }

  test('is made again after a push-back', async () => {
    const outcomes = [busy(0), busy(0), 'chunk'];
    const all = await Array.fromAsync(throughGate(createGate(), never, () => attempts(outcomes)));
    expect(all).toEqual(['chunk']);
  });

  test('is given up after four', async () => {
    const outcomes = Array.from({ length: 9 }, () => busy(0));
    const all = Array.fromAsync(throughGate(createGate(), never, () => attempts(outcomes)));
    await expect(all).rejects.toThrow('too many requests');
    expect(outcomes).toHaveLength(4);
  });

  test('that fails otherwise is not made again', async () => {
    const outcomes = [new UserError('no'), 'chunk'];
    await expect(Array.fromAsync(throughGate(createGate(), never, () => attempts(outcomes)))).rejects.toThrow(
      'no',
    );
    expect(outcomes).toHaveLength(1);
  });
});

test.each([
  [429, '3', 3000],
  [429, undefined, 1000],
  [429, 'tomorrow', 1000],
  [429, '86400', 10_000],
  [503, '2', 2000],
  [503, undefined, undefined],
  [500, '2', undefined],
])('status %s with Retry-After %s asks to wait %s ms', (status, header, waitMs) => {
  expect(retryAfterOf(status, header)).toBe(waitMs);
});
