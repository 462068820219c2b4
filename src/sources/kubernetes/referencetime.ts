// When "now" is by the API server's clock, and how far the local clock is from it.

import type { Reference } from '../../model/types.ts';

/** More than this makes every remaining time on the screen doubtful. */
const MAX_SKEW_MS = 30_000;

export interface ReferenceClock {
  readonly reference: Reference;
  /** Local minus server; undefined if the server did not say. */
  readonly skewSeconds: number | undefined;
  /** One sentence if the local clock is more than 30 s off. */
  readonly warning: string | undefined;
}

/** `date` is the Date header of an answer that has just arrived at `local`; without it the local clock counts. */
export function settleReference(date: string | undefined, local: Date): ReferenceClock {
  const server = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(server))
    return { reference: { time: local, source: 'system-clock' }, skewSeconds: undefined, warning: undefined };
  const skew = local.getTime() - server;
  return {
    reference: { time: new Date(server), source: 'api-server' },
    skewSeconds: skew / 1000,
    warning: Math.abs(skew) > MAX_SKEW_MS ? skewed(skew) : undefined,
  };
}

function skewed(skewMs: number): string {
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return `The local clock is ${formatSkew(Math.abs(skewMs) / 1000)} ${direction} the API server's; certificates are judged by the API server's.`;
}

function formatSkew(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
