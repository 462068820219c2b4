// What a program that is started with an environment of its own still has from this one: a moved clock, if there is one.

import process from 'node:process';

/** How libfaketime is preloaded and told the time; without them a program would see another clock than its test. */
const CLOCK = /^(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|FAKETIME(?:_.*)?|NO_FAKE_STAT|DONT_FAKE_MONOTONIC)$/;

/** Empty unless the tests run under a moved clock. */
export const INHERITED: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => CLOCK.test(name)),
);

/** The environment for a program that has no date to see and can't live with a moved clock, such as a browser. */
export function unmoved<T extends Readonly<Record<string, string | undefined>>>(env: T): T {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !CLOCK.test(name))) as T;
}
