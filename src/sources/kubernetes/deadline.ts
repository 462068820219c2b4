// How a wait is bounded: one time limit over several phases, and the caller's own signal.

import type { UserError } from '../../base/errors.ts';

export interface Deadline {
  /** Aborted with a UserError when time is up, or with the caller's reason when the caller gives up. */
  readonly signal: AbortSignal;
  /** Names what is being waited for from now on. */
  enter(phase: string): void;
  /** Must be called once the wait is over. */
  clear(): void;
}

/** `describe` makes the error of a time-out from the phase that was being waited for. */
export function startDeadline(
  timeoutMs: number,
  phase: string,
  parent: AbortSignal | undefined,
  describe: (phase: string) => UserError,
): Deadline {
  const controller = new AbortController();
  let current = phase;
  const giveUp = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => controller.abort(describe(current)), timeoutMs);
  if (parent?.aborted) giveUp();
  else parent?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    enter: (next) => {
      current = next;
    },
    clear: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', giveUp);
    },
  };
}

/** `1.5 s`, `15 s`, `2 min`: how long was waited, for a sentence. */
export function formatWait(ms: number): string {
  if (ms < 100) return `${ms} ms`;
  return ms >= 120_000 && ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 100) / 10} s`;
}
