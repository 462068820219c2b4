// How something is asked again and again, each time within bounds.

import { ForbiddenError, UsageError, UserError } from '../base/errors.ts';
import type { Clock } from './mesh.ts';

/** One round of asking: what was found, why it failed, or neither if it did not end in time. */
export interface Round<T> {
  readonly found?: T;
  readonly error?: UserError;
}

export interface Pace {
  /** How many milliseconds this round may take. */
  readonly longest: () => number;
  /** How many to wait before the next one; undefined if there is none. */
  readonly pause: () => number | undefined;
}

/** Ztunnels that hang are to become failures before the round is given up. */
const GRACE_MS = 1_000;

/**
 * Yields each round; `ask` is given the signal that ends it. What fails before anything was found, or for want of a right,
 * would fail again, and is thrown; so is an interrupt. Later on an API server may be away for a while.
 */
export async function* poll<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { longest, pause }: Pace,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Round<T>, void, void> {
  for (let hasFound = false; ; ) {
    const round: Round<T> = await askWithin(ask, longest(), hasFound, signal);
    hasFound ||= round.found !== undefined;
    yield round;
    const wait = pause();
    if (wait === undefined) return;
    await clock.sleep(wait, signal);
    signal.throwIfAborted();
  }
}

async function askWithin<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  milliseconds: number,
  hasFound: boolean,
  signal: AbortSignal,
): Promise<Round<T>> {
  const limit = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)) + GRACE_MS);
  try {
    return { found: await ask(AbortSignal.any([signal, limit])) };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return {};
    const isLasting = error instanceof ForbiddenError || error instanceof UsageError;
    if (!(error instanceof UserError) || isLasting || !hasFound) throw error;
    return { error };
  }
}
