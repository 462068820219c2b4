// How little memory the program gets by with.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage, in some milliseconds. V8 does so by itself, but takes its time over small objects with large buffers:
 * a program that passes gigabytes on in small chunks comes to hold 100 MiB of dead ones.
 */
export function createCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Keeps V8's space for new objects as small as it is: it would grow to 100 MiB, which saves no time where objects come from
 * a network.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
