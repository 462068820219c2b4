// How many connections into pods are open at once: fewer as soon as the API server says that it has too much to do.

import { UserError } from '../../base/errors.ts';

/** The API server has too much to do (429, or 503 with Retry-After), and says when to come back. */
export class PushBack extends UserError {
  readonly retryAfterMs: number;

  constructor(error: UserError, retryAfterMs: number) {
    super(error.message, error.hint, { cause: error });
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Gate {
  /** Resolves when another connection may be opened; what it gives says that it is closed. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Half as many from now on, and no new ones until the time is up. */
  pushedBack(retryAfterMs: number): void;
}

const MAX_RETRIES = 4;
const MAX_RETRY_WAIT_MS = 10_000;

/** As many as ask may enter, until the first push-back. */
export function createGate(): Gate {
  const waiting = new Set<() => void>();
  let limit = Number.POSITIVE_INFINITY;
  let open = 0;
  let closedUntil = 0; // push-backs that are not over

  const admit = () => {
    for (const next of waiting) {
      if (closedUntil > 0 || open >= limit) return;
      waiting.delete(next);
      open += 1;
      next();
    }
  };
  const leave = () => {
    open -= 1;
    // What went well makes room again, slowly: one more for each round of as many as there may be.
    limit += 1 / limit;
    admit();
  };
  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const abort = () => {
          waiting.delete(next);
          reject(signal.reason);
        };
        const next = () => {
          signal.removeEventListener('abort', abort);
          resolve(leave);
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.add(next);
        admit();
      }),
    pushedBack(retryAfterMs) {
      limit = Math.max(1, Math.floor(open / 2));
      closedUntil += 1;
      setTimeout(() => {
        closedUntil -= 1;
        admit();
      }, retryAfterMs);
    },
  };
}

/** What `attempt` yields, begun again when the API server pushes back, which it does before the first chunk. */
export async function* throughGate<T>(
  gate: Gate,
  signal: AbortSignal,
  attempt: () => AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  for (let retry = 0; ; retry += 1) {
    const leave = await gate.enter(signal);
    try {
      yield* attempt();
      return;
    } catch (thrown) {
      if (!(thrown instanceof PushBack) || retry === MAX_RETRIES) throw thrown;
      gate.pushedBack(thrown.retryAfterMs);
    } finally {
      leave();
    }
  }
}

/** How long a refusal asks to wait, in milliseconds and within bounds; undefined if it does not ask. */
export function retryAfterOf(status: number, header: string | undefined): number | undefined {
  if (status !== 429 && (status !== 503 || header === undefined)) return undefined;
  const seconds = /^\d{1,6}$/.test(header ?? '') ? Number(header) : 1;
  return Math.min(seconds * 1000, MAX_RETRY_WAIT_MS);
}
