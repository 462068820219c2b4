// How the files that a command names are read: the code is loaded only then.

import type { Io } from '../src/io.ts';

/** Stdin is read at most once. */
export function inputOf(stdin: AsyncIterable<Uint8Array>): Io['readInput'] {
  return async (file, signal) => {
    const { readInput } = await import('../src/cluster/inputfile.ts');
    return readInput(file, stdin, signal);
  };
}
