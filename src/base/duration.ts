// How lengths of time are read from flags and written for people.

import { UsageError } from './errors.ts';

/** When a certificate counts as EXPIRING: less than this share of its lifetime left, or less than this time. */
export type WarnWithin = { readonly percent: number } | { readonly seconds: number };

const UNIT_SECONDS = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const satisfies Record<
  string,
  number
>;
type Unit = keyof typeof UNIT_SECONDS;

const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms]))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|[dhms])/g;

/**
 * Reads a duration as Go writes it, with days added (`90m`, `1h30m`, `2d`, `1.5h`, `500ms`), into seconds.
 * Each unit may stand once: a second time is a typing error. Throws UsageError.
 */
export function parseDuration(text: string): number {
  const parts = DURATION.test(text) ? [...text.matchAll(PART)] : [];
  const units = new Set(parts.map(([, , unit]) => unit));
  if (parts.length === 0 || units.size !== parts.length) {
    throw new UsageError(`"${text}" is not a duration.`, 'Write it like 90m, 1h30m or 2d.');
  }
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit as Unit], 0);
}

const PERCENT = /^(\d{1,3}(?:\.\d{1,6})?)%$/;

/** Reads `--warn-within`: a duration, or a percentage of the lifetime from 0% to 100%. Throws UsageError. */
export function parseWarnWithin(text: string): WarnWithin {
  if (!text.endsWith('%')) return { seconds: parseDuration(text) };
  const percent = Number(PERCENT.exec(text)?.[1] ?? Number.NaN);
  if (!(percent <= 100)) {
    throw new UsageError(
      `"${text}" is not a percentage.`,
      'Write one from 0% to 100%, or a duration like 2h.',
    );
  }
  return { percent };
}

const SHOWN_UNITS = ['d', 'h', 'm', 's'] as const satisfies readonly Unit[];

/** The two largest units of a number of seconds, without its sign: `1d0h`, `23h52m`, `4m10s`, `12s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const first = SHOWN_UNITS.findIndex((unit) => whole >= UNIT_SECONDS[unit]);
  if (first === -1) return '0s';
  return SHOWN_UNITS.slice(first, first + 2)
    .map((unit, index) => {
      // The larger unit takes all there is: days are not folded into weeks.
      const rest = index === 0 ? whole : whole % UNIT_SECONDS[SHOWN_UNITS[first]!];
      return `${Math.floor(rest / UNIT_SECONDS[unit])}${unit}`;
    })
    .join('');
}

/** A moment seen from the reference time: `in 23h52m` while it is ahead, `1d0h ago` from then on. */
export function formatRelative(seconds: number): string {
  return seconds > 0 ? `in ${formatDuration(seconds)}` : `${formatDuration(seconds)} ago`;
}

/** RFC 3339 in UTC, whole seconds; time is milliseconds since 1970. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
