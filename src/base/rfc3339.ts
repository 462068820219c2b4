// How Kubernetes writes times, and reads them.

import { UserError } from './errors.ts';

/** The last second of the year 9999: RFC 3339 has four digits for the year. */
const LAST_SECOND = 253_402_300_799;
/** The first second of the year 1, which is also Go's zero time. */
export const FIRST_SECOND = -62_135_596_800;
const CORRUPT_HINT = 'The object is probably corrupt: fetch or save it again.';

export interface Timestamp {
  /** Since 1970. */
  readonly seconds: number;
  readonly nanos: number;
}

/** Times written lately, by their last bits: objects that were made together have the same times. */
const recentSeconds = new Float64Array(256);
const recentTexts = new Array<string>(256).fill('1970-01-01T00:00:00Z');

/** RFC 3339 in whole seconds. Throws UserError outside the years 1 to 9999. */
export function formatTime({ seconds }: Timestamp): string {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) {
    throw new UserError(
      `a time of ${seconds} seconds since 1970 is outside the years 1 to 9999`,
      CORRUPT_HINT,
    );
  }
  const slot = seconds & 0xff;
  if (recentSeconds[slot] !== seconds) {
    recentTexts[slot] = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
    recentSeconds[slot] = seconds;
  }
  return recentTexts[slot]!;
}

/** RFC 3339 with six decimals, cut and not rounded, as Go does. Throws UserError on an impossible fraction. */
export function formatMicroTime({ seconds, nanos }: Timestamp): string {
  const text = formatTime({ seconds, nanos });
  if (nanos < 0 || nanos > 999_999_999) {
    throw new UserError(`a time's fraction of ${nanos} nanoseconds is not within one second`, CORRUPT_HINT);
  }
  return `${text.slice(0, -1)}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}

/** Of which 1: up to the seconds, 2: the fraction, 3: sign, 4 and 5: hours and minutes of the offset. */
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** undefined: no time, or a day that no month has. */
export function parseRfc3339(text: string): Timestamp | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [, local = '', fraction = '', sign, hours, minutes] = match;
  const milliseconds = Date.parse(`${local}Z`);
  // JavaScript takes the 30th of February for the 2nd of March.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== local)
    return undefined;
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60;
  const seconds = milliseconds / 1000 - (sign === '-' ? -offset : offset);
  return { seconds, nanos: Number(fraction.padEnd(9, '0')) };
}
