// How time goes on for a command that looks again and again.

import type { CommandContext } from '../commands/command.ts';
import type { Reference } from '../model/types.ts';

/** The API server's clock of each moment, by the local one and how far it is ahead. `--now` stands still. */
export async function currentTime(
  now: Date | undefined,
  { cluster, clock }: CommandContext,
): Promise<Reference> {
  if (now !== undefined) return { time: now, source: 'flag' };
  const reference = await cluster.reference();
  const skew = cluster.clockSkewSeconds();
  if (skew === undefined) return reference;
  return { ...reference, time: new Date(clock.now().getTime() - skew * 1000) };
}
