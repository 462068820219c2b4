// How memory that nobody holds any more is given back at once.

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
