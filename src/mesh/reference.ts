// When "now" is for a command: the flag above the API server's clock above the system's.

import type { CommandContext } from '../commands/command.ts';
import type { Reference } from '../model/types.ts';

/** Settled after the first API answer, so that the API server's own clock can be used. */
export async function settleReference(now: Date | undefined, context: CommandContext): Promise<Reference> {
  return now === undefined ? context.cluster.reference() : { time: now, source: 'flag' };
}
