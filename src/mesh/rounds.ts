// How one of several looks at a mesh is bounded in time.

import type { CommandContext } from '../commands/command.ts';

/** ztunnels that hang are to be told of before the look is given up. */
const GRACE_MS = 1_000;

/** What `look` finds; undefined if it has not ended after so many milliseconds, or a second more. */
export async function lookWithin<T>(
  milliseconds: number,
  context: CommandContext,
  look: (context: CommandContext) => Promise<T>,
): Promise<T | undefined> {
  const limit = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)) + GRACE_MS);
  try {
    return await look({ ...context, signal: AbortSignal.any([context.signal, limit]) });
  } catch (error) {
    context.signal.throwIfAborted();
    if (limit.aborted) return undefined;
    throw error;
  }
}
